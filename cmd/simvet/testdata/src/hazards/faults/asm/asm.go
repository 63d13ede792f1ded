// Package asm has code that is not Go.
package asm // want "platform: package with assembly"

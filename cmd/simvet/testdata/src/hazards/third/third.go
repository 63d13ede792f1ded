// Package third is a module of others.
package third

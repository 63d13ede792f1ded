// Package sim holds one file for each kind of hazard. A line on which simvet
// must find something ends with a comment: want, then in quotes how the finding
// starts after its place.
package sim

package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
)

// look holds the flags that say how a report is written.
type look struct {
	ascii, full bool
	color       string
}

var colorModes = []string{"auto", "always", "never"}

func (l *look) flags(c *cobra.Command) {
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw with ASCII only")
	c.Flags().BoolVar(&l.full, "full", false, "show every row and every process")
	c.Flags().StringVar(&l.color, "color", "auto", "`WHEN` to use colour: auto, always or never (NO_COLOR is honoured)")
}

// style decides how to write to out: NO_COLOR and TERM=dumb switch off what
// --color=auto would switch on; --color wins over both (https://no-color.org).
func (l *look) style(out io.Writer) (reports.Style, error) {
	s := reports.Style{ASCII: l.ascii, Full: l.full, Width: columnsOf(out)}
	switch l.color {
	case "always":
		s.Color = true
	case "never":
	case "auto":
		s.Color = isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	default:
		return s, fmt.Errorf("--color: %s", script.Unknown("mode", l.color, colorModes))
	}
	return s, nil
}

func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// lineWidth is how wide a line to out may be: as wide as the terminal, and without
// end where a program reads it.
func lineWidth(out io.Writer) int {
	if n := columnsOf(out); n > 0 {
		return max(n, 80)
	}
	return math.MaxInt
}

// columnsOf is how wide the terminal is that out is, as COLUMNS says or else as it says
// itself; 0 where it does not, or out is none: what a program reads is the same everywhere.
func columnsOf(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		n = 0
	}
	return wished(os.Getenv("COLUMNS"), n)
}

// wished is how many columns a user wants who has so many: as COLUMNS says, if that is a
// number above 0.
func wished(columns string, has int) int {
	if n, err := strconv.Atoi(columns); err == nil && n > 0 {
		return n
	}
	return max(has, 0)
}

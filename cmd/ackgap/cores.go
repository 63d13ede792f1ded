package main

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
)

// maxCores is how many cores can be asked for: each takes memory, also where the machine
// has fewer.
const maxCores = 1024

// cores is how many cores work at once: 1 to maxCores.
type cores int

// coresVar defines the flag --cores.
func coresVar(c *cobra.Command, n *int, by int, usage string) {
	*n = min(by, maxCores)
	c.Flags().Var((*cores)(n), "cores", usage)
}

func (n *cores) String() string { return strconv.Itoa(int(*n)) }

func (n *cores) Type() string { return "cores" }

func (n *cores) Set(s string) error {
	i, err := strconv.Atoi(s)
	if err != nil || i < 1 || i > maxCores {
		return errors.New(values[n.Type()])
	}
	*n = cores(i)
	return nil
}

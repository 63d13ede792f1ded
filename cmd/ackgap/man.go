package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ackgap/ackgap/faults/script"
)

func newMan(s *streams) *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print a manual page, or write them all into a folder",
		Long: `Man prints the page of ackgap, or that of a command, as man reads it. The pages
say what --help says, and are made of the same.`,
		Example: `  ackgap man | man -l -
  ackgap man check | man -l -
  ackgap man --dir /usr/local/share/man/man1`,
		Args: named(0, 1, "one command, or none"),
		RunE: func(c *cobra.Command, args []string) error { return s.man(c.Root(), folder, args) },
	}
	c.Flags().StringVar(&folder, "dir", "", "write every page into this `FOLDER`: ackgap.1, ackgap-run.1 ...")
	c.ValidArgsFunction = func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
	}
	return c
}

// man writes the page that args name, or all pages into a folder.
func (s *streams) man(root *cobra.Command, folder string, args []string) error {
	if folder != "" {
		if len(args) > 0 {
			return fmt.Errorf("man: --dir writes every page; leave %s out", script.Quote(args[0]))
		}
		return writeManual(root, folder)
	}
	c := root
	if len(args) > 0 {
		var err error
		if c, err = commandOf(root, "man", args[0]); err != nil {
			return err
		}
	}
	_, err := s.out.Write(manualPage(c))
	return err
}

// commandOf is the command called name; verb is who asks.
func commandOf(root *cobra.Command, verb, name string) (*cobra.Command, error) {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s: %s", verb, script.Unknown("command", name, commandNames(root)))
}

func writeManual(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("man: --dir %s: %w", script.Quote(folder), cause(err))
	}
	for _, c := range append(root.Commands(), root) {
		name := filepath.Join(folder, manualName(c)+".1")
		if err := replaceFile(name, manualPage(c)); err != nil {
			return fmt.Errorf("man: %s: %w", script.Quote(name), cause(err))
		}
	}
	return nil
}

// manualName is what a page is called: ackgap-run.
func manualName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manualPage is the page of c in the language of man(7). The texts of help have lines of
// their own, with tables and indented lines among them, so that none is filled.
func manualPage(c *cobra.Command) []byte {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"ackgap %s\" \"ackgap manual\"\n", roff(strings.ToUpper(manualName(c))), roff(buildVersion()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manualName(c)), roff(c.Short))
	literal(&b, "EXAMPLES", c.Example)
	literal(&b, "SYNOPSIS", "  "+c.UseLine())
	literal(&b, "DESCRIPTION", c.Long)
	options(&b, "OPTIONS", c.LocalFlags())
	options(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	b.WriteString(".SH SEE ALSO\n")
	if c.HasParent() {
		fmt.Fprintf(&b, ".BR %s (1)\n", roff(manualName(c.Parent())))
	}
	for i, sub := range c.Commands() {
		comma := ","
		if i == len(c.Commands())-1 {
			comma = ""
		}
		fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(manualName(sub)), comma)
	}
	return []byte(b.String())
}

// literal writes a section whose lines stand as they are.
func literal(b *strings.Builder, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, ".SH %s\n.nf\n", title)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			b.WriteString(".sp\n")
			continue
		}
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n")
}

// options writes a section of flags.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR", roff(name))
		if kind != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(kind))
		}
		b.WriteString("\n" + roff(strings.Join(strings.Fields(usage), " ")))
		if !isZero(f.DefValue) {
			b.WriteString(" (default " + roff(f.DefValue) + ")")
		}
		b.WriteString("\n")
	})
}

// isZero reports whether a default says nothing.
func isZero(value string) bool {
	return value == "" || value == "false" || value == "0" || value == "[]" || value == "0s"
}

// roff writes a line as text: nothing in it is a request or an escape, and its dashes can
// be pasted.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`).Replace(line)
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}

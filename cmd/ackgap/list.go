package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/eventlog"
	"github.com/ackgap/ackgap/scenarios"
)

func newList(s *streams) *cobra.Command {
	var names, json bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the stories of the catalogue",
		Example: `  ackgap list
  ackgap list --names | grep worker
  ackgap list --json | jq -r '.stories[].name'`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return s.list(names, json) },
	}
	c.Flags().BoolVar(&names, "names", false, "names only, one a line")
	c.Flags().BoolVar(&json, "json", false, "one JSON document instead")
	c.MarkFlagsMutuallyExclusive("names", "json")
	return c
}

func (s *streams) list(namesOnly, json bool) error {
	all := scenarios.Catalogue()
	if json {
		b, err := listJSON(all)
		if err != nil {
			return err
		}
		_, err = s.out.Write(b)
		return err
	}
	width := 0
	for _, name := range all {
		width = max(width, len(name))
	}
	room := lineWidth(s.out)
	var b []byte
	for _, name := range all {
		if namesOnly {
			b = fmt.Appendln(b, name)
			continue
		}
		text, err := scenarios.Text(name)
		if err != nil {
			return err
		}
		for i, line := range reports.Fold(scenarios.Title(text), room-width-2) {
			if i > 0 {
				name = ""
			}
			b = fmt.Appendf(b, "%-*s  %s\n", width, name, line)
		}
	}
	_, err := s.out.Write(b)
	return err
}

func newVersion(s *streams) *cobra.Command {
	var json bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of ackgap, of Go, and of the formats",
		Example: `  ackgap version
  ackgap --version`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			text := versions()
			if json {
				text = string(versionJSON())
			}
			_, err := io.WriteString(s.out, text)
			return err
		},
	}
	c.Flags().BoolVar(&json, "json", false, "one JSON document instead, with every format of JSON that there is")
	return c
}

// versions is what `ackgap version` and `ackgap --version` print.
func versions() string {
	return fmt.Sprintf("ackgap %s\ngo     %s %s/%s\njson   %s\n       %s\n       %s\n       %s\nlog    %s\n",
		buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, reports.Format, reports.FormatCheck, reports.FormatExplain, reports.LogFormat, eventlog.Format)
}

// buildVersion returns the module's version as the build recorded it.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

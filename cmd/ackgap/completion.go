package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/reports/lessons"
	"github.com/ackgap/ackgap/scenarios"
	"github.com/ackgap/ackgap/scenarios/actors"
	"github.com/ackgap/ackgap/scenarios/exhaust"
	"github.com/ackgap/ackgap/scenarios/storm"
)

// bashCompletion stands behind the script that cobra writes for bash, and replaces what that
// takes from the package bash-completion.
//
//go:embed completion.bash
var bashCompletion string

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print what lets a shell complete commands, flags and stories",
		Long: `Completion prints a script for a shell, which asks ackgap itself when Tab is
pressed: for commands, flags, the stories of the catalogue, properties, the
forms of --out, backends, kinds of faults, and what --set can say. bash needs no
other package, and zsh "autoload -U compinit; compinit" before it. Our tests
type into bash, zsh and fish; that for PowerShell is as cobra has it, untried.`,
		Example: `  source <(ackgap completion bash)                  for this shell
  ackgap completion bash > /etc/bash_completion.d/ackgap
  ackgap completion zsh > "${fpath[1]}/_ackgap"
  ackgap completion fish > ~/.config/fish/completions/ackgap.fish
  ackgap completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return errors.New("completion: name one shell: bash, zsh, fish or powershell")
			case !slices.Contains(shells, args[0]):
				return fmt.Errorf("completion: %s", script.Unknown("shell", args[0], shells))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return completion(c.Root(), args[0], s.out) },
	}
}

func completion(root *cobra.Command, shell string, out io.Writer) error {
	switch shell {
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	if err := root.GenBashCompletionV2(out, true); err != nil {
		return err
	}
	_, err := io.WriteString(out, bashCompletion)
	return err
}

// takeStories are the commands whose arguments are stories: completed by the names of
// the catalogue, and by files.
var takeStories = []string{"run", "check", "replay", "report", "open", "shrink", "twin", "explain", "explore", "digests", "coverage", "storm", "tolerance"}

// complete says what may stand behind c and its flags. cobra keeps that, and c with it, for
// as long as the process lives: it is for a command that is run, and not for each of many
// that are built to be read.
func complete(c *cobra.Command) {
	switch {
	case slices.Contains(takeStories, c.Name()):
		c.ValidArgsFunction = completedBy(cobra.ShellCompDirectiveDefault, func() []string { return argumentsOf(c.Name()) })
	case c.Name() == "teach":
		c.ValidArgsFunction = completedBy(cobra.ShellCompDirectiveNoFileComp, lessonArguments)
	}
	for name, words := range map[string]func() []string{
		"color":    func() []string { return colorModes },
		"github":   func() []string { return githubModes },
		"fault":    storm.FaultNames,
		"property": propertyNames,
		"out":      outPrefixes,
		"backend":  backendWords,
		"kinds":    func() []string { return strings.Split((^exhaust.Kinds(0)).String(), ",") },
		"story":    func() []string { return storyWords(c.Name()) },
	} {
		if c.Flags().Lookup(name) == nil {
			continue
		}
		then := cobra.ShellCompDirectiveNoFileComp
		if name == "out" || name == "kinds" {
			then = cobra.ShellCompDirectiveNoSpace
		}
		if err := c.RegisterFlagCompletionFunc(name, completedBy(then, words)); err != nil {
			panic("ackgap: a flag is completed twice: " + err.Error())
		}
	}

	if c.Flags().Lookup("set") != nil {
		err := c.RegisterFlagCompletionFunc("set", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return settings(args), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic("ackgap: --set is completed twice: " + err.Error())
		}
	}
}

// settings lists what --set can make of the story that was named before it: each variant of
// its queue, each consumer and each way to settle of its workers.
func settings(args []string) (list []string) {
	for _, b := range model.Bodies() {
		for _, v := range b.Variants {
			if setting := "queue.variant=" + v.Name; v.Name != "" && !slices.Contains(list, setting) {
				list = append(list, setting)
			}
		}
	}
	workers := []string{"w1"}
	if len(args) > 0 {
		if story, err := scenarios.Load(args[0]); err == nil {
			workers = nil
			for _, w := range story.Workers {
				workers = append(workers, w.Name)
			}
		}
	}
	for _, w := range workers {
		for _, consumer := range actors.ConsumerNames() {
			list = append(list, w+".consumer="+consumer)
		}
		list = append(list, w+".ack=early", w+".ack=late")
	}
	return list
}

func backendWords() []string { return []string{"go", "valkey", "valkey=spawn", "valkey=unix:"} }

// storyWords are what --story takes, which is not the same in each command.
func storyWords(command string) []string {
	if command == "teach" {
		return lessons.Stories()
	}
	return pairSides
}

func completedBy(then cobra.ShellCompDirective, words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return words(), then }
}

// argumentsOf lists what may stand behind a command besides files.
func argumentsOf(command string) []string {
	if command == "explain" {
		return append(scenarios.Catalogue(), propertyNames()...)
	}
	return scenarios.Catalogue()
}

func lessonArguments() []string {
	words := []string{guaranteeMap, glossary}
	for n := range lessons.Count {
		words = append(words, strconv.Itoa(n+1))
	}
	return words
}

// outPrefixes lists the forms as --out takes them, each up to its file.
func outPrefixes() (list []string) {
	for _, name := range formNames() {
		list = append(list, name+"=")
	}
	return list
}

package main

import "github.com/spf13/cobra"

// newHelp is the command that cobra has, but for a word that is no command: that is
// refused, and not answered by the general help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does, as its --help",
		Example: `  ackgap help
  ackgap help check`,
		Args: named(0, 1, "one command, or none"),
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			of := c.Root()
			if len(args) > 0 {
				var err error
				if of, err = commandOf(of, "help", args[0]); err != nil {
					return err
				}
			}
			of.InitDefaultHelpFlag()
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}

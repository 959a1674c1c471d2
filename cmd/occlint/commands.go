package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// subcommand is a command by its name, not made yet.
type subcommand struct {
	name string
	make func(*app) *cobra.Command
}

// subcommands lists what occlint can do, one file each.
func subcommands() []subcommand {
	return []subcommand{
		{"check", newCheckCommand},
		{"calc", newCalcCommand},
		{"run", newRunCommand},
		{"wrap", newWrapCommand},
		{"show", newShowCommand},
		{"where", newWhereCommand},
		{"declared", newDeclaredCommand},
		{"profile", newProfileCommand},
		{"explain", newExplainCommand},
		{"rules", newRulesCommand},
		{"diff", newDiffCommand},
		{"baseline", newBaselineCommand},
		{"tune", newTuneCommand},
		{"init", newInitCommand},
		{"config", newConfigCommand},
		{"version", newVersionCommand},
		{"completion", newCompletionCommand},
	}
}

// rootCommand makes every command.
func (a *app) rootCommand() *cobra.Command {
	root := a.configured(newCheckCommand(a))
	for _, c := range subcommands() {
		root.AddCommand(c.make(a))
	}
	return root
}

// commandFor makes what args run. To make every command takes a tenth of the
// time that a small log does, and a wrapped build starts occlint for each call
// of its compiler.
func (a *app) commandFor(args []string) *cobra.Command {
	list := subcommands()
	named := func(arg string) int {
		return slices.IndexFunc(list, func(c subcommand) bool { return c.name == arg })
	}
	if len(args) > 0 && named(args[0]) >= 0 {
		root := a.configured(&cobra.Command{})
		root.AddCommand(list[named(args[0])].make(a))
		return root
	}
	// Which argument is the value of a flag only cobra knows: any of them may
	// name a command.
	if slices.ContainsFunc(args, func(arg string) bool { return named(arg) >= 0 || wantsAll(arg) }) {
		return a.rootCommand()
	}
	return a.configured(newCheckCommand(a))
}

// wantsAll reports whether an argument may ask for help or completion, which
// list the commands. -qh is help too.
func wantsAll(arg string) bool {
	long := strings.HasPrefix(arg, "--")
	return arg == "help" || strings.HasPrefix(arg, "--help") || strings.HasPrefix(arg, "__complete") ||
		!long && strings.HasPrefix(arg, "-") && strings.Contains(arg, "h")
}

// configured makes cmd the root.
func (a *app) configured(root *cobra.Command) *cobra.Command {
	root.Use = "occlint [LOG ...]"
	root.Short = "Judge registers, spills, shared memory and occupancy of CUDA kernels by the compiler's own log"
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return a.flagsFromEnv(cmd) }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	return root
}

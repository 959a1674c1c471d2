package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// newConfigCommand shows and checks the config.
func newConfigCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check the config, say where it is, or print its JSON Schema",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usageError("say what to do: occlint config check, path or schema")
		},
	}
	cmd.AddCommand(newConfigCheckCommand(a), newConfigPathCommand(a), newConfigSchemaCommand(a))
	return cmd
}

func newConfigCheckCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Report everything that is wrong with the config",
		Long: `Reads FILE, or the config that occlint would use here, and reports everything
that is wrong with it: place, line and, where one can be guessed, what was
meant. What it names is read too, as for a gate: the sources, PTX and the
baseline. Only what it says of kernels waits for a log.

Exit codes: 0 the config is right, 2 it is not.`,
		Example: "  occlint config check\n  occlint config check ci/.occlint.yml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := a.configPath(args)
			if err != nil {
				return err
			}
			c, err := a.readConfig(path)
			if err != nil {
				return err
			}
			shown := c.File
			if err := a.tryConfig(c, path); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "%s is right: %s\n", escapeLines(shown), describeConfig(c))
			return err
		},
	}
}

func newConfigPathCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the paths of the configs that occlint uses here",
		Long: `Prints the path of the config that occlint uses here, and below it those that
it extends, each on a line: what a line says counts before what the lines below
it say.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path, err := a.configPath(nil)
			if err != nil {
				return err
			}
			chain := []string{path} // all that is known of one that config check refuses
			if c, err := a.readConfig(path); err == nil {
				chain = c.Chain
			}
			for _, path := range chain {
				if _, err := fmt.Fprintln(a.Stdout, escapeLines(path)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newConfigSchemaCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the config, for editors",
		Long: `Prints the JSON Schema of .occlint.yml. Editors with a YAML language server use
it for completion and checks when the config begins with the line

  # yaml-language-server: $schema=.occlint.schema.json`,
		Example: "  occlint config schema > .occlint.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.Stdout, config.Schema())
			return err
		},
	}
}

// configPath is the config of the arguments, of OCCLINT_CONFIG, or the one
// that is found upward.
func (a *app) configPath(args []string) (string, error) {
	if len(args) > 0 {
		return a.path(args[0]), nil
	}
	if told := a.Env("OCCLINT_CONFIG"); told != "" {
		return a.path(told), nil
	}
	path, ok := config.Find(a.Dir)
	if !ok {
		return "", usageError("there is no %s here or above, up to the repository root; occlint init writes one from a build log", config.FileName)
	}
	return path, nil
}

// readConfig reads a config by its absolute path. Messages name it from the
// working directory, as editors and terminals resolve it.
func (a *app) readConfig(path string) (*config.Config, error) {
	c, err := config.Load(path, knownNames())
	if err != nil {
		var errs *config.Errors
		if errors.As(err, &errs) {
			errs.File = a.fromHere(errs.File)
		}
		return nil, &exitError{exitUsage, err}
	}
	c.File = a.fromHere(path)
	return c, nil
}

// fromHere names an absolute path from the working directory, where that is
// shorter.
func (a *app) fromHere(path string) string {
	if rel, err := filepath.Rel(a.Dir, path); err == nil && len(rel) < len(path) {
		return filepath.ToSlash(rel)
	}
	return path
}

// tryConfig does with a config what a gate does before the log is known: it
// reads what the config names, and makes a policy that can be judged by.
func (a *app) tryConfig(c *config.Config, path string) error {
	root, err := a.repositoryRoot("")
	if err != nil {
		return err
	}
	loaded, err := a.useConfig(c, path, &policyFlags{}, root)
	if err != nil {
		return err
	}
	policy, err := loaded.policyFor(&parse.Log{})
	if err != nil {
		return err
	}
	if _, err := rules.Judge(&parse.Log{}, policy); err != nil {
		return usageError("%w", err)
	}
	return nil
}

// knownNames are the names that a config may use.
func knownNames() config.Known {
	var k config.Known
	for _, r := range rules.Registry() {
		k.Rules = append(k.Rules, r.ID)
	}
	k.Verdicts = verdictIDs()
	for _, g := range arch.Builtin().GPUs() {
		k.GPUs = append(append(k.GPUs, g.Name), g.Aliases...)
	}
	return k
}

// describeConfig says in a few words what a config holds.
func describeConfig(c *config.Config) string {
	text := "no budget for single kernels"
	if n := len(c.Kernels); n == 1 {
		text = "1 entry for kernels"
	} else if n > 1 {
		text = fmt.Sprintf("%d entries for kernels", n)
	}
	if n := len(c.Ignore); n > 0 {
		text += fmt.Sprintf(", %d ignored", n)
	}
	if c.Baseline.Set {
		text += ", baseline " + escapeLines(filepath.ToSlash(c.Baseline.Value))
	}
	if replaced := replacedEntries(c); len(replaced) > 0 {
		text += ", in place of the built-in " + escapeLines(strings.Join(replaced, ", "))
	}
	return text
}

// replacedEntries are the custom architectures and GPUs that stand in place of
// built-in ones: on purpose, or by a slip in the name.
func replacedEntries(c *config.Config) []string {
	table := arch.Builtin()
	var list []string
	for _, e := range c.CustomArchs {
		if _, err := table.Lookup(e.Key); err == nil {
			list = append(list, e.Key)
		}
	}
	for _, e := range c.CustomGPUs {
		if _, err := table.GPU(e.Key); err == nil {
			list = append(list, e.Key)
		}
	}
	return list
}

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const envPrefix = "OCCLINT_"

// variableOf names the variable of a flag: --fail-on is OCCLINT_FAIL_ON.
func variableOf(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// flagsFromEnv gives each flag that the command line leaves alone the value of
// its variable. A repeatable flag takes one value a line; --output, whose
// values have no commas, also a list with commas.
func (a *app) flagsFromEnv(cmd *cobra.Command) error {
	errs := []error{a.misspeltVariables(cmd)}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		variable := variableOf(f.Name)
		value := a.Env(variable)
		if value == "" || f.Changed || f.Name == "help" || !envApplies(cmd, f.Name) {
			return
		}
		for _, v := range splitVariable(f, value) {
			if err := f.Value.Set(v); err != nil {
				errs = append(errs, fmt.Errorf("%s=%q: %w", variable, value, valueError(err)))
			}
		}
		f.Changed = true
	})
	if err := errors.Join(errs...); err != nil {
		return usageError("%w", err)
	}
	return nil
}

// envApplies reports whether a variable may set a flag of cmd. OCCLINT_OUTPUT
// is the gate's: a job that asks for its reports must not change what the
// tables of other commands look like. Of --config and --no-config the one on
// the command line counts.
func envApplies(cmd *cobra.Command, flag string) bool {
	switch flag {
	case "output":
		return cmd.Flags().Lookup("fail-on") != nil
	case "config":
		return !cmd.Flags().Changed("no-config")
	case "no-config":
		return !cmd.Flags().Changed("config")
	}
	return true
}

func splitVariable(f *pflag.Flag, value string) []string {
	if f.Value.Type() != "stringArray" {
		return []string{value}
	}
	separator := "\n"
	if f.Name == "output" {
		separator = "\n,"
	}
	return strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(separator, r) })
}

// misspeltVariables reports variables that are the name of one but for
// underscores, case and a plural: a gate that is weaker than somebody meant it
// to be must not look right. Others may have OCCLINT_ names too
// (OCCLINT_VERSION in a CI job), so anything further off is theirs.
func (a *app) misspeltVariables(cmd *cobra.Command) error {
	var errs []error
	var known map[string]string // by loose form
	for _, entry := range a.environ() {
		variable, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(variable), envPrefix) {
			continue
		}
		if known == nil {
			known = map[string]string{}
			addVariables(a.rootCommand(), known)
			addVariables(cmd, known) // cobra's own, once a command runs
		}
		if near := known[loose(variable)]; near != "" && near != variable {
			errs = append(errs, fmt.Errorf("%s is no setting; did you mean %s?", variable, near))
		}
	}
	return errors.Join(errs...)
}

// loose is a variable's name without what a slip changes.
func loose(variable string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.ToUpper(variable), "_", ""), "S")
}

// addVariables adds the variables of a command and of those below it.
func addVariables(cmd *cobra.Command, known map[string]string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		v := variableOf(f.Name)
		known[loose(v)] = v
	})
	for _, sub := range cmd.Commands() {
		addVariables(sub, known)
	}
}

func (a *app) environ() []string {
	if a.Environ == nil {
		return nil
	}
	return a.Environ()
}

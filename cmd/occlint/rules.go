package main

import (
	"bufio"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// newRulesCommand lists the rules.
func newRulesCommand(a *app) *cobra.Command {
	var color, output string
	cmd := &cobra.Command{
		Use:     "rules",
		Short:   "List the rules with their default severities",
		Example: "  occlint rules\n  occlint rules --output json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch output {
			case "text":
				w := bufio.NewWriter(a.Stdout)
				if err := report.RuleList(w, rules.Registry(), term.New(a.Stdout, color, a.Env)); err != nil {
					return err
				}
				return w.Flush()
			case "json":
				enc := json.NewEncoder(a.Stdout)
				enc.SetIndent("", " ")
				return enc.Encode(report.RulesJSON(rules.Registry()))
			}
			return usageError("--output %q: no format %q; there are text, json", output, output)
		},
	}
	cmd.Flags().StringVar(&output, "output", "text", "text or json (`FORMAT`)")
	registerColor(cmd, &color)
	return cmd
}

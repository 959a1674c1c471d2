package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// newExplainCommand shows a rule's documentation.
func newExplainCommand(a *app) *cobra.Command {
	var color string
	cmd := &cobra.Command{
		Use:     "explain RULE|verdict:VERDICT ...",
		Short:   "Say what a rule or a verdict of occlint profile means, why it matters and what to do",
		Example: "  occlint explain min-blocks\n  occlint explain verdict:spills-hot",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			ids := ruleIDs()
			for _, v := range verdictIDs() {
				ids = append(ids, verdictPrefix+v)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("which rule? There are %s", strings.Join(ruleIDs(), ", "))
			}
			pages := make([]string, len(args))
			style := term.New(a.Stdout, color, a.Env)
			for i, id := range args {
				// As it stands in a message, in brackets, it can be pasted.
				plain := strings.Trim(strings.ToLower(id), "[]")
				if verdict, ok := strings.CutPrefix(plain, verdictPrefix); ok {
					doc, ok := judge.DocOf(verdict)
					if !ok {
						return unknownVerdict(verdict)
					}
					pages[i] = report.ExplainVerdict(doc, style)
					continue
				}
				rule, ok := rules.ByID(plain)
				if !ok {
					return unknownRule(id)
				}
				pages[i] = report.Explain(rule, style)
			}
			_, err := io.WriteString(a.Stdout, strings.Join(pages, "\n"))
			return err
		},
	}
	registerColor(cmd, &color)
	return cmd
}

// verdictPrefix tells verdicts of occlint profile from rules.
const verdictPrefix = "verdict:"

func unknownVerdict(id string) error {
	if near := report.NearestVerdicts(id); len(near) > 0 {
		return usageError("no verdict %q; did you mean %s?", id, strings.Join(near, " or "))
	}
	return usageError("no verdict %q; there are %s", id, strings.Join(verdictIDs(), ", "))
}

func ruleIDs() []string {
	var ids []string
	for _, r := range rules.Registry() {
		ids = append(ids, r.ID)
	}
	return ids
}

func unknownRule(id string) error {
	switch near := report.NearestRules(id); len(near) {
	case 0:
	case 1:
		return usageError("no rule %q; did you mean %s?", id, near[0])
	default:
		return usageError("no rule %q; did you mean one of %s?", id, strings.Join(near, ", "))
	}
	return usageError("no rule %q; there are %s", id, strings.Join(ruleIDs(), ", "))
}

package main

import (
	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/rules"
)

// changesSince compares a result with the log of --base, for the reports that
// show differences. It changes no verdict: occlint diff judges changes.
func (g *gate) changesSince(base string, result *rules.Result) (*compare.Diff, error) {
	log, err := g.readLogs([]string{base}, forwardNone, g.root)
	if err != nil {
		return nil, err
	}
	policy, err := g.loaded.policyFor(log)
	if err != nil {
		return nil, err
	}
	policy.ExpectKernels, policy.Baseline = 0, nil
	old, err := rules.Judge(log, policy)
	if err != nil {
		return nil, usageError("%w", err)
	}
	g.explainUntrusted(base, old)
	return compare.Logs(old.Kernels(), result.Kernels(), compare.DefaultThresholds(g.loaded.tolerance)), nil
}

package main

import (
	"bytes"
	"errors"
	"os"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// base is what --base names: what it has already is not new.
type base struct {
	known  *rules.Baseline
	result *rules.Result // nil where it is a baseline, which lists no kernels
}

// readBase judges what --base names by the same policy. A base that can't be
// judged tells nothing of what is new, so there is no verdict then.
func (g *gate) readBase(policy *rules.Policy) (*base, error) {
	file := g.output.base
	data, err := os.ReadFile(g.path(file))
	if err == nil && isBaseline(data) {
		known, err := compare.ReadBaseline(rootRelative(g.root, g.path(file), file), data)
		if err != nil {
			return nil, usageError("%w", err)
		}
		return &base{known: known.AsBase(file)}, nil
	}
	log, err := g.readLogs([]string{file}, forwardNone, g.root)
	if err != nil {
		return nil, err
	}
	own, err := g.loaded.policyFor(log)
	if err != nil {
		return nil, err
	}
	own.ExpectKernels, own.Partial = 0, policy.Partial
	result, err := rules.Judge(log, own)
	if err != nil {
		return nil, usageError("%w", err)
	}
	if !result.Trusted() {
		g.explainUntrusted(file, result)
		return nil, &exitError{exitUntrusted, errors.New("the base can't be judged, so what is new is not known; give it a whole log, or judge without --base")}
	}
	known := &rules.Baseline{
		Entries: rules.BaseEntries(result, "it is in "+file+" already"),
		Origin:  rules.Origin{From: rules.FromBase, Place: parse.Place{File: file}},
	}
	return &base{known: known.AsBase(file), result: result}, nil
}

// isBaseline tells a baseline file from logs, records and binaries.
func isBaseline(data []byte) bool {
	head := data[:min(len(data), 4096)]
	return !bytes.ContainsRune(head, 0) && bytes.Contains(append([]byte{'\n'}, head...), []byte("\nversion:")) &&
		bytes.Contains(data, []byte("\nfamilies:"))
}

// changesSince compares a result with the base's, for the reports that show
// differences.
func (b *base) changesSince(result *rules.Result, tolerance map[string]float64) *compare.Diff {
	if b.result == nil {
		return nil
	}
	return compare.Logs(b.result.Kernels(), result.Kernels(), compare.DefaultThresholds(tolerance))
}

package main

import (
	"bytes"
	"errors"
	"io"
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
	if data, ok := g.baselineText(file); ok {
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

// baselineText returns a baseline file's text. It tells one from logs, records
// and binaries by how it begins, since those can be large.
func (a *app) baselineText(file string) ([]byte, bool) {
	f, err := os.Open(a.path(file))
	if err != nil {
		return nil, false
	}
	defer f.Close() //nolint:errcheck // nothing was written
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head) // a directory has no text
	head = head[:n]
	if bytes.IndexByte(head, 0) >= 0 || !bytes.Contains(append([]byte{'\n'}, head...), []byte("\nversion:")) {
		return nil, false
	}
	text, err := io.ReadAll(io.MultiReader(bytes.NewReader(head), f))
	return text, err == nil && bytes.Contains(text, []byte("\nfamilies:"))
}

// changesSince compares a result with the base's, for the reports that show
// differences.
func (b *base) changesSince(result *rules.Result, tolerance map[string]float64) *compare.Diff {
	if b.result == nil {
		return nil
	}
	return compare.Logs(b.result.Kernels(), result.Kernels(), compare.DefaultThresholds(tolerance))
}

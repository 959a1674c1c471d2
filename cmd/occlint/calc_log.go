package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// fromLog takes the launches of the kernels that --kernel matches from a log.
// What a flag says wins. A kernel that can't be computed costs the others
// nothing: it is named in incomplete.
func (c *calculator) fromLog(cmd *cobra.Command, log *parse.Log, policy *rules.Policy, asked []askedArch, r *calc.Request) (subjects []calc.Subject, incomplete, err error) {
	pattern, err := name.CompilePattern(c.kernel)
	if err != nil {
		return nil, nil, usageError("--kernel: %w", err)
	}
	policy.Archs = nil // all of the log, whatever is judged
	result, err := rules.Judge(log, policy)
	if err != nil {
		return nil, nil, usageError("%w", err)
	}
	failed := &failures{}
	for _, j := range result.Kernels() {
		if j.Kernel.Name == "" || j.Kernel.Kind == parse.Function || !pattern.Match(j.Kernel.Name) {
			continue
		}
		for _, printed := range archsOf(j.Kernel.Arch, asked, r.Table) {
			s, err := c.subjectOf(cmd, &j, printed, r)
			if err != nil {
				failed.add(err)
				continue
			}
			subjects = append(subjects, s)
		}
	}
	if len(subjects) == 0 && len(failed.errs) == 0 {
		failed.add(usageError("no kernel of the log matches --kernel %q%s; occlint show lists them", c.kernel, c.onAsked(asked)))
	}
	if !result.Trusted() {
		failed.add(&exitError{exitUntrusted, errors.New(untrustedReason(result))})
	}
	if len(subjects) == 0 {
		return nil, nil, failed.err()
	}
	return subjects, failed.err(), nil
}

// failures are what could not be answered. A log of another kind has any
// number of them, so only the first are told.
type failures struct {
	errs []error
	code int
	more int
}

const mostFailures = 5

func (f *failures) add(err error) {
	code := exitUsage
	var exit *exitError
	if errors.As(err, &exit) {
		code = exit.code
	}
	f.code = max(f.code, code)
	if len(f.errs) >= mostFailures && code < exitUntrusted {
		f.more++
		return
	}
	f.errs = append(f.errs, err)
}

func (f *failures) err() error {
	if len(f.errs) == 0 {
		return nil
	}
	err := errors.Join(f.errs...)
	if f.more > 0 {
		err = fmt.Errorf("%w\nand %d more kernels that can't be computed", err, f.more)
	}
	return &exitError{f.code, err}
}

func (c *calculator) onAsked(asked []askedArch) string {
	if len(asked) == 0 {
		return ""
	}
	names := make([]string, len(asked))
	for i, a := range asked {
		names[i] = a.name
	}
	return " on " + strings.Join(names, ", ")
}

// archsOf are the architectures to compute a record for: its own, if it is
// asked for or nothing is. Where the log names none, as nvlink does that links
// for a single one, those that are asked for.
func archsOf(have string, asked []askedArch, table *arch.Table) []string {
	switch {
	case have == "" && len(asked) > 0:
		names := make([]string, len(asked))
		for i, a := range asked {
			names[i] = a.name
		}
		return names
	case len(asked) == 0, slices.ContainsFunc(asked, func(a askedArch) bool { return a.covers(have, table) }):
		return []string{have}
	}
	return nil
}

// covers tells whether a record's architecture is asked for: sm_90 asks for
// sm_90a too, sm_90a for itself alone, and sm_101 for sm_110, its newer name.
func (a *askedArch) covers(have string, table *arch.Table) bool {
	if a.name == have {
		return true
	}
	sm, err := table.Lookup(have)
	return a.name == arch.Base(a.name) && err == nil && sm.Name == a.sm.Name
}

// subjectOf is one kernel on one architecture, whose name is empty where
// neither log nor flags say it.
func (c *calculator) subjectOf(cmd *cobra.Command, j *rules.Judgement, on string, r *calc.Request) (s calc.Subject, err error) {
	k := &j.Kernel
	what := name.Qualified(k.Name)
	given := cmd.Flags().Changed
	if k.Defect != 0 && (!given("registers") || !given("shared")) {
		return s, &exitError{exitUntrusted, fmt.Errorf("the log's record of %s is %s, so its numbers can't be used; give them with --registers and --shared", what, k.Defect)}
	}
	if on == "" {
		return s, usageError("%s: the log does not name the architecture that it is linked for: name it with --arch", what)
	}
	sm, err := r.Table.Lookup(on)
	if err != nil {
		return s, usageError("%s: %w; %s", what, err, customArchs)
	}
	l := arch.Launch{Threads: c.threads, Registers: arch.Unknown, Barriers: arch.Unknown}
	if n, ok := k.Registers.Value(); ok {
		l.Registers = bounded(n)
	}
	if n, ok := k.Barriers.Value(); ok && k.Defect == 0 {
		l.Barriers = bounded(n)
	}
	dynamic := bounded(j.Declared.DynamicShared.Value)
	static := bounded(j.SharedBytes - j.Declared.DynamicShared.Value)
	if k.Arch == "" {
		static = bounded(rules.StaticShared(k.Class, on))
	}
	if given("registers") {
		l.Registers = c.registers
	}
	if given("barriers") {
		l.Barriers = c.barriers
	}
	if given("shared") {
		static = c.shared.bytes
	}
	if given("dynamic-shared") {
		dynamic = c.dynamic.bytes
	}
	l.SharedBytes = min(static+dynamic, calc.MostNumber)
	s = calc.Subject{Kernel: k.Name, Arch: on, SM: sm, DynamicBytes: dynamic}
	if l.Threads == 0 {
		l.Threads = declaredThreads(j.Declared)
		s.ThreadsFrom = calc.DeclaredThreads
	}
	if l.Threads == 0 {
		if l.Threads, s.ThreadsFrom, err = c.threadsFor(sm, l, r); err != nil {
			return s, usageError("%s: %w", what, err)
		}
	}
	s.Launch = l
	return s, nil
}

// bounded keeps a number of a hostile log within what the arithmetic is made
// for.
func bounded(n int64) int { return int(min(max(n, 0), calc.MostNumber)) }

// declaredThreads is the declared block size, else the bounds' maximum; 0 when
// neither is declared.
func declaredThreads(d *rules.Declaration) int {
	if d.Block.Set {
		return d.Block.Value
	}
	if d.LaunchBounds.Set {
		return d.LaunchBounds.Value.Threads
	}
	return 0
}

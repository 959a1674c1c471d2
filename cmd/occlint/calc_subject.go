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

// request turns flags, config and log into a question. untrusted is the error
// to end with when the log can't be trusted as a whole.
func (c *calculator) request(cmd *cobra.Command, args []string) (r *calc.Request, untrusted, err error) {
	r = &calc.Request{Suggest: c.suggest, Blocks: c.blocks, BytesInFlight: c.inLoads.bytes, Grid: c.grid}
	if r.Sweeps, err = c.parseSweeps(); err != nil {
		return nil, nil, err
	}
	if r.Bounds, err = c.parseBounds(); err != nil {
		return nil, nil, err
	}
	log, policy, err := c.readPolicy(args)
	if err != nil {
		return nil, nil, err
	}
	table := policy.Table
	if table == nil {
		table = arch.Builtin()
	}
	asked, err := c.askedArchs(table, policy, r)
	if err != nil {
		return nil, nil, err
	}
	if c.kernel == "" {
		r.Subjects, err = c.fromFlags(asked, r)
		return r, nil, err
	}
	r.Subjects, untrusted, err = c.fromLog(cmd, log, policy, table, asked, r)
	return r, untrusted, err
}

// readPolicy reads the config, for its architectures and GPUs and for what it
// declares of kernels, and the log if one is asked for.
func (c *calculator) readPolicy(args []string) (*parse.Log, *rules.Policy, error) {
	root, err := c.repositoryRoot("")
	if err != nil {
		return nil, nil, err
	}
	c.policy.noBaseline = true
	loaded, err := c.loadConfig(&c.policy, root)
	if err != nil {
		return nil, nil, err
	}
	log := &parse.Log{}
	if c.kernel != "" {
		if log, err = c.readLogs(args, forwardNone, root); err != nil {
			return nil, nil, err
		}
	} else if from := loaded.inputs.Config; from != nil {
		// Without kernels there is nothing that sources could declare.
		bare := *from
		bare.Sources, bare.PTX = nil, nil
		loaded.inputs.Config = &bare
	}
	policy, err := loaded.policyFor(log)
	return log, policy, err
}

// askedArch is an architecture as the user wrote it.
type askedArch struct {
	name string
	sm   *arch.SM
}

// askedArchs are those of --arch, else the GPU's, else, where no log says
// which, those that the config judges.
func (c *calculator) askedArchs(table *arch.Table, policy *rules.Policy, r *calc.Request) ([]askedArch, error) {
	names := splitCommas(c.archs)
	if err := c.findGPU(table, policy, r); err != nil {
		return nil, err
	}
	switch {
	case r.GPU != nil && len(names) == 0 && (c.gpu != "" || c.kernel == ""):
		names = []string{r.GPU.Arch}
	case slices.Equal(names, []string{"all"}):
		names = nil
		for _, sm := range table.All() {
			names = append(names, sm.Name)
		}
	case len(names) == 0 && c.kernel == "":
		for _, judged := range policy.Archs {
			names = append(names, judged.Arch)
		}
		if len(names) == 0 {
			return nil, usageError("no architecture: name one with --arch (sm_90), a GPU with --gpu, or all of them with --arch all")
		}
	}
	asked := make([]askedArch, len(names))
	for i, n := range names {
		sm, err := table.Lookup(n)
		if err != nil {
			return nil, usageError("--arch: %w", err)
		}
		asked[i] = askedArch{n, sm}
		if !strings.HasPrefix(n, "sm_") { // 9.0, compute_90
			asked[i].name = sm.Name
		}
	}
	return asked, nil
}

// findGPU is the GPU of --gpu, else, where one is needed, the config's.
func (c *calculator) findGPU(table *arch.Table, policy *rules.Policy, r *calc.Request) error {
	gpu := c.gpu
	if gpu == "" && (c.inLoads.bytes > 0 || c.grid > 0) {
		if gpu = policy.GPU; gpu == "" {
			return usageError("--bytes-in-flight and --grid need a GPU: --gpu H100-SXM (--gpu list shows them), or gpu: in the config")
		}
	}
	if gpu == "" {
		return nil
	}
	g, err := table.GPU(gpu)
	if err != nil {
		return usageError("--gpu: %w", err)
	}
	r.GPU = g
	return nil
}

func (c *calculator) fromFlags(asked []askedArch, r *calc.Request) ([]calc.Subject, error) {
	subjects := make([]calc.Subject, len(asked))
	for i, a := range asked {
		l := arch.Launch{Threads: c.threads, Registers: c.registers, SharedBytes: c.shared.bytes + c.dynamic.bytes, Barriers: c.barriers}
		if l.Registers == 0 {
			l.Registers = arch.Unknown
		}
		threads, err := c.threadsFor(a.sm, l, r)
		if err != nil {
			return nil, err
		}
		l.Threads = threads
		subjects[i] = calc.Subject{Arch: a.name, SM: a.sm, Launch: l, DynamicBytes: c.dynamic.bytes}
	}
	return subjects, nil
}

// threadsFor is the block size to compute for where none is given: the
// bounds', or, when block sizes are what is asked for, the smallest with the
// most warps.
func (c *calculator) threadsFor(sm *arch.SM, l arch.Launch, r *calc.Request) (int, error) {
	if l.Threads > 0 {
		return l.Threads, nil
	}
	if r.Bounds != nil {
		return r.Bounds.Threads, nil
	}
	if r.Suggest || slices.Contains(r.Sweeps, arch.Warps) {
		if best := calc.BestThreads(sm, l); best > 0 {
			return best, nil
		}
		return 0, usageError("no block of any size fits on %s with these registers, shared memory and barriers", sm.Name)
	}
	return 0, usageError("no block size: give --threads, or ask for one with --suggest")
}

// fromLog takes the launches of the kernels that --kernel matches from a log.
// What a flag says wins.
func (c *calculator) fromLog(cmd *cobra.Command, log *parse.Log, policy *rules.Policy, table *arch.Table, asked []askedArch, r *calc.Request) (subjects []calc.Subject, untrusted, err error) {
	pattern, err := name.CompilePattern(c.kernel)
	if err != nil {
		return nil, nil, usageError("--kernel: %w", err)
	}
	policy.Archs = nil // all of the log, whatever is judged
	result, err := rules.Judge(log, policy)
	if err != nil {
		return nil, nil, usageError("%w", err)
	}
	for i := range result.Kernels {
		j := &result.Kernels[i]
		if j.Kernel.Name == "" || j.Kernel.Kind == parse.Function || !pattern.Match(j.Kernel.Name) || !wanted(asked, j.Kernel.Arch) {
			continue
		}
		s, err := c.subjectOf(cmd, j, table, r)
		if err != nil {
			return nil, nil, err
		}
		subjects = append(subjects, s)
	}
	if len(subjects) == 0 {
		return nil, nil, usageError("no kernel of the log matches --kernel %q%s; occlint show lists them", c.kernel, c.onAsked(asked))
	}
	if !result.Trusted() {
		untrusted = &exitError{exitUntrusted, errors.New(untrustedReason(result))}
	}
	return subjects, untrusted, nil
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

// wanted tells whether a record's architecture is asked for: sm_90 asks for
// sm_90a too, sm_90a for itself alone.
func wanted(asked []askedArch, have string) bool {
	if len(asked) == 0 {
		return true
	}
	return slices.ContainsFunc(asked, func(a askedArch) bool {
		return a.name == have || a.name == arch.Base(have) || a.sm.Name == arch.Base(have) && a.name == a.sm.Name
	})
}

func (c *calculator) subjectOf(cmd *cobra.Command, j *rules.Judgement, table *arch.Table, r *calc.Request) (s calc.Subject, err error) {
	k := j.Kernel
	what := name.Qualified(k.Name)
	if k.Defect != 0 {
		return s, &exitError{exitUntrusted, fmt.Errorf("the log's record of %s is %s, so its numbers can't be used; give them with --registers and --shared", what, k.Defect)}
	}
	sm, err := table.Lookup(k.Arch)
	if err != nil {
		return s, usageError("%s: %w", what, err)
	}
	given := cmd.Flags().Changed
	l := arch.Launch{Threads: c.threads, Registers: arch.Unknown, Barriers: arch.Unknown}
	if n, ok := k.Registers.Value(); ok {
		l.Registers = int(min(n, 1<<20))
	}
	if n, ok := k.Barriers.Value(); ok {
		l.Barriers = int(min(n, 1<<20))
	}
	dynamic := int(j.Declared.DynamicShared.Value)
	static := int(min(j.SharedBytes, 1<<40)) - dynamic
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
	l.SharedBytes = static + dynamic
	if l.Threads == 0 {
		l.Threads = declaredThreads(j.Declared)
	}
	if l.Threads, err = c.threadsFor(sm, l, r); err != nil {
		return s, usageError("%s: %w", what, err)
	}
	return calc.Subject{Kernel: k.Name, Arch: k.Arch, SM: sm, Launch: l, DynamicBytes: dynamic}, nil
}

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

package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// request turns flags, config and log into a question. incomplete is the error
// to end with once what can be answered is: the log can't be trusted as a
// whole, or some kernels can't be computed.
func (c *calculator) request(cmd *cobra.Command, args []string) (r *calc.Request, incomplete, err error) {
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
	r.Table = table
	asked, err := c.askedArchs(table, policy, r)
	if err != nil {
		return nil, nil, err
	}
	if c.kernel == "" {
		r.Subjects, err = c.fromFlags(asked, r)
		return r, nil, err
	}
	r.Subjects, incomplete, err = c.fromLog(cmd, log, policy, asked, r)
	return r, incomplete, err
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
		read, err := c.readLogs(args, forwardNone, root)
		if err != nil {
			return nil, nil, err
		}
		log = read
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

// customArchs is what to do about an architecture that is not known.
const customArchs = "a config describes others under custom_archs"

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
	case slices.Contains(names, "all"):
		names = slices.DeleteFunc(names, func(n string) bool { return n == "all" })
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
	var asked []askedArch
	for _, n := range names {
		sm, err := table.Lookup(n)
		if err != nil {
			return nil, usageError("--arch: %w; %s", err, customArchs)
		}
		a := askedArch{n, sm}
		if !strings.HasPrefix(n, "sm_") { // 9.0, compute_90
			a.name = sm.Name
		}
		if !slices.Contains(asked, a) {
			asked = append(asked, a)
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
		return usageError("--gpu: %w; a config describes others under custom_gpus", err)
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
		threads, from, err := c.threadsFor(a.sm, l, r)
		if err != nil {
			return nil, err
		}
		l.Threads = threads
		subjects[i] = calc.Subject{Arch: a.name, SM: a.sm, Launch: l, DynamicBytes: c.dynamic.bytes, ThreadsFrom: from}
	}
	return subjects, nil
}

// threadsFor is the block size to compute for where none is given: the
// bounds', or, when block sizes are what is asked for, the smallest with the
// most warps.
func (c *calculator) threadsFor(sm *arch.SM, l arch.Launch, r *calc.Request) (int, calc.ThreadsFrom, error) {
	if l.Threads > 0 {
		return l.Threads, calc.GivenThreads, nil
	}
	if r.Bounds != nil {
		return r.Bounds.Threads, calc.BoundsThreads, nil
	}
	if r.Suggest || slices.Contains(r.Sweeps, arch.Warps) {
		if best := calc.BestThreads(sm, l); best > 0 {
			return best, calc.SuggestedThreads, nil
		}
		return 0, "", usageError("no block of any size fits on %s with these registers, shared memory and barriers", sm.Name)
	}
	return 0, "", usageError("no block size: give --threads, or ask for one with --suggest")
}

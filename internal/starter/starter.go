package starter

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Config is what a starter config is made of.
type Config struct {
	Log    string        // what the log is called in the comments
	Result *rules.Result // the log, judged by the rules of the config that is written
	// Sources are the globs that find CUDA sources, relative to the config;
	// empty where none were seen.
	Sources []string
	// Launches are what a profiler saw; empty without a profile.
	Launches []rules.Declaration
	// Baseline is the path of the baseline file, relative to the config.
	Baseline string
	// SpillsOnly leaves out the budgets of families: spills are judged from the
	// first day, registers are not.
	SpillsOnly bool
}

// Defaults are the declarations that every starter config has.
func Defaults() rules.Declaration {
	origin := rules.Origin{From: rules.FromDefaults, Text: "spills: 0"}
	zero := rules.Field[int64]{Origin: origin, Set: true}
	return rules.Declaration{Origin: origin, SpillStoreBytes: zero, SpillLoadBytes: zero}
}

// NeedsBaseline reports whether the log has findings that only a baseline can
// accept.
func (s *Config) NeedsBaseline() bool {
	return slices.ContainsFunc(s.Result.Findings, func(f rules.Finding) bool { return compare.Acceptable(&f) })
}

// spills reports whether the log has spills that only a baseline can accept.
func (s *Config) spills() bool {
	return slices.ContainsFunc(s.Result.Findings, func(f rules.Finding) bool {
		return compare.Acceptable(&f) && (f.Rule == "spill-budget" || f.Rule == "callee-spill")
	})
}

// Families counts the kernel families that Write has a budget for.
func (s *Config) Families() int {
	if s.SpillsOnly {
		return 0
	}
	families, _ := familiesOf(s.Result.Kernels())
	return len(families)
}

// Write writes the config. It needs no editing to be green together with the
// baseline: each family's budget is what it uses today.
func (s *Config) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	families, left := familiesOf(s.Result.Kernels())
	s.writeHead(b)
	s.writeSettings(b)
	if s.SpillsOnly {
		families, left = nil, 0
		fmt.Fprint(b, `
# Budgets of single kernels: match: NAME, and registers: NUMBER, launch_bounds:
# [THREADS, MIN_BLOCKS], block: THREADS, dynamic_shared: SIZE, stack: BYTES or
# min_occupancy: PERCENT.
`)
		return s.writeKernels(b, families, left)
	}
	fmt.Fprint(b, `
# One entry for each kernel family: all instantiations of a template together.
# The numbers are the most that today's log has. Registers are rounded up to the
# unit in which the hardware hands them out, so the budget costs no occupancy.
# Per entry there is also launch_bounds: [THREADS, MIN_BLOCKS], block: THREADS,
# dynamic_shared: SIZE, stack: BYTES and min_occupancy: PERCENT.
`)
	return s.writeKernels(b, families, left)
}

func (s *Config) writeKernels(b *bufio.Writer, families []*family, left int) error {
	var launches bytes.Buffer
	l := bufio.NewWriter(&launches)
	s.writeLaunches(l)
	_ = l.Flush() // to memory
	if len(families)+launches.Len() == 0 {
		fmt.Fprintln(b, "kernels: []")
		return b.Flush()
	}
	fmt.Fprintln(b, "kernels:")
	for _, f := range families {
		f.write(b)
	}
	if left > 0 {
		fmt.Fprintf(b, "  # %s with fewer registers have no entry.\n", plural(left, "family", "families"))
	}
	_, _ = launches.WriteTo(b) // whose Flush has the error
	return b.Flush()
}

func (s *Config) writeHead(b *bufio.Writer) {
	fmt.Fprintf(b, "# What occlint judges this project by, made from %s in %s.\n",
		plural(s.Result.Entries, "kernel", "kernels"), name.Escape(s.Log))
	first := lookAtFirst(s.Result.Findings)
	if len(first) == 0 {
		fmt.Fprint(b, "#\n# Nothing in it spills, misses its launch bounds or draws a compiler warning.\n")
		return
	}
	fmt.Fprint(b, "#\n# Look at these first:\n")
	for i, text := range first {
		fmt.Fprintf(b, "# %3d. %s\n", i+1, name.Escape(text))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (s *Config) writeSettings(b *bufio.Writer) {
	var archs []string
	for _, a := range s.Result.Archs {
		if base := config.Scalar(arch.Base(a)); a != "" && !slices.Contains(archs, base) {
			archs = append(archs, base)
		}
	}
	slices.SortFunc(archs, compare.ByArch)
	fmt.Fprint(b, "version: 1\n\n# What is judged; kernels of other architectures are read and left alone.\n")
	if len(archs) == 0 {
		fmt.Fprint(b, "# archs: [sm_90]\n")
	} else {
		fmt.Fprintf(b, "archs: [%s]\n", strings.Join(archs, ", "))
	}
	fmt.Fprint(b, "\n# A full build has this many kernels, counted once per architecture. Fewer mean\n# that a part of the build never reached the log.\n")
	fmt.Fprintf(b, "expect: {kernels: %d}\n", s.Result.Entries)
	fmt.Fprint(b, "\n# Where __launch_bounds__ and occlint comments are read.\n")
	if len(s.Sources) == 0 {
		fmt.Fprint(b, "# sources: [\"src/**/*.cu\", \"src/**/*.cuh\"]\n")
	} else {
		fmt.Fprintf(b, "sources: [%s]\n", quoted(s.Sources))
	}
	today := ""
	if s.spills() {
		today = " What spills today is in the baseline."
	}
	fmt.Fprintf(b, "\ndefaults:\n  # Bytes of spill stores and of spill loads.%s\n  spills: 0\n", today)
	if !s.NeedsBaseline() {
		return
	}
	fmt.Fprintf(b, "\n# Today's findings, accepted as they are until they get better:\nbaseline: %s\n", config.Scalar(s.Baseline))
	fmt.Fprint(b, "\n# How much worse than the baseline still passes.\n# tolerance: {registers: 2, spills: 16}\n")
}

func quoted(list []string) string {
	var q []string
	for _, s := range list {
		q = append(q, config.Scalar(s))
	}
	return strings.Join(q, ", ")
}

// mostFirst is how many things to look at first a reader is asked to bear.
const mostFirst = 10

// firstRules is the order in which findings deserve a look: what does not run,
// what costs time for certain, what was asked for and not given.
var firstRules = []string{"cannot-launch", "spill-budget", "callee-spill", "bounds-ignored", "min-blocks", "compiler-remark", "capped-and-spilling"}

// lookAtFirst is one line for each of the families with the worst findings.
func lookAtFirst(findings []rules.Finding) []string {
	type group struct {
		worst  *rules.Finding
		family string
		count  int
	}
	rank := func(f *rules.Finding) int {
		if at := slices.Index(firstRules, f.Rule); at >= 0 {
			return at
		}
		return len(firstRules)
	}
	// Lower is worse.
	order := func(a, b *rules.Finding) int {
		byValue := cmp.Compare(b.Value, a.Value)
		if !rules.MoreIsWorse(a.Field) {
			byValue = -byValue
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), byValue, strings.Compare(a.Kernel, b.Kernel), compare.ByArch(a.Arch, b.Arch))
	}
	byFamily := map[string]*group{}
	for i := range findings {
		f := &findings[i]
		if !compare.Acceptable(f) {
			continue
		}
		family := name.Family(f.Kernel)
		g := byFamily[family]
		if g == nil {
			g = &group{worst: f, family: family}
			byFamily[family] = g
		}
		g.count++
		if order(f, g.worst) < 0 {
			g.worst = f
		}
	}
	groups := make([]*group, 0, len(byFamily))
	for _, g := range byFamily {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *group) int { return order(a.worst, b.worst) })
	var lines []string
	for _, g := range groups[:min(len(groups), mostFirst)] {
		line := g.worst.Message + " [" + g.worst.Rule + "]"
		if g.count > 1 {
			line += fmt.Sprintf(", and %d more of %s", g.count-1, g.family)
		}
		lines = append(lines, line)
	}
	if left := len(groups) - mostFirst; left > 0 {
		lines = append(lines, fmt.Sprintf("and %s more; occlint --no-config lists them", plural(left, "family", "families")))
	}
	return lines
}

// family is the kernels that one entry of the config is for.
type family struct {
	match   string
	mangled []string // distinct
	budgets map[string]budget
}

// budget is the most that a family uses on one architecture.
type budget struct {
	registers, shared int64
	fewest            int64 // registers of the least hungry kernel
}

// registerUnit is the unit in which registers are handed out, per thread: 256
// for a warp of 32.
const registerUnit = 8

// mostRegisters is the most that one thread can have on any architecture.
const mostRegisters = 255

// familiesOf groups the judged entries, sorted by what they match; left counts
// the families that there is no room for.
func familiesOf(judged iter.Seq2[int, rules.Judgement]) (entries []*family, left int) {
	byName := map[string]*family{}
	seen := map[string]bool{}
	for _, j := range judged {
		k := &j.Kernel
		registers, stated := k.Registers.Value()
		if k.Name == "" || k.Kind == parse.Function || !stated {
			continue
		}
		word := name.Family(k.Name)
		f := byName[word]
		if f == nil {
			f = &family{budgets: map[string]budget{}}
			byName[word] = f
		}
		if canonical := name.Canonical(k.Name); !seen[canonical] {
			seen[canonical] = true
			f.mangled = append(f.mangled, canonical)
		}
		base := arch.Base(k.Arch)
		was, ok := f.budgets[base]
		if !ok {
			was.fewest = registers
		}
		f.budgets[base] = budget{max(was.registers, registers), max(was.shared, j.SharedBytes), min(was.fewest, registers)}
	}
	return matched(byName)
}

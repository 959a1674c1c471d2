package rules

import (
	"fmt"
	"iter"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// Severity is how much a finding matters.
type Severity uint8

// The severities, in ascending order. Off switches a rule off.
const (
	Off Severity = iota
	Info
	Warning
	Error
)

// String returns the word that configs and reports use.
func (s Severity) String() string {
	switch s {
	case Off:
		return "off"
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// MarshalText implements encoding.TextMarshaler with the words of String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity reads the words of String.
func ParseSeverity(word string) (Severity, error) {
	for _, s := range []Severity{Off, Info, Warning, Error} {
		if word == s.String() {
			return s, nil
		}
	}
	return Off, fmt.Errorf("severity %q is none of off, info, warning and error", word)
}

// Finding is one rule's verdict on one kernel of one architecture, or on the
// log as a whole.
type Finding struct {
	Rule     string
	Severity Severity
	// Message is one sentence without a trailing period. Where the finding is
	// about a kernel it starts with Subject. Names in it are demangled and not
	// escaped: the report does that.
	Message string
	// Subject is the kernel's demangled name without parameters, as it stands
	// in the message; empty for findings on the log.
	Subject string
	Kernel  string // mangled, byte for byte; empty for findings on the log
	Parent  string // of a callee: the kernel that it was compiled for, mangled
	Arch    string

	// Value and Limit are in Unit; an empty Unit means the finding has none.
	Value, Limit float64
	Unit         string
	// Unlimited says that nothing is declared which Value could exceed: a
	// spill without a budget. Limit is then no limit of 0, but none.
	Unlimited bool
	// Field names what Value measures, in the words of the config: one of
	// the Field constants. With rule, kernel, architecture and detail it is
	// the finding's identity in a baseline. Empty where the finding has no
	// number.
	Field string
	// Measures lists every number that the finding is about where there is
	// more than one: spill stores and loads. Value is then the worst of them.
	Measures []Measure
	// Detail tells several findings of one rule on one kernel apart: the
	// canonical name of a callee's kernel, the code of a remark.
	Detail   string
	Limiters arch.Resources
	// Accepted is, of a baseline entry that is of no use any more, the kernel
	// that it is for, as the baseline names it.
	Accepted string

	Place    parse.Place // the anchor: source line, else config line, else log line
	Log      parse.Place // the log line, where there is one
	LogText  string      // what the log says there, rebuilt: "Used 12 registers, …"
	Declared Origin      // where the limit came from; From is empty where there is none
	Notes    []string    // facts: the arithmetic behind the verdict
	Help     string      // what would fix it

	Fingerprint string // stable over line moves and build ids

	// Suppressed holds the reason when an Ignore or the baseline accepts the
	// finding; such findings are listed by machine formats and counted, and
	// never fail a build.
	Suppressed   string
	SuppressedBy Origin

	guessed    bool // what it rests on is about right: never an error
	undeclared bool // nothing is declared, which makes it less severe
	ofCompiler bool // of a linked kernel it is the compiler's record that says so
}

// Measure is one number of a finding and its limit.
type Measure struct {
	Field        string // one of the Field constants
	Value, Limit float64
	Unlimited    bool // as in Finding
}

// measures are the numbers that a baseline accepts; a finding without a
// number has one measure without a field.
func (f *Finding) measures() []Measure {
	if len(f.Measures) > 0 {
		return f.Measures
	}
	return []Measure{{Field: f.Field, Value: f.Value, Limit: f.Limit, Unlimited: f.Unlimited}}
}

// Judgement is one kernel with what was declared for it and what fits.
type Judgement struct {
	// Kernel holds the numbers that count: a record of the log, or, for a
	// kernel that was linked, a copy with the linker's registers and the
	// compiler's spills.
	Kernel parse.Kernel
	// Record is the record of the log that settled the numbers, and Compiled
	// the index of the compiler's record behind a linked kernel, -1 where there
	// is none.
	Record   parse.Kernel
	Compiled int
	// Declared is merged: per field the value that counts. It is shared
	// between kernels; don't change it.
	Declared *Declaration
	// Occupancy is shared like Declared. It is nil where it can't be computed:
	// unknown architecture, no block size, a defect, registers not stated.
	Occupancy *arch.Occupancy
	Threads   int // the block size that Occupancy was computed for
	// SharedBytes is what Occupancy was computed for: static, without the
	// system's share, and declared dynamic shared memory.
	SharedBytes int64
}

// Result is the verdict on a log.
type Result struct {
	Findings []Finding // sorted: worst first, then by place
	Judged   int       // kernels and functions that were judged
	Entries  int       // entry functions by name and architecture, however often each was compiled, as Policy.ExpectKernels counts them
	Archs    []string  // judged architectures that the log has, sorted
	// NotJudged counts the records that were read and not judged: other
	// architectures, defects.
	NotJudged int

	records int // of the log
	of      func(record int) (Judgement, bool)
	table   *arch.Table
	assumed int // threads per block, see AssumeThreads
}

// ResultOf is a result of findings and judgements that Judge did not make, for
// what reads results. The judgements are those of the records 0, 1, 2 and so on.
func ResultOf(findings []Finding, kernels ...Judgement) *Result {
	return &Result{
		Findings: findings, Judged: len(kernels), records: len(kernels), table: arch.Builtin(),
		of: func(i int) (Judgement, bool) { return kernels[i], true },
	}
}

// Kernels lists the kernels and functions that were judged, with the indexes of
// their records in the log. A judgement is made when it is asked for.
func (r *Result) Kernels() iter.Seq2[int, Judgement] {
	return func(yield func(int, Judgement) bool) {
		for i := range r.records {
			if j, judged := r.Of(i); judged && !yield(i, j) {
				return
			}
		}
	}
}

// Of returns the judgement that rests on the record with an index. judged is
// false where there is none: the record is not judged, or another one of the
// same kernel counts instead.
func (r *Result) Of(record int) (k Judgement, judged bool) {
	if record < 0 || record >= r.records {
		return k, false
	}
	if k, judged = r.of(record); judged {
		r.assume(&k)
	}
	return k, judged
}

// AssumeThreads makes Kernels state the occupancy of kernels that no block size
// is declared for, as if they were launched with blocks of threads threads. What
// the table does not know, and what the log does not state, stays unknown.
func (r *Result) AssumeThreads(threads int) { r.assumed = threads }

func (r *Result) assume(j *Judgement) {
	if r.assumed == 0 {
		return
	}
	k := &j.Kernel
	registers, stated := k.Registers.Value()
	if j.Occupancy != nil || k.Kind == parse.Function || k.Defect != 0 || !stated {
		return
	}
	sm, err := r.table.Lookup(k.Arch)
	if err != nil {
		return
	}
	occupancy := sm.Occupancy(arch.Launch{
		Threads:     r.assumed,
		Registers:   clampInt(registers),
		SharedBytes: clampInt(j.SharedBytes),
		Barriers:    int(min(k.Barriers.Or(arch.Unknown), 1<<30)),
	})
	j.Occupancy, j.Threads = &occupancy, r.assumed
}

// Trusted reports whether the log can be judged at all: no finding of
// untrusted-log is an error.
func (r *Result) Trusted() bool {
	for i := range r.Findings {
		if r.Findings[i].Rule == untrustedLogID && r.Findings[i].Severity == Error {
			return false
		}
	}
	return true
}

// Worst is the highest severity among the findings that nothing suppresses;
// Off when there is none.
func (r *Result) Worst() Severity {
	worst := Off
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Suppressed == "" {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}

// Count is the number of findings of a severity that nothing suppresses.
func (r *Result) Count(s Severity) int {
	n := 0
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == s && f.Suppressed == "" {
			n++
		}
	}
	return n
}

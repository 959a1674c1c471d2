package rules

import (
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

// Finding is one rule's verdict on one kernel of one architecture, or on the
// log as a whole.
type Finding struct {
	Rule     string
	Severity Severity
	Message  string // one sentence, no trailing period, names shown demangled and escaped by the report
	Kernel   string // mangled, byte for byte; empty for findings on the log
	Arch     string

	// Value and Limit are in Unit; an empty Unit means the finding has none.
	Value, Limit float64
	Unit         string
	// Field names what Value measures, in the words of the config: one of
	// the Field constants. With rule, kernel and architecture it is the finding's identity
	// in a baseline, since one rule can find several things in a kernel
	// (stores and loads). Empty where the finding has no number.
	Field    string
	Limiters arch.Resources

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
}

// Judgement is one kernel with what was declared for it and what fits.
type Judgement struct {
	Kernel   *parse.Kernel
	Declared Declaration // merged: per field the value that counts
	// Occupancy is nil where it can't be computed: unknown architecture, no
	// block size, a defect, registers not stated.
	Occupancy *arch.Occupancy
	Threads   int // the block size that Occupancy was computed for
}

// Result is the verdict on a log.
type Result struct {
	Findings []Finding // sorted: worst first, then by place
	Kernels  []Judgement
	Archs    []string // judged architectures that the log has, sorted
	// NotJudged counts the records that were read and not judged: other
	// architectures, defects.
	NotJudged int
}

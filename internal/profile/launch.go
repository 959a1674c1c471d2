package profile

// Form is what a report is written as.
type Form string

// The forms, by the words that messages and JSON have for them.
const (
	FormDetails Form = "ncu details"    // a row or line for each metric, by its label
	FormMetrics Form = "ncu metrics"    // a row for each metric, by its name
	FormSummary Form = "ncu summary"    // as details, of several launches each
	FormRaw     Form = "ncu raw"        // a row for each launch
	FormReport  Form = "ncu report"     // .ncu-rep
	FormTrace   Form = "Chrome trace"   // launches and no counters
	FormNsys    Form = "nsys GPU trace" // launches and no counters
)

// Counts reports whether the form can have counters at all.
func (f Form) Counts() bool { return f != FormTrace && f != FormNsys }

// Place is a position in a report. Line counts from 1; 0 where the form has no
// lines.
type Place struct {
	File string
	Line int
}

// Dim is the size of a grid or block in blocks or threads. The zero Dim is
// unknown.
type Dim [3]int64

// Count is how many there are in all; 0 when unknown.
func (d Dim) Count() int64 {
	n := int64(1)
	for _, x := range d {
		if x <= 0 || n > mostOf/x {
			return 0
		}
		n *= x
	}
	return n
}

// mostOf is above every grid that a device accepts: 2^31 - 1 by 65,535 by
// 65,535 is its limit by each side, and nothing launches all of it.
const mostOf = 1 << 53

// Stall is how many warps, on average, wait for one reason whenever one is
// issued. Reason is the profiler's word: "long_scoreboard".
type Stall struct {
	Reason string
	Ratio  float64
}

// Launch is one launch, or the average of several that the profiler merged.
type Launch struct {
	ID    string // as the report numbers it; empty where it doesn't
	Names Names
	// Arch is the device's architecture, as "sm_90"; empty where the report
	// doesn't say. A kernel of sm_90a says sm_90 too.
	Arch   string
	Device string // the device's name; empty where the report doesn't say
	Grid   Dim
	Block  Dim
	// Merged is how many launches the numbers are the average of: 1, or more
	// in a summary.
	Merged int64
	Values Values
	// RoundedBytes is how coarse sizes are: 10 where they were printed as
	// 132.10 Kbyte, 0 where they are exact.
	RoundedBytes int
	// Mixed says what the launches of a summary differ in, so that their
	// average is of nothing; empty where they are alike.
	Mixed  string
	Stalls []Stall // empty: the report has none
	// Kernels is how many kernels a result is of; more than 1 in a replayed
	// range, and 0 where the report doesn't say.
	Kernels int
	Place   Place
}

// Names are the spellings of a kernel's name that a report has. At least one
// isn't empty.
type Names struct {
	Mangled   string // _ZN3lin5saxpyIfEEviT_
	Demangled string // the whole declaration, or the name with template arguments
	Function  string // without namespaces, template arguments and parameters
}

// Shown is the name to show when nothing better is known.
func (n *Names) Shown() string {
	switch {
	case n.Demangled != "":
		return n.Demangled
	case n.Mangled != "":
		return n.Mangled
	}
	return n.Function
}

// namesOf sorts one name out: all that a table has of it is one column, which
// the tool's options fill in four ways.
func namesOf(s string) Names {
	switch {
	case len(s) > 2 && s[:2] == "_Z":
		return Names{Mangled: s}
	case isIdentifier(s):
		// A function's name alone, or a kernel with C linkage, whose mangled
		// name that is.
		return Names{Mangled: s, Function: s}
	}
	return Names{Demangled: s}
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '$' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 {
			return false
		}
	}
	return s != ""
}

// Problem is something of a report that could not be used. The rest was.
type Problem struct {
	Place Place
	Text  string
}

// Report is what a reader says of a whole report besides its launches.
type Report struct {
	File     string
	Form     Form
	Launches int
	Problems []Problem
	// MoreProblems is how many more there were than the list keeps.
	MoreProblems int
	Binaries     int // device binaries that the report holds, each counted once
}

// Binary is one device binary that a report holds. It comes before the
// launches of its kernels. Data is valid until the call returns.
type Binary struct {
	Name string // to be named by: the report's and a number
	Data []byte
}

// mostProblems bounds the list: a file of a million bad rows has one fault.
const mostProblems = 20

func (r *Report) problem(line int, text string) {
	if len(r.Problems) >= mostProblems {
		r.MoreProblems++
		return
	}
	r.Problems = append(r.Problems, Problem{Place{r.File, line}, text})
}

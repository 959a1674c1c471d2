package report

import (
	"html/template"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/internal/where"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Input is one run's outcome, and the reader's wishes. Result is required, and
// Log for formats that list kernels; one Input serves several formats, one
// after the other.
type Input struct {
	Log    *parse.Log
	Result *rules.Result
	// Table has the architectures for limits and curves; nil is the built-in one.
	Table *arch.Table
	// Diff is what changed since another log; nil when there is none.
	Diff *compare.Diff
	// Tuned is what other launch bounds would give, as a part of a page; empty
	// when nobody asked. It stands in the HTML report as it is.
	Tuned template.HTML
	// Places finds what the binary shows of a kernel or function: in which
	// loops and on which lines it uses local memory; nil for one that isn't in
	// a binary. The func is nil where no binary was given.
	Places func(name, parent, arch string, spillStores, spillLoads int64) *where.Kernel
	// Version is the tool's own.
	Version string
	// ConfigFile is the config that was used; empty when there was none.
	ConfigFile string

	Color    string              // auto, always or never; for formats that people read
	Env      func(string) string // environment; nil is an empty one
	Quiet    bool                // errors only
	ShowInfo bool                // list info findings too
	NoGroup  bool                // one message for each finding

	stream io.Writer // what a report finally goes to; the style is decided by it
	short  map[string]string
	whole  map[string]string
	owners map[recordKey]int
}

// style decides how the stream that the report goes to is written.
func (in *Input) style() *term.Style { return term.New(in.stream, in.Color, in.Env) }

func (in *Input) table() *arch.Table {
	if in.Table != nil {
		return in.Table
	}
	return arch.Builtin()
}

// shorten makes short names, distinct among those that a report shows. Names
// that are shown are few, and those of a log can be a million.
func (in *Input) shorten(names iter.Seq[string]) {
	seen := map[string]bool{"": true}
	var mangled []string
	for n := range names {
		if !seen[n] {
			seen[n] = true
			mangled = append(mangled, n)
		}
	}
	in.short = make(map[string]string, len(mangled))
	for i, short := range name.Shorten(mangled) {
		in.short[mangled[i]] = briefName(short)
	}
}

// longNames are the kernels of findings whose messages call them by a short
// name.
func longNames(findings []*rules.Finding) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range findings {
			if isLong(f) && !yield(f.Kernel) {
				return
			}
		}
	}
}

// all lists the findings of the result.
func (in *Input) all() []*rules.Finding {
	list := make([]*rules.Finding, len(in.Result.Findings))
	for i := range list {
		list[i] = &in.Result.Findings[i]
	}
	return list
}

// shortName is how a kernel is called in a table and a headline: short,
// distinct among the names that are shown, safe to print.
func (in *Input) shortName(mangled string) string {
	if mangled == "" {
		return unnamed
	}
	if in.short == nil {
		in.shorten(longNames(in.all()))
	}
	if s, ok := in.short[mangled]; ok {
		return s
	}
	return briefName(name.Qualified(mangled))
}

// unnamed stands for the name of a record whose owner is not in the log.
const unnamed = "(unnamed)"

// demangled is a kernel's whole name, not escaped. A log has the same name for
// each architecture and finding, so the last ones are kept.
func (in *Input) demangled(mangled string) string {
	d, ok := in.whole[mangled]
	if !ok {
		const kept = 4096
		if in.whole == nil || len(in.whole) >= kept {
			in.whole = make(map[string]string, kept)
		}
		d = name.Demangle(mangled)
		in.whole[mangled] = d
	}
	return d
}

// headlineName is the longest name, in runes, that a message shows as it is;
// a longer one gives way to the short name, and machine formats have it whole.
const headlineName = 100

// message is a finding's sentence, safe to print on one line.
func (in *Input) message(f *rules.Finding) string {
	rest, ok := strings.CutPrefix(f.Message, f.Subject)
	if f.Subject == "" || !ok {
		return brief(f.Message)
	}
	return in.subject(f) + brief(rest)
}

// isLong reports whether a message calls its kernel by the short name.
func isLong(f *rules.Finding) bool { return utf8.RuneCountInString(f.Subject) > headlineName }

// subject is what a message calls the kernel that it is about.
func (in *Input) subject(f *rules.Finding) string {
	if !isLong(f) {
		return escaped(f.Subject)
	}
	return in.shortName(f.Kernel)
}

// place shows p as FILE:LINE:COLUMN with as much as is known; empty without a
// file.
func place(p parse.Place) string {
	if p.File == "" {
		return ""
	}
	s := brief(p.File)
	if p.Line > 0 {
		s += ":" + itoa(p.Line)
		if p.Column > 0 {
			s += ":" + itoa(p.Column)
		}
	}
	return s
}

// anchor is where a finding points: its place, else its log line.
func anchor(f *rules.Finding) parse.Place {
	if f.Place.File != "" {
		return f.Place
	}
	return f.Log
}

package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// mostOfName is how much of a kernel's name a table shows, in characters.
const mostOfName = 1000

// row is one line of a table: the kernels of one family to which the same
// happened. A change that hits forty instantiations on three architectures is
// one thing to read.
type row struct {
	pairs  []*Pair // the worst first; never empty
	family string
	label  string
	archs  string
	source string // "src/gemm.cu:41"; empty where it is not known, or not one
	cells  [fields]string
	// hot marks the cells that break a threshold.
	hot [fields]bool
}

// section is the rows of one status, and how many rows were left out.
type section struct {
	status  Status
	kernels int // that the status counts, shown or not
	rows    []row
	left    int // kernels in the rows that are left out
}

// sections groups the pairs of each status but Unchanged into rows, at most
// limit rows each; 0 is no limit. Statuses that no pair has are left out.
func (d *Diff) sections(limit int, arrow string) []section {
	var list []section
	for status := range Unchanged {
		s := section{status: status}
		for i := range d.Pairs {
			if p := &d.Pairs[i]; p.Status == status {
				s.add(p, arrow)
			}
		}
		if s.kernels == 0 {
			continue
		}
		if limit > 0 && len(s.rows) > limit {
			for _, r := range s.rows[limit:] {
				s.left += len(r.pairs)
			}
			s.rows = s.rows[:limit]
		}
		list = append(list, s)
	}
	label(list)
	return list
}

// add appends p to the row of its like, or to a new one. Pairs come sorted by
// harm, so equal changes of a family stand close to each other.
func (s *section) add(p *Pair, arrow string) {
	s.kernels++
	cells, hot := p.cells(arrow)
	family := name.Family(p.Name)
	for i := len(s.rows) - 1; i >= max(0, len(s.rows)-lookBack); i-- {
		r := &s.rows[i]
		if r.cells == cells && r.hot == hot && r.family == family && r.pairs[0].alike(p) {
			r.pairs = append(r.pairs, p)
			return
		}
	}
	s.rows = append(s.rows, row{pairs: []*Pair{p}, family: family, cells: cells, hot: hot})
}

// lookBack bounds the search for a row of the same kind, so that a million
// kernels cost no more than a few comparisons each.
const lookBack = 64

func (p *Pair) alike(q *Pair) bool {
	return p.Kind == q.Kind && p.OldStage == q.OldStage && p.NewStage == q.NewStage
}

// cells writes the fields that have something to say: the changed ones, and of
// a kernel that only one side has those that are not 0.
func (p *Pair) cells(arrow string) (text [fields]string, hot [fields]bool) {
	if p.Status == Added || p.Status == Removed {
		values := p.New
		if p.Status == Removed {
			values = p.Old
		}
		for f, v := range values {
			if v.Stated && v.Number != 0 {
				text[f] = v.String() + percentSign(Field(f))
			}
		}
		return text, hot
	}
	for _, c := range p.Changes {
		text[c.Field] = c.text(arrow)
		hot[c.Field] = c.Threshold != ""
	}
	return text, hot
}

// text is "40 → 48 (+8)"; an unknown side is "?".
func (c Change) text(arrow string) string {
	s := fmt.Sprintf("%v %s %v%s", c.Old, arrow, c.New, percentSign(c.Field))
	if c.Known() {
		s += " (" + signed(c.Delta()) + ")"
	}
	return s
}

func signed(n float64) string {
	if n > 0 {
		return "+" + formatNumber(n)
	}
	return formatNumber(n)
}

func percentSign(f Field) string {
	if f == Occupancy {
		return " %"
	}
	return ""
}

// label names the rows: a kernel by a name that is short and tells it from
// all others in the diff, several of one family by the family and their number.
func label(list []section) {
	var mangled []string
	for _, s := range list {
		for i := range s.rows {
			mangled = append(mangled, s.rows[i].pairs[0].Name)
		}
	}
	short := name.Shorten(mangled)
	for _, s := range list {
		for i := range s.rows {
			s.rows[i].setLabel(short[0])
			short = short[1:]
		}
	}
}

func (r *row) setLabel(short string) {
	names, archs := map[string]bool{}, map[string]bool{}
	for _, p := range r.pairs {
		names[p.Name], archs[p.Arch] = true, true
	}
	if len(names) > 1 {
		short = fmt.Sprintf("%s (%d kernels)", r.family, len(names))
	}
	r.label = name.Brief(short, mostOfName) + r.remark()
	r.archs = name.Escape(joinArchs(archs))
	r.source = r.sourceText()
}

// sourceText is where the row's kernels stand. Instantiations of one template
// stand in one place.
func (r *row) sourceText() string {
	at := r.pairs[0].Source
	if at.File == "" || slices.ContainsFunc(r.pairs, func(p *Pair) bool { return p.Source != at }) {
		return ""
	}
	return name.Escape(fmt.Sprintf("%s:%d", at.File, at.Line))
}

// hasSource reports whether any of the rows has a source to show.
func hasSource(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.source != "" })
}

// remark says what a row's numbers rest on, where it is not one entry of one
// stage.
func (r *row) remark() string {
	p := r.pairs[0]
	var notes []string
	if p.Kind == parse.Function {
		notes = append(notes, "device function")
	}
	if p.OldCopies > 0 && p.NewCopies > 0 && p.OldStage != p.NewStage {
		notes = append(notes, fmt.Sprintf("%v, was %v", p.NewStage, p.OldStage))
	}
	if n := max(p.OldCopies, p.NewCopies); n > 1 {
		notes = append(notes, fmt.Sprintf("worst of %d compilations", n))
	}
	if len(notes) == 0 {
		return ""
	}
	return " [" + strings.Join(notes, "; ") + "]"
}

func joinArchs(set map[string]bool) string {
	var list []string
	for a := range set {
		list = append(list, cmp.Or(a, "?"))
	}
	// sm_90 before sm_100.
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return strings.Join(list, ", ")
}

// columns returns the fields that any of the rows fills.
func columns(rows []row) []Field {
	var used []Field
	for f := range fields {
		if slices.ContainsFunc(rows, func(r row) bool { return r.cells[f] != "" }) {
			used = append(used, f)
		}
	}
	return used
}

// plural returns "1 kernel" or "2 kernels".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

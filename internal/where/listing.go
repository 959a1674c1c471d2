package where

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// context is how many lines are listed around one with local traffic.
const context = 2

// listed is a source file with what its lines cost.
type listed struct {
	file  string
	text  []string
	lines map[int]Line
	order []int
}

// listings reads the sources that have local traffic. A line that is inlined at
// several places is one line of its file.
func (r *Report) listings() []listed {
	byFile := map[string]*listed{}
	var all []*listed
	for _, l := range r.Lines {
		f := byFile[l.File]
		if f == nil {
			f = &listed{file: l.File, lines: map[int]Line{}}
			if text, ok := r.Source(l.File); ok {
				f.text = text
			}
			byFile[l.File] = f
			all = append(all, f)
		}
		if have, ok := f.lines[l.Line]; ok {
			l.SpillStoreBytes += have.SpillStoreBytes
			l.SpillLoadBytes += have.SpillLoadBytes
			l.ArrayStoreBytes += have.ArrayStoreBytes
			l.ArrayLoadBytes += have.ArrayLoadBytes
			l.Depth = max(l.Depth, have.Depth)
		} else {
			f.order = append(f.order, l.Line)
		}
		f.lines[l.Line] = l
	}
	var found []listed
	for _, f := range all {
		slices.Sort(f.order)
		// A file that is shorter than its lines say is another one.
		if len(f.text) > 0 && f.order[len(f.order)-1] <= len(f.text) {
			found = append(found, *f)
		}
	}
	return found
}

// stretches are the runs of lines to list.
func (f *listed) stretches() [][2]int {
	var runs [][2]int
	for _, n := range f.order {
		from, to := max(1, n-context), min(len(f.text), n+context)
		if k := len(runs); k > 0 && from <= runs[k-1][1]+1 {
			runs[k-1][1] = max(runs[k-1][1], to)
			continue
		}
		runs = append(runs, [2]int{from, to})
	}
	return runs
}

func (t *textWriter) listing() {
	files := t.report.listings()
	for i := range files {
		f := &files[i]
		t.print("")
		t.print(t.style.Strong(name.Escape(f.file)))
		t.print(t.style.Faint("  stores   loads  depth   line"))
		for n, run := range f.stretches() {
			if n > 0 {
				t.print(t.style.Faint("                             ..."))
			}
			for at := run[0]; at <= run[1]; at++ {
				t.sourceLine(f, at)
			}
		}
	}
	if len(files) == 0 && len(t.report.Lines) > 0 {
		t.print("")
		t.wrapped("", "none of the sources that the line tables name is in the repository: no listing")
	}
}

func (t *textWriter) sourceLine(f *listed, at int) {
	line := f.row(at)
	if t.style.Width > 0 {
		line = t.style.Fit(line, t.style.Width)
	}
	if _, hot := f.lines[at]; hot {
		line = t.style.Warning(line)
	}
	t.print(line)
}

// row is a line of the source with what it costs in front: spills, or in
// parentheses other local traffic.
func (f *listed) row(at int) string {
	stores, loads, depth := "", "", ""
	if l, ok := f.lines[at]; ok {
		stores = gutter(l.SpillStoreBytes, l.ArrayStoreBytes+l.OtherStoreBytes)
		loads = gutter(l.SpillLoadBytes, l.ArrayLoadBytes+l.OtherLoadBytes)
		depth = l.DepthText()
	}
	text := strings.ReplaceAll(strings.TrimRight(f.text[at-1], "\r\n"), "\t", "    ")
	return strings.TrimRight(fmt.Sprintf("%8s%8s%7s%7d  %s", stores, loads, depth, at, name.Escape(text)), " ")
}

// gutter shows bytes of spills, or those of arrays with a mark.
func gutter(spills, others int64) string {
	switch {
	case spills > 0:
		return strconv.FormatInt(spills, 10)
	case others > 0:
		return "(" + strconv.FormatInt(others, 10) + ")"
	}
	return ""
}

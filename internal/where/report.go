package where

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// Report is what there is to show of some binaries.
type Report struct {
	Kernels []*Kernel // in the order to show them
	Lines   []Line    // over all kernels, the worst first
	Notes   []string  // what could not be read or is not judged
	Quiet   int       // kernels without any local traffic, left out
	Left    int       // kernels that --top left out
	// Source reads a line table's file for the listing; nil: no listing.
	Source func(file string) ([]string, bool)
	Top    int // lines to list for each kernel and over all
}

// place shows a line: FILE:LINE, and where the code was inlined.
func (p Place) String() string {
	if p.Line == 0 {
		return ""
	}
	text := fmt.Sprintf("%s:%d", name.Escape(p.File), p.Line)
	if len(p.Inlined) > 0 {
		o := p.Outer()
		text += fmt.Sprintf(" (inlined at %s:%d)", name.Escape(o.File), o.Line)
	}
	return text
}

// Label names a loop for people: its lines, or its offsets where there are none.
func (l *Loop) Label() string {
	if l.Place.Line == 0 {
		return fmt.Sprintf("loop at 0x%x to 0x%x", l.Start, l.End)
	}
	text := fmt.Sprintf("loop at %s:%d", name.Escape(l.Place.File), l.Place.Line)
	if l.LastLine > l.Place.Line {
		text += fmt.Sprintf("-%d", l.LastLine)
	}
	if len(l.Place.Inlined) > 0 {
		o := l.Place.Outer()
		text += fmt.Sprintf(" (inlined at %s:%d)", name.Escape(o.File), o.Line)
	}
	return text
}

// mostOfName bounds a name shown to people.
const mostOfName = 200

func (k *Kernel) label() string {
	text := name.Brief(name.Demangle(k.Name), mostOfName)
	if k.Parent != "" {
		text += ", called by " + name.Brief(name.Demangle(k.Parent), mostOfName)
	}
	return text + " on " + name.Escape(k.Arch)
}

// Headline says in a sentence what a kernel's local memory is used for, and
// where the spills are.
func (k *Kernel) Headline() string {
	if k.Certainty == Unknown {
		var stores, loads int
		for i := range k.Sites {
			if k.Sites[i].Load {
				loads += k.Sites[i].Bytes
			} else {
				stores += k.Sites[i].Bytes
			}
		}
		return fmt.Sprintf("%d bytes of local stores and %d of local loads; how much of it is spills can't be told", stores, loads)
	}
	var parts []string
	if k.SpillBytes() > 0 {
		about := ""
		if k.Certainty == About {
			about = "about "
		}
		parts = append(parts, fmt.Sprintf("%s%d bytes of spill stores and %d of spill loads, %s", about, k.SpillStoreBytes, k.SpillLoadBytes, k.SpillPlace()))
	}
	if k.ArrayBytes() > 0 {
		parts = append(parts, fmt.Sprintf("%d bytes of stores to and %d of loads from local arrays and call frames", k.ArrayStoreBytes, k.ArrayLoadBytes))
	}
	if len(parts) == 0 {
		return "no local memory is used"
	}
	return strings.Join(parts, "; ")
}

// SpillPlace says how much of the spills is in loops: "none of it in a loop",
// "528 bytes in loops, down to depth 1". It is for kernels that spill.
func (k *Kernel) SpillPlace() string {
	n, all := k.LoopSpillBytes(), k.SpillBytes()
	unknown := ""
	if !k.DepthsKnown() {
		unknown = " (as far as its loops are known)"
	}
	switch n {
	case 0:
		return "none in a loop" + unknown
	case all:
		return fmt.Sprintf("all in loops, down to depth %d%s", k.DeepestSpill(), unknown)
	}
	return fmt.Sprintf("%d bytes of it in loops, down to depth %d%s", n, k.DeepestSpill(), unknown)
}

// Row is a line of a kernel's tree: a loop, or what is outside of all loops.
type Row struct {
	Indent       int
	Label        string
	Loop         *Loop // nil: outside of loops
	Instructions int
	// Bytes of one pass through all of it, inner loops included.
	SpillStoreBytes, SpillLoadBytes int64
	ArrayStoreBytes, ArrayLoadBytes int64
}

// Tree is a kernel's loops in nested order, those with local traffic, and what
// is outside of them. quiet counts the loops left out.
func (k *Kernel) Tree() (rows []Row, quiet int) {
	children := map[int][]*Loop{}
	outside := Row{Label: "outside of loops", SpillStoreBytes: k.SpillStoreBytes, SpillLoadBytes: k.SpillLoadBytes, ArrayStoreBytes: k.ArrayStoreBytes, ArrayLoadBytes: k.ArrayLoadBytes}
	busy := map[int]bool{}
	for i := range k.Sites {
		for l := k.Sites[i].Loop; l >= 0 && !busy[l]; l = k.Loops[l].Parent {
			busy[l] = true
		}
	}
	for i := range k.Loops {
		l := &k.Loops[i]
		if !busy[l.ID] {
			quiet++
			continue
		}
		children[l.Parent] = append(children[l.Parent], l)
		if l.Parent < 0 {
			outside.SpillStoreBytes -= l.SpillStoreBytes
			outside.SpillLoadBytes -= l.SpillLoadBytes
			outside.ArrayStoreBytes -= l.ArrayStoreBytes
			outside.ArrayLoadBytes -= l.ArrayLoadBytes
		}
	}
	outside.Instructions = k.Instructions
	for i := range k.Loops {
		if k.Loops[i].Parent < 0 {
			outside.Instructions -= k.Loops[i].Instructions
		}
	}
	rows = append(rows, outside)
	var walk func(parent, indent int)
	walk = func(parent, indent int) {
		for _, l := range children[parent] {
			rows = append(rows, Row{indent, l.Label(), l, l.Instructions, l.SpillStoreBytes, l.SpillLoadBytes, l.ArrayStoreBytes, l.ArrayLoadBytes})
			walk(l.ID, indent+1)
		}
	}
	walk(-1, 0)
	return rows, quiet
}

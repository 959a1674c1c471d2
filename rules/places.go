package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/parse"
)

// PlaceKey names a kernel or function of a log, as the log does.
type PlaceKey struct {
	Name   string // mangled
	Parent string // of a function: the kernel that it was compiled for
	Arch   string
	// Variant is that of the record: one configuration of several.
	Variant string
}

// Places says where the code of a kernel or function uses local memory. A
// binary tells it; a log can't. Bytes count each instruction once, as the
// compiler counts them.
type Places struct {
	File string // the binary
	// Exact says that the bytes are the compiler's own word. Others are about
	// right, and no error rests on them alone.
	Exact                           bool
	SpillStoreBytes, SpillLoadBytes int64

	// LoopSpillBytes are those that stand in loops, and Deepest is how many
	// loops are around the deepest of them. DepthsKnown is unset where not all
	// loops are known: there may be more.
	LoopSpillBytes int64
	Deepest        int
	DepthsKnown    bool

	Loops  []LoopPlace // those with spills of their own, the worst first
	Lines  []LinePlace // with spills, the worst first; none without a line table
	Arrays []LinePlace // with other accesses to local memory

	// Others are other code of the same name, as where two files have a kernel
	// each that no other file sees: a record goes with what has its numbers.
	Others []*Places
}

// LoopPlace is a loop with the spills of one pass through it, those of inner
// loops left out.
type LoopPlace struct {
	Text                  string      // for people: "loop at gemm.cu:26-33"
	Place                 parse.Place // zero where the binary has no line for it
	Depth                 int         // 1: no loop around it
	StoreBytes, LoadBytes int64
}

// Bytes are stores and loads.
func (l *LoopPlace) Bytes() int64 { return l.StoreBytes + l.LoadBytes }

// LinePlace is a source line with the bytes that its code moves.
type LinePlace struct {
	Text                  string
	Place                 parse.Place
	Depth                 int // loops around the deepest access
	StoreBytes, LoadBytes int64
}

// tiePlaces joins records with what binaries show of them.
func (j *judge) tiePlaces() {
	if len(j.policy.Places) == 0 {
		return
	}
	for i := range j.judged() {
		k := j.log.Kernel(i)
		p := j.policy.Places[PlaceKey{k.Name, k.Parent, k.Arch, k.Variant}]
		if p == nil {
			continue
		}
		p = p.of(j.subjects[j.subjectOf[i]].Class)
		j.own(i).places = p
		j.subjects[j.subjectOf[i]].derive(p)
	}
}

// of picks the code of a record among all that has its name: what says the same
// of its spills, else what isn't certain, and of those alike the one with most
// in a loop, so that no order of binaries makes a finding go away.
func (p *Places) of(class *parse.Class) *Places {
	best := p
	for _, o := range p.Others {
		if o.before(best, class) {
			best = o
		}
	}
	return best
}

func (p *Places) before(o *Places, class *parse.Class) bool {
	if a, b := p.fit(class), o.fit(class); a != b {
		return a > b
	}
	if a, b := p.worstBytes(), o.worstBytes(); a != b {
		return a > b
	}
	return o.DepthsKnown && !p.DepthsKnown
}

// fit is how well the code goes with what a record states of its spills.
func (p *Places) fit(class *parse.Class) int {
	switch {
	case !class.SpillStoreBytes.Stated() && !class.SpillLoadBytes.Stated():
		return 0
	case p.SpillStoreBytes == class.SpillStoreBytes.Or(0) && p.SpillLoadBytes == class.SpillLoadBytes.Or(0):
		return 2
	case !p.Exact:
		return 1
	}
	return 0
}

func (p *Places) worstBytes() int64 {
	if l := p.worstLoop(); l != nil {
		return l.Bytes()
	}
	return 0
}

// derive takes the spills of a binary from its code where the binary doesn't
// state them and the code is certain.
func (u *Subject) derive(p *Places) {
	if u.Stage != parse.StageBinary || !p.Exact || u.SpillStoreBytes.Stated() || u.SpillLoadBytes.Stated() {
		return
	}
	class := *u.Class
	class.SpillStoreBytes, class.SpillLoadBytes = parse.Some(p.SpillStoreBytes), parse.Some(p.SpillLoadBytes)
	u.Class = &class
}

// places is what the binary shows of a kernel whose spills are those of the
// log; nil where there is none.
func (u *Subject) places() *Places {
	if u.ties == nil || u.ties.places == nil || u.otherBuild() {
		return nil
	}
	return u.ties.places
}

// otherBuild reports whether the binary has other spills than the log, where
// both are certain.
func (u *Subject) otherBuild() bool {
	return u.ties != nil && u.ties.places != nil && u.ties.places.Exact && u.spillsStated() && !u.agrees(u.ties.places)
}

func (u *Subject) agrees(p *Places) bool {
	return p.SpillStoreBytes == u.SpillStoreBytes.Or(0) && p.SpillLoadBytes == u.SpillLoadBytes.Or(0)
}

// certain reports whether an error may rest on the places: the binary is
// certain, or says what the log says.
func (u *Subject) certain(p *Places) bool { return p.Exact || u.spillsStated() && u.agrees(p) }

// inLoops says how much of the spills is in loops, as part of a sentence: empty
// where no binary tells.
func (u *Subject) inLoops() string {
	p := u.places()
	if p == nil || p.SpillStoreBytes+p.SpillLoadBytes == 0 {
		return ""
	}
	about := ""
	if !u.certain(p) {
		about = "about "
	}
	switch all := p.SpillStoreBytes + p.SpillLoadBytes; {
	case p.LoopSpillBytes == 0 && !p.DepthsKnown:
		return ", none of it in a loop as far as its loops are known"
	case p.LoopSpillBytes == 0:
		return ", none of it in a loop"
	case p.LoopSpillBytes == all:
		return ", all of it in loops"
	}
	return fmt.Sprintf(", %s%d bytes of it in loops", about, p.LoopSpillBytes)
}

// mostPlaces is how many loops and lines the notes of a finding name.
const mostPlaces = 3

// placeNotes lists the loops with most spills and the lines with most.
func (u *Subject) placeNotes() []string {
	p := u.places()
	if p == nil {
		return nil
	}
	var notes []string
	for i := range p.Loops {
		if i == mostPlaces {
			notes = append(notes, fmt.Sprintf("%d more loops with spills: occlint where shows all", len(p.Loops)-i))
			break
		}
		l := &p.Loops[i]
		notes = append(notes, fmt.Sprintf("the %s, depth %d: %s in each pass", l.Text, l.Depth, spillText(l.StoreBytes, l.LoadBytes)))
	}
	if text := linesText(p.Lines); text != "" {
		notes = append(notes, "most on "+text)
	} else if p.SpillStoreBytes+p.SpillLoadBytes > 0 {
		notes = append(notes, "compiled with -lineinfo, the binary would name the lines")
	}
	return notes
}

// arrayNotes lists the lines with most accesses to local arrays.
func (u *Subject) arrayNotes() []string {
	p := u.places()
	if p == nil {
		return nil
	}
	if text := linesText(p.Arrays); text != "" {
		return []string{"local memory is used most on " + text}
	}
	return nil
}

// linesText lists the first lines with their bytes.
func linesText(lines []LinePlace) string {
	var parts []string
	for i := range lines[:min(len(lines), mostPlaces)] {
		l := &lines[i]
		text := fmt.Sprintf("%s (%d bytes", l.Text, l.StoreBytes+l.LoadBytes)
		if l.Depth > 0 {
			text += fmt.Sprintf(", loop depth %d", l.Depth)
		}
		parts = append(parts, text+")")
	}
	return strings.Join(parts, ", ")
}

// worstLoop is the loop with most bytes in one pass. Deeper loops come first in
// Loops, but a budget is for each.
func (p *Places) worstLoop() *LoopPlace {
	if len(p.Loops) == 0 {
		return nil
	}
	at := 0
	for i := range p.Loops {
		if p.Loops[i].Bytes() > p.Loops[at].Bytes() {
			at = i
		}
	}
	return &p.Loops[at]
}

// overBudget counts the loops with more than a budget.
func (p *Places) overBudget(limit int64) int {
	n := 0
	for i := range p.Loops {
		if p.Loops[i].Bytes() > limit {
			n++
		}
	}
	return n
}

// loopsKnown reports whether a declared budget for loops can be judged: by the
// code, or since the kernel as a whole has no more.
func (u *Subject) loopsKnown() bool {
	if u.spillsStated() && u.SpillStoreBytes.Or(0)+u.SpillLoadBytes.Or(0) <= u.decl.LoopSpillBytes.Value {
		return true
	}
	p := u.places()
	return p != nil && (p.DepthsKnown || p.overBudget(u.decl.LoopSpillBytes.Value) > 0)
}

// SortPlaces puts loops and lines into the order that rules name them in: the
// deepest first, then those with most bytes.
func (p *Places) SortPlaces() {
	slices.SortStableFunc(p.Loops, func(a, b LoopPlace) int {
		if a.Depth != b.Depth {
			return b.Depth - a.Depth
		}
		return int(min(max(b.Bytes()-a.Bytes(), -1), 1))
	})
}

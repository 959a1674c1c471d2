package where

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// Gain is a kernel that spills more than it did, with the loops and lines that
// have more.
type Gain struct {
	Kernel   *Kernel // as it is now
	Was, Now int64   // bytes of spills, stores and loads
	WasLoops int64   // those in loops
	NowLoops int64
	Loops    []LoopGain // the deepest first
	Lines    []LineGain // the largest first
	Guessed  bool       // either side is only about right
}

// LoopGain is a loop with more bytes of its own, in one pass through it.
type LoopGain struct {
	Loop     *Loop
	Was, Now int64
}

// LineGain is a source line with more bytes of spills.
type LineGain struct {
	Place    Place
	Depth    int
	Was, Now int64
}

// Gains pairs the kernels of two builds by name and architecture and lists those
// whose spills, or whose spills in loops, grew; the one that gained most in
// loops first. A kernel that only one of them has is no gain, nor is one whose
// spills can't be told.
func Gains(was, now []*Kernel) []Gain {
	old, current := single(was), single(now)
	var gains []Gain
	for _, k := range now {
		o := old[k.identity()]
		if o == nil || current[k.identity()] != k || o.Certainty == Unknown || k.Certainty == Unknown {
			continue
		}
		g := Gain{
			Kernel: k, Was: o.SpillBytes(), Now: k.SpillBytes(), WasLoops: o.LoopSpillBytes(), NowLoops: k.LoopSpillBytes(),
			Guessed: o.Certainty != Exact || k.Certainty != Exact,
		}
		if g.Now <= g.Was && g.NowLoops <= g.WasLoops {
			continue
		}
		g.Loops, g.Lines = loopGains(o, k), lineGains(o, k)
		gains = append(gains, g)
	}
	slices.SortStableFunc(gains, func(a, b Gain) int {
		return cmp.Or(-cmp.Compare(a.NowLoops-a.WasLoops, b.NowLoops-b.WasLoops), -cmp.Compare(a.Now-a.Was, b.Now-b.Was))
	})
	return gains
}

// identity is what stays of a kernel from build to build: of a configuration
// its parameters, and not the hash.
func (k *Kernel) identity() [4]string {
	variant := k.Variant
	if at := strings.LastIndexByte(variant, ' '); at >= 0 && !strings.Contains(variant[at:], "=") {
		variant = variant[:at]
	}
	return [4]string{name.Canonical(k.Name), name.Canonical(k.Parent), k.Arch, variant}
}

// single finds the kernel of each identity, the last of several copies. Where
// two that spill differently share one, nobody can say which became which:
// there is nil.
func single(kernels []*Kernel) map[[4]string]*Kernel {
	found := make(map[[4]string]*Kernel, len(kernels))
	for _, k := range kernels {
		id := k.identity()
		if before, seen := found[id]; seen && (before == nil || !before.SpillsLike(k)) {
			k = nil
		}
		found[id] = k
	}
	return found
}

// SpillsLike reports whether two kernels show the same bytes of spills, in
// loops and in all.
func (k *Kernel) SpillsLike(o *Kernel) bool {
	return k.Certainty == o.Certainty && k.SpillStoreBytes == o.SpillStoreBytes && k.SpillLoadBytes == o.SpillLoadBytes && k.LoopSpillBytes() == o.LoopSpillBytes()
}

// shapes is how a loop stands among the others, whatever lines it is on now: its
// depth and its number among the loops of its depth.
func (k *Kernel) shapes() map[[2]int]*Loop {
	count := map[int]int{}
	all := map[[2]int]*Loop{}
	for i := range k.Loops {
		l := &k.Loops[i]
		all[[2]int{l.Depth, count[l.Depth]}] = l
		count[l.Depth]++
	}
	return all
}

func (l *Loop) own() int64 { return l.OwnSpillStoreBytes + l.OwnSpillLoadBytes }

// loopGains pairs loops by their order where both builds have the same loops,
// else by their lines. A loop without a partner had nothing.
func loopGains(was, now *Kernel) []LoopGain {
	var gains []LoopGain
	older, newer := was.shapes(), now.shapes()
	ordered := len(older) == len(newer)
	for key := range newer {
		ordered = ordered && older[key] != nil
	}
	type place struct {
		file        string
		line, depth int
	}
	at := func(l *Loop) place { return place{l.Place.File, l.Place.Line, l.Depth} }
	byLine := map[place]int64{}
	for i := range was.Loops {
		byLine[at(&was.Loops[i])] += was.Loops[i].own()
	}
	for key, l := range newer {
		g := LoopGain{Loop: l, Now: l.own()}
		if ordered {
			g.Was = older[key].own()
		} else {
			g.Was = byLine[at(l)]
		}
		if g.Now > g.Was {
			gains = append(gains, g)
		}
	}
	slices.SortFunc(gains, func(a, b LoopGain) int {
		return cmp.Or(-cmp.Compare(a.Loop.Depth, b.Loop.Depth), -cmp.Compare(a.Now-a.Was, b.Now-b.Was), cmp.Compare(a.Loop.ID, b.Loop.ID))
	})
	return gains
}

// lineGains compares line by line. What was edited above a line moves it; then
// it has all of its bytes from now, which the loops set right.
func lineGains(was, now *Kernel) []LineGain {
	type key struct {
		file string
		line int
	}
	before := map[key]int64{}
	for _, l := range Lines([]*Kernel{was}) {
		before[key{l.File, l.Line}] += l.spill()
	}
	var gains []LineGain
	at := map[key]int{}
	for _, l := range Lines([]*Kernel{now}) {
		k := key{l.File, l.Line}
		if n, ok := at[k]; ok {
			gains[n].Now += l.spill()
			gains[n].Depth = max(gains[n].Depth, l.Depth)
			continue
		}
		at[k] = len(gains)
		gains = append(gains, LineGain{Place: Place{File: l.File, Line: l.Line}, Depth: l.Depth, Was: before[k], Now: l.spill()})
	}
	gains = slices.DeleteFunc(gains, func(g LineGain) bool { return g.Now <= g.Was })
	slices.SortStableFunc(gains, func(a, b LineGain) int { return -cmp.Compare(a.Now-a.Was, b.Now-b.Was) })
	return gains
}

// Text says in a sentence what was gained and where, without the kernel's name.
func (g *Gain) Text() string {
	about := ""
	if g.Guessed {
		about = "about "
	}
	text := fmt.Sprintf("%s%d bytes of spills, was %d", about, g.Now, g.Was)
	switch {
	case g.NowLoops > g.WasLoops:
		text += fmt.Sprintf("; %d of them in loops, was %d", g.NowLoops, g.WasLoops)
	case g.NowLoops == 0:
		text += "; none in a loop"
	default:
		text += fmt.Sprintf("; %d of them in loops, as before or fewer", g.NowLoops)
	}
	var loops strings.Builder
	for i, l := range g.Loops {
		if i == mostGains {
			fmt.Fprintf(&loops, "; %s with more", plural(len(g.Loops)-i, "more loop"))
			break
		}
		fmt.Fprintf(&loops, "; the %s at depth %d has %d, was %d", l.Loop.Label(), l.Loop.Depth, l.Now, l.Was)
	}
	text += loops.String()
	var lines strings.Builder
	for i, l := range g.Lines {
		if i == mostGains {
			break
		}
		if i == 0 {
			lines.WriteString("; most on ")
		} else {
			lines.WriteString(", ")
		}
		fmt.Fprintf(&lines, "%s (+%d)", l.Place, l.Now-l.Was)
	}
	text += lines.String()
	return text
}

// mostGains is how many loops and lines a sentence names.
const mostGains = 3

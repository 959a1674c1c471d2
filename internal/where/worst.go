package where

import (
	"cmp"
	"slices"
)

// Line is a source line with the local traffic of all code that came from it.
type Line struct {
	File    string
	Line    int
	Inlined Place // the kernel's own line, where the code was inlined; else the zero Place
	Kernels int   // that have traffic here
	// Depth is that of the deepest access: of a spill where the line has any.
	Depth                           int
	DepthKnown                      bool
	SpillStoreBytes, SpillLoadBytes int64
	ArrayStoreBytes, ArrayLoadBytes int64
	OtherStoreBytes, OtherLoadBytes int64 // what can't be told to be either
}

func (l *Line) spill() int64 { return l.SpillStoreBytes + l.SpillLoadBytes }
func (l *Line) other() int64 {
	return l.ArrayStoreBytes + l.ArrayLoadBytes + l.OtherStoreBytes + l.OtherLoadBytes
}

// Lines adds the traffic of kernels up by source line, the worst first: lines
// that spill in the deepest loops, then those with most bytes. Sites without a
// line are left out.
func Lines(kernels []*Kernel) []Line {
	type key struct {
		file string
		line int
		at   string
		from int
	}
	index := map[key]int{}
	var all []Line
	var last []*Kernel
	for _, k := range kernels {
		for i := range k.Sites {
			s := &k.Sites[i]
			if s.Place.Line == 0 {
				continue
			}
			id := key{file: s.Place.File, line: s.Place.Line}
			var outer Place
			if len(s.Place.Inlined) > 0 {
				outer = s.Place.Outer()
				id.at, id.from = outer.File, outer.Line
			}
			n, ok := index[id]
			if !ok {
				n = len(all)
				index[id] = n
				all = append(all, Line{File: s.Place.File, Line: s.Place.Line, Inlined: outer, DepthKnown: true})
				last = append(last, nil)
			}
			l := &all[n]
			if last[n] != k {
				l.Kernels++
				last[n] = k
			}
			l.add(s, s.Depth+k.CalledDepth)
		}
	}
	slices.SortStableFunc(all, func(a, b Line) int {
		return cmp.Or(
			-cmp.Compare(min(a.spill(), 1), min(b.spill(), 1)),
			-cmp.Compare(a.Depth, b.Depth),
			-cmp.Compare(a.spill(), b.spill()),
			-cmp.Compare(a.other(), b.other()),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Inlined.Line, b.Inlined.Line),
		)
	})
	return all
}

func (l *Line) add(s *Site, depth int) {
	if s.Spill && l.spill() == 0 {
		l.Depth = 0 // from here on the spills alone count
	}
	if s.Spill || l.spill() == 0 {
		l.Depth = max(l.Depth, depth)
	}
	l.DepthKnown = l.DepthKnown && s.DepthKnown
	bytes := [2]*int64{&l.OtherStoreBytes, &l.OtherLoadBytes}
	switch {
	case s.Spill:
		bytes = [2]*int64{&l.SpillStoreBytes, &l.SpillLoadBytes}
	case s.Told:
		bytes = [2]*int64{&l.ArrayStoreBytes, &l.ArrayLoadBytes}
	}
	if s.Load {
		*bytes[1] += int64(s.Bytes)
	} else {
		*bytes[0] += int64(s.Bytes)
	}
}

// Sort puts kernels in order, the worst first: those that spill in the deepest
// loops, by their bytes in loops, then by all bytes of spills and of arrays.
func Sort(kernels []*Kernel) {
	type weight struct {
		depth                 int
		loops, spills, arrays int64
	}
	weights := make(map[*Kernel]weight, len(kernels))
	for _, k := range kernels {
		w := weight{spills: k.SpillBytes(), arrays: k.ArrayBytes(), loops: k.LoopSpillBytes()}
		if w.spills > 0 {
			w.depth = k.DeepestSpill()
		}
		weights[k] = w
	}
	slices.SortStableFunc(kernels, func(a, b *Kernel) int {
		x, y := weights[a], weights[b]
		return cmp.Or(-cmp.Compare(min(x.loops, 1), min(y.loops, 1)), -cmp.Compare(x.depth, y.depth),
			-cmp.Compare(x.loops, y.loops), -cmp.Compare(x.spills, y.spills), -cmp.Compare(x.arrays, y.arrays),
			-cmp.Compare(len(a.Sites), len(b.Sites)))
	})
}

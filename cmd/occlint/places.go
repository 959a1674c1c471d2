package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/where"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// codePlaces is what binaries show of the kernels of a log: where they use
// local memory.
type codePlaces struct {
	// Two files may have a kernel each of one name that no other file sees.
	kernels map[rules.PlaceKey][]*where.Kernel
}

// placesIn reads the binaries that were named for a log, and those among the
// inputs themselves.
func (g *gate) placesIn(log *parse.Log) (*codePlaces, error) {
	named := g.policy.binaries
	p, err := g.readPlaces(append(slices.Clone(g.compiled), named...), log, g.root)
	if err == nil && len(named) > 0 && len(p.kernels) == 0 && log.Len() > 0 {
		err = usageError("--binary %s: none of the log's kernels is in it; give what the same build made", strings.Join(named, ", "))
	}
	return p, err
}

// readPlaces reads what binaries show of the kernels of a log.
func (a *app) readPlaces(binaries []string, log *parse.Log, root string) (*codePlaces, error) {
	p := &codePlaces{kernels: map[rules.PlaceKey][]*where.Kernel{}}
	if len(binaries) == 0 {
		return p, nil
	}
	sources := where.NewSources(root)
	defer sources.Close() //nolint:errcheck // nothing was written
	wanted := map[rules.PlaceKey]bool{}
	kernels := map[string]bool{}
	for _, k := range log.Kernels() {
		wanted[rules.PlaceKey{Name: k.Name, Parent: k.Parent, Arch: k.Arch, Variant: k.Variant}] = true
		kernels[k.Name] = true
		kernels[k.Parent] = true
	}
	f := &finder{app: a}
	all, notes, err := f.kernelsOf(binaries, root, sources, func(u *where.Unit) bool { return kernels[u.Kernel] })
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		fmt.Fprintf(a.Stderr, "occlint: note: %s\n", escapeLines(n))
	}
	for _, k := range all {
		key := rules.PlaceKey{Name: k.Name, Parent: k.Parent, Arch: k.Arch, Variant: k.Variant}
		if wanted[key] && !slices.ContainsFunc(p.kernels[key], func(o *where.Kernel) bool { return sameCode(o, k) }) {
			p.kernels[key] = append(p.kernels[key], k)
		}
	}
	return p, nil
}

// sameCode reports whether two kernels of one name are copies, as an object and
// the library that it was put into have them.
func sameCode(a, b *where.Kernel) bool {
	return a.Certainty == b.Certainty && a.Instructions == b.Instructions && a.CalledDepth == b.CalledDepth &&
		slices.EqualFunc(a.Sites, b.Sites, func(s, t where.Site) bool {
			return s.Offset == t.Offset && s.Load == t.Load && s.Bytes == t.Bytes && s.Spill == t.Spill && s.Loop == t.Loop && s.Depth == t.Depth
		})
}

// ofPolicy is what the rules judge by.
func (p *codePlaces) ofPolicy() map[rules.PlaceKey]*rules.Places {
	places := make(map[rules.PlaceKey]*rules.Places, len(p.kernels))
	for key, kernels := range p.kernels {
		var first *rules.Places
		for _, k := range kernels {
			// What can't be told is not given: its numbers would be read as 0.
			// Code without local memory is: it has no spill, whatever a log says.
			switch {
			case k.Certainty == where.Unknown:
			case first == nil:
				first = placesOf(k)
				places[key] = first
			default:
				first.Others = append(first.Others, placesOf(k))
			}
		}
	}
	return places
}

// find is for reports: the code of a kernel, the one with the log's numbers
// where there are several of its name, or nil.
func (p *codePlaces) find(name, parent, arch string, stores, loads int64) *where.Kernel {
	kernels := p.kernels[rules.PlaceKey{Name: name, Parent: parent, Arch: arch}]
	for _, k := range kernels {
		if k.SpillStoreBytes == stores && k.SpillLoadBytes == loads {
			return k
		}
	}
	if len(kernels) == 0 {
		return nil
	}
	return kernels[0]
}

// placesOf puts a kernel's loops and lines into the words of the rules.
func placesOf(k *where.Kernel) *rules.Places {
	p := &rules.Places{
		File: k.File, Exact: k.Certainty == where.Exact,
		SpillStoreBytes: k.SpillStoreBytes, SpillLoadBytes: k.SpillLoadBytes,
		LoopSpillBytes: k.LoopSpillBytes(), Deepest: k.DeepestSpill(), DepthsKnown: k.DepthsKnown(),
	}
	for i := range k.Loops {
		l := &k.Loops[i]
		if l.OwnSpillStoreBytes+l.OwnSpillLoadBytes > 0 {
			p.Loops = append(p.Loops, rules.LoopPlace{
				Text: l.Label(), Place: inRepository(l.Place.Outer()), Depth: l.Depth + k.CalledDepth,
				StoreBytes: l.OwnSpillStoreBytes, LoadBytes: l.OwnSpillLoadBytes,
			})
		}
	}
	if own := outsideLoops(k); own != nil {
		p.Loops = append(p.Loops, *own)
	}
	for _, l := range where.Lines([]*where.Kernel{k}) {
		at := where.Place{File: l.File, Line: l.Line}
		place := rules.LinePlace{Text: l.Text(), Place: inRepository(at), Depth: l.Depth, StoreBytes: l.SpillStoreBytes, LoadBytes: l.SpillLoadBytes}
		if place.StoreBytes+place.LoadBytes > 0 {
			p.Lines = append(p.Lines, place)
		}
		place.StoreBytes, place.LoadBytes = l.ArrayStoreBytes, l.ArrayLoadBytes
		if place.StoreBytes+place.LoadBytes > 0 {
			p.Arrays = append(p.Arrays, place)
		}
	}
	p.SortPlaces()
	return p
}

// outsideLoops is what a function that is called in a loop spills outside of
// loops of its own: it is paid for in each pass of its caller's.
func outsideLoops(k *where.Kernel) *rules.LoopPlace {
	if k.CalledDepth == 0 {
		return nil
	}
	p := &rules.LoopPlace{Text: "loop around its call", Depth: k.CalledDepth}
	for i := range k.Sites {
		s := &k.Sites[i]
		switch {
		case !s.Spill || s.Loop >= 0:
		case s.Load:
			p.LoadBytes += int64(s.Bytes)
		default:
			p.StoreBytes += int64(s.Bytes)
		}
	}
	if p.StoreBytes+p.LoadBytes == 0 {
		return nil
	}
	return p
}

// inRepository is a place that a report can point to: a file of the repository.
// Others keep the paths of the machine that built them.
func inRepository(p where.Place) parse.Place {
	if p.Line == 0 || path.IsAbs(p.File) || strings.Contains(p.File, ":") {
		return parse.Place{}
	}
	return parse.Place{File: p.File, Line: p.Line, Column: 1}
}

// takeCompiled returns the binaries among the inputs that were read since.
func (a *app) takeCompiled() []string {
	compiled := a.compiled
	a.compiled = nil
	return compiled
}

// gains lists the kernels whose code spills more in the newer of two sets of
// binaries; none where either side has none.
func (a *app) gains(older, newer []string, root string) ([]compare.SpillGain, error) {
	if len(older) == 0 || len(newer) == 0 {
		return nil, nil
	}
	sources := where.NewSources(root)
	defer sources.Close() //nolint:errcheck // nothing was written
	f := &finder{app: a}
	every := func(*where.Unit) bool { return true }
	was, _, err := f.kernelsOf(older, root, sources, every)
	if err != nil {
		return nil, err
	}
	now, _, err := f.kernelsOf(newer, root, sources, every)
	if err != nil {
		return nil, err
	}
	var list []compare.SpillGain
	for _, g := range where.Gains(was, now) {
		list = append(list, compare.SpillGain{
			Name: g.Kernel.Name, Parent: g.Kernel.Parent, Arch: g.Kernel.Arch,
			OldBytes: g.Was, NewBytes: g.Now, OldLoop: g.WasLoops, NewLoop: g.NowLoops, Where: g.Text(),
		})
	}
	return list, nil
}

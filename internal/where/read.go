package where

import (
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/code"
)

// Read takes a section apart. The kernel comes first, then the functions in its
// section, by offset.
func Read(u *Unit) ([]*Kernel, error) {
	c, err := code.Read(code.Section{SM: u.SM, Text: u.Text, Functions: u.Functions, Tables: u.Tables})
	if err != nil {
		return nil, err
	}
	r := &reader{unit: u, code: c, spills: map[uint32]bool{}}
	for _, o := range u.Spills {
		r.spills[o] = true
	}
	r.divide()
	r.loops()
	r.sites()
	r.calls()
	r.sum()
	kernels := make([]*Kernel, len(r.parts))
	for i, p := range r.parts {
		kernels[i] = p.kernel
	}
	return kernels, nil
}

type reader struct {
	unit   *Unit
	code   *code.Code
	parts  []*part
	loop   []int // by index in code.Loops: the loop's ID in its part
	heads  []int // by index in code.Loops: the part that its header stands in
	owners []int // part of each instruction of code.Insts
	spills map[uint32]bool
}

// part is one function of the section.
type part struct {
	code.Function
	kernel *Kernel
	insts  []code.Inst
	loops  []*code.Loop // of kernel.Loops, at the same index
}

// divide makes a part of each function, the owner of the section first.
func (r *reader) divide() {
	u := r.unit
	functions := slices.Clone(u.Functions)
	own := slices.IndexFunc(functions, func(f code.Function) bool { return f.Name == u.Kernel })
	if own < 0 {
		functions = append(functions, code.Function{Name: u.Kernel, End: uint32(len(u.Text))})
		own = len(functions) - 1
	}
	// What no function claims belongs to the section's owner.
	functions[own].Start, functions[own].End = 0, uint32(len(u.Text))
	functions[0], functions[own] = functions[own], functions[0]
	slices.SortStableFunc(functions[1:], func(a, b code.Function) int { return int(int64(a.Start) - int64(b.Start)) })
	for i, f := range functions {
		k := &Kernel{Name: f.Name, Entry: u.Entry, Arch: u.Arch, File: u.File, Unlinked: u.Unlinked}
		if i > 0 {
			k.Name, k.Entry = calleeName(f.Name, u.Kernel), false
			if u.Entry {
				k.Parent = u.Kernel
			}
		}
		r.parts = append(r.parts, &part{Function: f, kernel: k})
	}
	r.owners = make([]int, len(r.code.Insts))
	find := newOwner(functions)
	for i, inst := range r.code.Insts {
		r.owners[i] = find.at(inst.Offset)
		p := r.parts[r.owners[i]]
		p.insts = append(p.insts, inst)
	}
}

// calleeName is a function's own name: in a kernel's section its symbol is
// $kernel$function.
func calleeName(symbol, kernel string) string {
	if name, ok := strings.CutPrefix(symbol, "$"+kernel+"$"); ok && name != "" {
		return name
	}
	return symbol
}

// owner finds the function around an offset. Functions inside of the section's
// owner don't overlap, but for damaged files.
type owner struct {
	starts []uint32
	ends   []uint32
}

func newOwner(functions []code.Function) *owner {
	o := &owner{}
	for _, f := range functions {
		o.starts, o.ends = append(o.starts, f.Start), append(o.ends, f.End)
	}
	return o
}

func (o *owner) at(offset uint32) int {
	n, found := slices.BinarySearch(o.starts[1:], offset)
	if found {
		n++
	}
	if n > 0 && offset < o.ends[n] {
		return n
	}
	return 0
}

// loops hands each loop to the function that its header stands in.
func (r *reader) loops() {
	functions := make([]code.Function, len(r.parts))
	for i, p := range r.parts {
		functions[i] = p.Function
	}
	find := newOwner(functions)
	r.loop = make([]int, len(r.code.Loops))
	r.heads = make([]int, len(r.code.Loops))
	for i, l := range r.code.Loops {
		r.heads[i] = find.at(l.Header)
		p := r.parts[r.heads[i]]
		out := Loop{ID: len(p.kernel.Loops), Parent: -1, Depth: l.Depth, Start: l.Start - p.Start, End: l.End - p.Start, Instructions: l.Instructions}
		if l.Parent >= 0 && r.heads[l.Parent] == r.heads[i] {
			out.Parent = r.loop[l.Parent]
		}
		r.loop[i] = out.ID
		p.kernel.Loops = append(p.kernel.Loops, out)
		p.loops = append(p.loops, &r.code.Loops[i])
	}
	for i, p := range r.parts {
		p.kernel.Instructions = r.code.Instructions(p.Start, p.End)
		if i > 0 {
			r.parts[0].kernel.Instructions -= p.kernel.Instructions
		}
	}
}

// depth says how an instruction of a part stands in loops: the ID is that of the
// innermost loop of the part itself, -1 for none. A branch into another function
// makes a loop of both; the part that doesn't have its head can't show it, so
// that there the depth is only the least.
func (r *reader) depth(part int, offset uint32) (id, depth int, known bool) {
	d := r.code.Depth(offset)
	for l := d.Loop; l >= 0; l = r.code.Loops[l].Parent {
		if r.heads[l] == part {
			return r.loop[l], d.Depth, d.Known && l == d.Loop
		}
	}
	return -1, d.Depth, d.Known && d.Loop < 0
}

// sites notes every local access.
func (r *reader) sites() {
	for i, p := range r.parts {
		verdict := r.judge(p, i > 0)
		p.kernel.Certainty, p.kernel.Notes = verdict.certainty, verdict.notes
		for _, inst := range p.insts {
			if !inst.Kind.Memory() {
				continue
			}
			s := Site{Offset: inst.Offset - p.Start, Load: inst.Kind == code.Load, Bytes: int(inst.Bytes)}
			s.Loop, s.Depth, s.DepthKnown = r.depth(i, inst.Offset)
			if verdict.certainty != Unknown {
				s.Told, s.Spill = true, verdict.spill(inst)
			}
			s.Place, _ = r.place(inst.Offset)
			p.kernel.Sites = append(p.kernel.Sites, s)
		}
		r.depthNotes(p)
	}
}

// depthNotes says which depths are not known.
func (r *reader) depthNotes(p *part) {
	k := p.kernel
	unknown := 0
	for i := range k.Sites {
		if !k.Sites[i].DepthKnown {
			unknown++
		}
	}
	if unknown == 0 {
		return
	}
	why := "nothing known leads to that code, or it is part of a cycle with several entries or of a loop of another function"
	if r.code.PositionsOnly {
		why = "occlint reads no control flow of " + r.unit.Arch
	}
	k.Notes = append(k.Notes, fmt.Sprintf("the loops around %d of %d local accesses are not known: %s", unknown, len(k.Sites), why))
}

// calls notes which functions call which, and how deep in loops.
func (r *reader) calls() {
	functions := map[uint32]int{}
	for i, p := range r.parts[1:] {
		functions[p.Start] = i + 1
	}
	type call struct{ from, to, depth int }
	var all []call
	for i, inst := range r.code.Insts {
		to, known := functions[inst.Target]
		if inst.Kind != code.Call || !known {
			continue
		}
		p := r.parts[r.owners[i]]
		c := Call{Offset: inst.Offset - p.Start, Name: r.parts[to].kernel.Name}
		c.Loop, c.Depth, _ = r.depth(r.owners[i], inst.Offset)
		c.Place, _ = r.place(inst.Offset)
		p.kernel.Calls = append(p.kernel.Calls, c)
		all = append(all, call{r.owners[i], to, c.Depth})
	}
	called := map[int]bool{0: r.unit.Entry}
	for _, c := range all {
		if c.from != c.to {
			called[c.to] = true
		}
	}
	for i, p := range r.parts {
		if p.kernel.OtherCallers = !called[i]; p.kernel.OtherCallers && len(p.kernel.Sites) > 0 {
			p.kernel.Notes = append(p.kernel.Notes, "what calls this function isn't in its section: the loops around its calls are not known")
		}
	}
	// Depths add up along calls; a recursion would add up for ever, so the
	// number of rounds is that of the functions, and no more than a few.
	const rounds = 16
	for range min(len(r.parts), rounds) {
		changed := false
		for _, c := range all {
			d := c.depth + r.parts[c.from].kernel.CalledDepth
			if c.from != c.to && d > r.parts[c.to].kernel.CalledDepth {
				r.parts[c.to].kernel.CalledDepth, changed = d, true
			}
		}
		if !changed {
			break
		}
	}
}

// sum adds the sites up, for the kernels and for the loops.
func (r *reader) sum() {
	for _, p := range r.parts {
		k := p.kernel
		for i := range k.Sites {
			k.add(&k.Sites[i])
		}
		// Inner loops stand behind the loops around them.
		for i := len(k.Loops) - 1; i >= 0; i-- {
			l := &k.Loops[i]
			l.SpillStoreBytes += l.OwnSpillStoreBytes
			l.SpillLoadBytes += l.OwnSpillLoadBytes
			if l.Parent >= 0 {
				outer := &k.Loops[l.Parent]
				outer.SpillStoreBytes += l.SpillStoreBytes
				outer.SpillLoadBytes += l.SpillLoadBytes
				outer.ArrayStoreBytes += l.ArrayStoreBytes
				outer.ArrayLoadBytes += l.ArrayLoadBytes
			}
		}
		r.loopPlaces(p)
	}
}

func (k *Kernel) add(s *Site) {
	if !s.Told {
		return
	}
	n := int64(s.Bytes)
	spills := [2]*int64{&k.SpillStoreBytes, &k.SpillLoadBytes}
	arrays := [2]*int64{&k.ArrayStoreBytes, &k.ArrayLoadBytes}
	which := 0
	if s.Load {
		which = 1
	}
	if s.Spill {
		*spills[which] += n
	} else {
		*arrays[which] += n
	}
	if s.Loop < 0 {
		return
	}
	l := &k.Loops[s.Loop]
	spills = [2]*int64{&l.OwnSpillStoreBytes, &l.OwnSpillLoadBytes}
	arrays = [2]*int64{&l.ArrayStoreBytes, &l.ArrayLoadBytes}
	if s.Spill {
		*spills[which] += n
	} else {
		*arrays[which] += n
	}
}

// Linked leaves out what is not linked yet of kernels that are there linked as
// well, as in a library that was compiled with -rdc.
func Linked(kernels []*Kernel) []*Kernel {
	linked := map[[3]string]bool{}
	for _, k := range kernels {
		if !k.Unlinked {
			linked[[3]string{k.Name, k.Parent, k.Arch}] = true
		}
	}
	return slices.DeleteFunc(kernels, func(k *Kernel) bool { return k.Unlinked && linked[[3]string{k.Name, k.Parent, k.Arch}] })
}

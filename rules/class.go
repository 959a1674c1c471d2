package rules

import "github.com/occlint/occlint/parse"

// class is all that the verdict on a unit rests on, its name and place aside.
// Rules use those for what they say, and never to decide. Large logs have few
// classes: kernels with the same numbers under the same declarations.
type class struct {
	decl *merged
	arch *archInfo

	registers, barriers, shared  parse.Count
	stack, cumulative            parse.Count
	stores, loads, local         parse.Count
	textures, surfaces, samplers parse.Count
	kind                         parse.Kind
	stage                        parse.Stage
}

// classOf returns a unit's class; ok is false for a unit that has to do with
// others, or whose verdict rests on more than a class has.
func classOf(u *unit) (c class, ok bool) {
	if !u.none || len(u.globals) > 0 || u.defects != 0 || u.kernel != u.record || u.decl.BytesInFlight.Set {
		return c, false
	}
	k := u.kernel
	return class{
		decl: u.decl, arch: u.arch,
		registers: k.Registers, barriers: k.Barriers, shared: k.SharedBytes,
		stack: k.StackBytes, cumulative: k.CumulativeStackBytes,
		stores: k.SpillStoreBytes, loads: k.SpillLoadBytes, local: k.LocalBytes,
		textures: k.Textures, surfaces: k.Surfaces, samplers: k.Samplers,
		kind: k.Kind, stage: k.Stage,
	}, true
}

// classes finds the fit of classes that were met before.
type classes struct{ slots []classSlot }

type classSlot struct {
	class
	fit *fit
}

// newClasses makes room for the classes of n units.
func newClasses(n int) *classes {
	const most = 1 << 12
	size := 1
	for size < min(n, most) {
		size *= 2
	}
	return &classes{make([]classSlot, size)}
}

// measure gives the unit its fit, computed where it is the first of its class.
// A class that another one pushed out of its slot is computed once more.
func (cs *classes) measure(u *unit, needs []need) {
	c, ok := classOf(u)
	if !ok {
		u.measure(needs)
		return
	}
	slot := &cs.slots[c.hash()&uint64(len(cs.slots)-1)]
	if slot.fit == nil || slot.class != c {
		u.measure(needs)
		u.classed = true
		*slot = classSlot{c, u.fit}
		return
	}
	u.fit = slot.fit
}

// hash mixes the numbers that kernels differ in most.
func (c *class) hash() uint64 {
	h := uint64(c.registers) | uint64(c.shared)<<32
	h = h*0x9E3779B97F4A7C15 ^ (uint64(c.stack) | uint64(c.stores)<<32)
	h = h*0x9E3779B97F4A7C15 ^ (uint64(c.barriers) | uint64(c.loads)<<32)
	h = h*0x9E3779B97F4A7C15 ^ (uint64(c.decl.id) | uint64(c.cumulative)<<32)
	h *= 0x9E3779B97F4A7C15
	return h >> 40
}

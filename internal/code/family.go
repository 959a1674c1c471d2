package code

import "fmt"

// family is one encoding: how wide an instruction is, which slots hold none,
// and how its fields are read. The tables behind it were written from own
// builds and their disassembly (see docs/where.md for what was compared).
type family struct {
	name string
	// width is the bytes of one slot.
	width uint32
	// control reports whether the slot holds scheduling information for its
	// neighbours instead of an instruction.
	control func(offset uint32, w0 uint64) bool
	// opcode says what kind an instruction is, from its first word.
	opcode func(w0 uint64) Kind
	// fields fills in the rest.
	fields func(i *Inst, w0, w1 uint64)
	// exact is unset where only positions are to be trusted: no disassembler
	// was at hand that draws this family's control flow.
	exact bool
}

// familyOf returns the encoding of an architecture.
func familyOf(sm int) (*family, error) {
	switch {
	case sm == 35 || sm == 37:
		return &kepler, nil
	case sm >= 50 && sm < 70:
		return &maxwell, nil
	case sm >= 70 && sm < 90:
		return &volta, nil
	case sm >= 90:
		return &hopper, nil
	}
	return nil, fmt.Errorf("the instructions of sm_%d are not known to occlint: known are sm_35, sm_37, and sm_50 and later", sm)
}

// signed takes the low bits of v as a number in two's complement.
func signed(v uint64, bits uint) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// target is where an instruction at offset leads: relative to its end.
func target(offset, width uint32, distance int64) uint32 {
	t := int64(offset) + int64(width) + distance
	if t < 0 || t >= int64(NoTarget) {
		return NoTarget
	}
	return uint32(t)
}

// accessBytes are the sizes that a local access's code of three bits means:
// signed and unsigned bytes and half words, then one, two and four words.
var accessBytes = [8]uint8{1, 1, 2, 2, 4, 8, 16, 0}

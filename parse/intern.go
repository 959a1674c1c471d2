package parse

import (
	"hash/maphash"

	"github.com/occlint/occlint/parse/internal/msg"
)

// An interner makes strings of names. Names that come again, which is what
// most names of a large build do, are stored once; the others share blocks.
type interner struct {
	seed   maphash.Seed
	slots  []internSlot
	stored int
	block  []byte
}

// internSlot has the hash beside the string, so that a string that is not
// the one looked for is not touched.
type internSlot struct {
	hash uint64
	s    string
}

const (
	fewSlots    = 1 << 8
	manySlots   = 1 << 15
	internBlock = 64 << 10
)

func (n *interner) intern(b []byte) string {
	s, _ := n.hashed(b)
	return s
}

// hashed returns the string of b and its hash, 0 when b is empty. Each hash
// has two slots; what is pushed out of them is stored again when it comes
// again.
func (n *interner) hashed(b []byte) (string, uint64) {
	if len(b) == 0 {
		return "", 0
	}
	if n.slots == nil {
		n.sow()
		n.slots = make([]internSlot, fewSlots)
	}
	h := maphash.Bytes(n.seed, b)
	set := n.set(h)
	if set[0].hash == h && set[0].s == string(b) {
		return set[0].s, h
	}
	if set[1].hash == h && set[1].s == string(b) {
		set[0], set[1] = set[1], set[0]
		return set[0].s, h
	}
	s := n.store(b)
	set[1], set[0] = set[0], internSlot{h, s}
	if n.stored++; n.stored > len(n.slots)/2 && len(n.slots) < manySlots {
		n.grow()
	}
	return s, h
}

// sow makes sure that there is a seed. Interners of one seed have the same
// hashes.
func (n *interner) sow() {
	if n.seed == (maphash.Seed{}) {
		n.seed = maphash.MakeSeed()
	}
}

func (n *interner) set(h uint64) *[2]internSlot {
	i := h & uint64(len(n.slots)/2-1) * 2
	return (*[2]internSlot)(n.slots[i : i+2])
}

func (n *interner) grow() {
	old := n.slots
	n.slots = make([]internSlot, 4*len(old))
	for _, slot := range old {
		if slot.s != "" {
			set := n.set(slot.hash)
			set[1], set[0] = set[0], slot
		}
	}
}

// store copies b into the current block.
func (n *interner) store(b []byte) string {
	if len(b) > internBlock/8 {
		return string(b)
	}
	if len(b) > cap(n.block)-len(n.block) {
		n.block = make([]byte, 0, max(len(b), min(internBlock, 2*cap(n.block)+1024)))
	}
	start := len(n.block)
	n.block = append(n.block, b...)
	return stringOf(n.block[start:])
}

// lastString spares the look-up of a string that is nearly always the one
// before.
type lastString struct{ s string }

func (l *lastString) intern(n *interner, b []byte) string {
	if l.s != string(b) {
		l.s = n.intern(b)
	}
	return l.s
}

// A bankInterner packs constant banks; kernels with the same parameters share
// the text.
type bankInterner struct {
	texts  interner
	packed []byte
}

func (n *bankInterner) intern(from *msg.Quantities) Banks {
	n.packed = n.packed[:0]
	for _, b := range from.Banks() {
		n.packed = appendBank(n.packed, int(b.Bank), b.Bytes)
	}
	return Banks(n.texts.intern(n.packed))
}

package parse

import (
	"bytes"
	"hash/maphash"
)

// A nameTable stores each of many names once and gives it a number. Names are
// most of what a large log is, so they stand one behind the other, and
// nothing in the table is a pointer that the collector would have to follow.
type nameTable struct {
	seed   maphash.Seed
	slots  []uint64 // half of a name's hash, and its number and one; 0 is empty
	places pages[namePlace]
	chunks [][]byte
	open   int // the number of the chunk that names are copied to, from 1 on
}

// namePlace is where a name stands: the chunk's number from 1 on, offset and
// length.
type namePlace uint64

const (
	offsetBits = 20
	wholeChunk = 1<<offsetBits - 1 // as a length: the name is all of its chunk
	firstChunk = 4 << 10
	fullChunk  = 256 << 10
)

func newNameTable() nameTable { return nameTable{seed: maphash.MakeSeed()} }

func (t *nameTable) hash(name []byte) uint64 { return maphash.Bytes(t.seed, name) }

// name returns the name with a number. It shares the table's memory.
func (t *nameTable) name(number int32) string { return stringOf(t.bytes(number)) }

func (t *nameTable) bytes(number int32) []byte {
	place := *t.places.at(number)
	offset := uint32(place>>offsetBits) & (1<<offsetBits - 1)
	length := uint32(place) & (1<<offsetBits - 1)
	if length == wholeChunk {
		return t.chunks[place>>(2*offsetBits)-1]
	}
	return t.chunks[place>>(2*offsetBits)-1][offset : offset+length]
}

// number returns the number of a name, given with its hash. A name that is
// not there is added; place says where it stands in one of the chunks, 0 that
// it must be copied to one.
func (t *nameTable) number(name []byte, hash uint64, place namePlace) int32 {
	if int(t.places.n)*4 >= len(t.slots)*3 {
		t.grow()
	}
	half := hash >> 32
	mask := uint64(len(t.slots) - 1)
	for i := half & mask; ; i = (i + 1) & mask {
		slot := t.slots[i]
		if slot == 0 {
			t.slots[i] = half<<32 | uint64(t.places.n+1)
			if place == 0 {
				place = t.copy(name)
			}
			*t.places.add() = place
			return t.places.n - 1
		}
		if slot>>32 == half && string(t.bytes(int32(uint32(slot)-1))) == string(name) {
			return int32(uint32(slot) - 1)
		}
	}
}

// fetch brings the slots of all names of a block near the processor, which is
// most of what looking them up costs: one after the other they would be waited
// for. It returns how many names the table most likely does not have.
func (t *nameTable) fetch(found []foundRecord) (n int) {
	if len(t.slots) == 0 {
		return len(found)
	}
	mask := uint64(len(t.slots) - 1)
	for i := range found {
		half := found[i].hash >> 32
		if slot := t.slots[half&mask]; slot>>32 != half {
			n++
		}
	}
	return n
}

// adopt makes a text a chunk of the table, and returns the place of its first
// byte. The text is the table's from then on.
func (t *nameTable) adopt(text []byte) namePlace {
	t.chunks = append(t.chunks, text[:len(text):len(text)])
	return namePlace(len(t.chunks)) << (2 * offsetBits)
}

// at is the place of a name that begins at an offset of an adopted text.
func (p namePlace) at(offset, length int) namePlace {
	return p | namePlace(offset)<<offsetBits | namePlace(length)
}

// find returns the number of a name, -1 when the table does not have it.
func (t *nameTable) find(name string) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	half := maphash.String(t.seed, name) >> 32
	mask := uint64(len(t.slots) - 1)
	for i := half & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if slot := t.slots[i]; slot>>32 == half && string(t.bytes(int32(uint32(slot)-1))) == name {
			return int32(uint32(slot) - 1)
		}
	}
	return -1
}

// copy copies a name to a chunk that has room for it.
func (t *nameTable) copy(name []byte) namePlace {
	if len(name) >= wholeChunk {
		return t.adopt(bytes.Clone(name)).at(0, wholeChunk)
	}
	if t.open == 0 || len(name) > cap(t.chunks[t.open-1])-len(t.chunks[t.open-1]) {
		size := firstChunk
		if t.open > 0 {
			size = min(2*cap(t.chunks[t.open-1]), fullChunk)
		}
		t.chunks = append(t.chunks, make([]byte, 0, max(size, len(name))))
		t.open = len(t.chunks)
	}
	chunk := &t.chunks[t.open-1]
	place := (namePlace(t.open) << (2 * offsetBits)).at(len(*chunk), len(name))
	*chunk = append(*chunk, name...)
	return place
}

// grow doubles the table. The half of a hash that a slot holds is enough for
// that: no name is looked at.
func (t *nameTable) grow() {
	old := t.slots
	t.slots = make([]uint64, max(256, 2*len(old)))
	// Memory that is read before it is written is mapped twice by Linux, the
	// first time to a page of zeros.
	for i := 0; i < len(t.slots); i += 4096 / 8 {
		t.slots[i] = 0
	}
	mask := uint64(len(t.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := slot >> 32 & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = slot
	}
}

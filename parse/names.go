package parse

import (
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
}

// namePlace is where a name stands: chunk, offset and length.
type namePlace uint64

const (
	offsetBits  = 20
	longestName = 1 << 16 // of what a table takes
	firstChunk  = 4 << 10
	fullChunk   = 256 << 10
)

func newNameTable() nameTable { return nameTable{seed: maphash.MakeSeed()} }

func (t *nameTable) hash(name []byte) uint64 { return maphash.Bytes(t.seed, name) }

// name returns the name with a number. It shares the table's memory.
func (t *nameTable) name(number int32) string { return stringOf(t.bytes(number)) }

func (t *nameTable) bytes(number int32) []byte {
	place := *t.places.at(number)
	offset := uint32(place>>offsetBits) & (1<<offsetBits - 1)
	length := uint32(place) & (1<<offsetBits - 1)
	return t.chunks[place>>(2*offsetBits)][offset : offset+length]
}

// number returns the number of a name, given with its hash. A name that is
// not there is added.
func (t *nameTable) number(name []byte, hash uint64) int32 {
	if int(t.places.n)*4 >= len(t.slots)*3 {
		t.grow()
	}
	half := hash >> 32
	mask := uint64(len(t.slots) - 1)
	for i := half & mask; ; i = (i + 1) & mask {
		slot := t.slots[i]
		if slot == 0 {
			t.slots[i] = half<<32 | uint64(t.places.n+1)
			t.add(name)
			return t.places.n - 1
		}
		if slot>>32 == half && string(t.bytes(int32(uint32(slot)-1))) == string(name) {
			return int32(uint32(slot) - 1)
		}
	}
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

func (t *nameTable) add(name []byte) {
	last := len(t.chunks) - 1
	if last < 0 || len(name) > cap(t.chunks[last])-len(t.chunks[last]) {
		size := firstChunk
		if last >= 0 {
			size = min(2*cap(t.chunks[last]), fullChunk)
		}
		t.chunks = append(t.chunks, make([]byte, 0, max(size, len(name))))
		last++
	}
	offset := len(t.chunks[last])
	t.chunks[last] = append(t.chunks[last], name...)
	*t.places.add() = namePlace(last)<<(2*offsetBits) | namePlace(offset)<<offsetBits | namePlace(len(name))
}

// grow doubles the table. The half of a hash that a slot holds is enough for
// that: no name is looked at.
func (t *nameTable) grow() {
	old := t.slots
	t.slots = make([]uint64, max(256, 2*len(old)))
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

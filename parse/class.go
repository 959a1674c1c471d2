package parse

import (
	"bytes"
	"hash/maphash"
	"sync"
)

// A class is what whole records say beside the kernel's name and the compile
// time: an architecture, a stack line and a Used line; of a function, which
// has no Used line, the architecture is its kernel's. Large logs have few
// classes, so each is read once, and its records point to it.
type class struct {
	arch, stack, used string // the text
	kernel            Kernel // the numbers, without name and place

	// The Reader's own.

	id      int32  // among the log's, and one
	sibling *class // of another architecture, a function's
}

// mostClasses bounds what a log without two equal records can cost. Records of
// further classes are read line by line and stored as they are.
const mostClasses = 1 << 16

// A classTable has all classes of a log. The scouts share it.
type classTable struct {
	mu     sync.Mutex
	byText map[string]*class
	names  interner
	banks  bankInterner
	key    []byte
}

// class finds or makes the class of a text whose numbers are m's; nil when
// there are too many.
func (t *classTable) class(arch, stack, used []byte, m *message) *class {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.key = append(t.key[:0], arch...)
	t.key = append(t.key, '\n') // in none of them
	t.key = append(t.key, stack...)
	t.key = append(t.key, '\n')
	t.key = append(t.key, used...)
	if c := t.byText[string(t.key)]; c != nil {
		return c
	}
	if len(t.byText) >= mostClasses {
		return nil
	}
	text := string(t.key)
	c := &class{arch: t.names.intern(arch), stack: text[len(arch)+1 : len(arch)+1+len(stack)], used: text[len(text)-len(used):]}
	k := &c.kernel
	k.Arch, k.Kind, k.Stage = c.arch, Entry, StagePtxas
	if c.used == "" {
		k.Kind = Function
	}
	k.takeStack(&m.values)
	k.takeUsed(&m.values, t.banks.intern(&m.numbers))
	if t.byText == nil {
		t.byText = map[string]*class{}
	}
	t.byText[text] = c
	return c
}

// A classCache finds the classes that came last without asking the table, and
// without reading the numbers once more. What it knows was read in one frame.
type classCache struct {
	table *classTable
	seed  maphash.Seed
	slots [512]cachedClass

	frame   *frame // of the texts that came so far
	asked   *frame // what in was last asked for, in which version
	version int

	lastStack []byte
	lastHash  uint64

	message message // scratch
}

type cachedClass struct {
	hash  uint64
	class *class
}

func newClassCache(t *classTable) *classCache {
	return &classCache{table: t, seed: maphash.MakeSeed()}
}

// in says in which frame the texts to come stand.
func (c *classCache) in(f *frame) {
	if c.asked == f && c.version == f.version {
		return
	}
	c.asked, c.version = f, f.version
	if c.frame == nil || !c.frame.equal(f) {
		c.frame = f.clone()
		c.slots = [len(c.slots)]cachedClass{}
	}
}

// find returns the class of a text, nil when it is none: when something else
// stands in it, or when there are too many.
func (c *classCache) find(arch, stackLine, usedLine []byte) *class {
	slot, ok := c.slot(arch, stackLine, usedLine)
	if ok {
		return slot.class
	}
	slot.class = nil
	m := &c.message
	m.reset()
	if n := stackFrame(stackLine, m); n != len(stackLine) || m.cut {
		return nil
	}
	if len(usedLine) > 0 {
		v := m.values
		if n := used(usedLine, m); n != len(usedLine) || m.cut {
			return nil
		}
		m.stack, m.stores, m.loads = v.stack, v.stores, v.loads
	}
	slot.class = c.table.class(arch, stackLine, usedLine, m)
	return slot.class
}

// of returns the class of functions with the same numbers on an architecture,
// nil when there are too many.
func (c *class) of(arch string, classes *classCache) *class {
	if c.arch == arch {
		return c
	}
	if c.sibling == nil || c.sibling.arch != arch {
		c.sibling = classes.find([]byte(arch), []byte(c.stack), nil)
	}
	return c.sibling
}

// slot returns where the class of a text belongs, and whether it is there.
func (c *classCache) slot(arch, stack, used []byte) (*cachedClass, bool) {
	if !bytes.Equal(c.lastStack, stack) { // as few are
		c.lastStack, c.lastHash = append(c.lastStack[:0], stack...), maphash.Bytes(c.seed, stack)
	}
	h := c.lastHash ^ maphash.Bytes(c.seed, used)*3
	for _, b := range arch {
		h = h*31 + uint64(b)
	}
	slot := &c.slots[(h^h>>32)%uint64(len(c.slots))]
	k := slot.class
	if k != nil && slot.hash == h && k.arch == string(arch) && k.stack == string(stack) && k.used == string(used) {
		return slot, true
	}
	slot.hash = h
	return slot, false
}

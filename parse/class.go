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

// find returns the class of a text; full says that there is none and that no
// more are taken.
func (t *classTable) find(arch, stack, used []byte) (c *class, full bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byText[string(t.text(arch, stack, used))], len(t.byText) >= mostClasses
}

// text is the key of a class, until the next call.
func (t *classTable) text(arch, stack, used []byte) []byte {
	t.key = append(t.key[:0], arch...)
	t.key = append(t.key, '\n') // in none of them
	t.key = append(t.key, stack...)
	t.key = append(t.key, '\n')
	t.key = append(t.key, used...)
	return t.key
}

// add makes the class of a text whose numbers are m's, if nobody else has.
func (t *classTable) add(arch, stack, used []byte, m *message) *class {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.text(arch, stack, used))
	if c := t.byText[text]; c != nil {
		return c
	}
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

// A classCache finds the classes that came last without asking the table.
type classCache struct {
	table *classTable
	seed  maphash.Seed
	slots []cachedClass

	lastStack []byte
	lastHash  uint64

	message message // scratch
}

type cachedClass struct {
	hash  uint64
	class *class
}

const (
	fewClasses  = 1 << 8  // of the Reader, which has no need of more until it sends scouts
	manyClasses = 1 << 12 // of a scout
)

func newClassCache(t *classTable, size int) *classCache {
	return &classCache{table: t, seed: maphash.MakeSeed(), slots: make([]cachedClass, size)}
}

// find returns the class of a text, nil when it is none: when something else
// stands in it, or when there are too many.
func (c *classCache) find(arch, stack, used []byte) *class {
	slot, ok := c.slot(arch, stack, used)
	if ok {
		return slot.class
	}
	known, full := c.table.find(arch, stack, used)
	if known == nil && !full && c.read(stack, used) {
		known = c.table.add(arch, stack, used, &c.message)
	}
	slot.class = known
	return known
}

// read reads the numbers of a stack line and, unless it is empty, of a Used
// line. It returns false when anything else stands in them.
func (c *classCache) read(stack, usedLine []byte) bool {
	m := &c.message
	m.reset()
	if n := stackFrame(stack, m); n != len(stack) || m.cut {
		return false
	}
	if len(usedLine) == 0 {
		return true
	}
	v := m.values
	if n := used(usedLine, m); n != len(usedLine) || m.cut {
		return false
	}
	m.stack, m.stores, m.loads = v.stack, v.stores, v.loads
	return true
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
	slot := &c.slots[(h^h>>32)&uint64(len(c.slots)-1)]
	k := slot.class
	if k != nil && slot.hash == h && k.arch == string(arch) && k.stack == string(stack) && k.used == string(used) {
		return slot, true
	}
	slot.hash = h
	return slot, false
}

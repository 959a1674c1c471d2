package parse

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/occlint/occlint/parse/internal/msg"
)

// A wording is what whole records say beside the kernel's name and the compile
// time: an architecture, a stack line and a Used line; of a function, which has
// no Used line, the architecture is its kernel's. Large logs have few, so each
// is read once, and its records share its class.
type wording struct {
	arch, stack, used string // the text
	class             *Class // what it says

	// The reader's own.

	number  int32    // of the class in the log, and one
	sibling *wording // of another architecture, a function's
}

// mostWordings bounds what a log without two equal records can cost. Records of
// further wordings are read line by line.
const mostWordings = 1 << 16

// A wordingTable has all wordings of a log. The scouts share it.
type wordingTable struct {
	mu     sync.Mutex
	byText map[string]*wording
	names  interner
	banks  bankInterner
	key    []byte
}

// find returns the wording of a text; full says that there is none and that no
// more are taken.
func (t *wordingTable) find(arch, stack, used []byte) (w *wording, full bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byText[string(t.text(arch, stack, used))], len(t.byText) >= mostWordings
}

// text is the key of a wording, until the next call.
func (t *wordingTable) text(arch, stack, used []byte) []byte {
	t.key = append(t.key[:0], arch...)
	t.key = append(t.key, '\n') // in none of them
	t.key = append(t.key, stack...)
	t.key = append(t.key, '\n')
	t.key = append(t.key, used...)
	return t.key
}

// add makes the wording of a text whose numbers are q's, if nobody else has.
func (t *wordingTable) add(arch, stack, used []byte, q *msg.Quantities) *wording {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.text(arch, stack, used))
	if w := t.byText[text]; w != nil {
		return w
	}
	w := &wording{arch: t.names.intern(arch), stack: text[len(arch)+1 : len(arch)+1+len(stack)], used: text[len(text)-len(used):]}
	w.class = &Class{Arch: w.arch, Kind: Entry, Stage: StagePtxas}
	if w.used == "" {
		w.class.Kind = Function
	}
	w.class.stateStack(&q.Values)
	w.class.stateUsed(&q.Values, t.banks.intern(q))
	if t.byText == nil {
		t.byText = map[string]*wording{}
	}
	t.byText[text] = w
	return w
}

// A wordingCache finds the wordings that came last without asking the table.
type wordingCache struct {
	table *wordingTable
	seed  maphash.Seed
	slots []cachedWording

	lastStack []byte
	lastHash  uint64

	message msg.Message // scratch
}

type cachedWording struct {
	hash    uint64
	wording *wording
}

const (
	fewWordings  = 1 << 8  // of the Reader, which has no need of more until it sends scouts
	manyWordings = 1 << 12 // of a scout
)

func newWordingCache(t *wordingTable, size int) *wordingCache {
	return &wordingCache{table: t, seed: maphash.MakeSeed(), slots: make([]cachedWording, size)}
}

// find returns the wording of a text, nil when it is none: when something else
// stands in it, or when there are too many.
func (c *wordingCache) find(arch, stack, used []byte) *wording {
	slot, ok := c.slot(arch, stack, used)
	if ok {
		return slot.wording
	}
	known, full := c.table.find(arch, stack, used)
	if known == nil && !full && c.read(stack, used) {
		known = c.table.add(arch, stack, used, &c.message.Quantities)
	}
	slot.wording = known
	return known
}

// read reads the numbers of a stack line and, unless it is empty, of a Used
// line. It returns false when anything else stands in them.
func (c *wordingCache) read(stack, used []byte) bool {
	m := &c.message
	if !msg.ReadStackFrame(stack, m) {
		return false
	}
	if len(used) == 0 {
		return true
	}
	v := m.Values
	if !msg.ReadUsed(used, m) {
		return false
	}
	m.Stack, m.Stores, m.Loads = v.Stack, v.Stores, v.Loads
	return true
}

// of returns the wording of functions with the same numbers on an architecture,
// nil when there are too many.
func (w *wording) of(arch string, wordings *wordingCache) *wording {
	if w.arch == arch {
		return w
	}
	if w.sibling == nil || w.sibling.arch != arch {
		w.sibling = wordings.find([]byte(arch), []byte(w.stack), nil)
	}
	return w.sibling
}

// slot returns where the wording of a text belongs, and whether it is there.
func (c *wordingCache) slot(arch, stack, used []byte) (*cachedWording, bool) {
	if !bytes.Equal(c.lastStack, stack) { // as few are
		c.lastStack, c.lastHash = append(c.lastStack[:0], stack...), maphash.Bytes(c.seed, stack)
	}
	h := c.lastHash ^ maphash.Bytes(c.seed, used)*3
	for _, b := range arch {
		h = h*31 + uint64(b)
	}
	slot := &c.slots[(h^h>>32)&uint64(len(c.slots)-1)]
	k := slot.wording
	if k != nil && slot.hash == h && k.arch == string(arch) && k.stack == string(stack) && k.used == string(used) {
		return slot, true
	}
	slot.hash = h
	return slot, false
}

package name

// oddByte is a needle that stands for any byte that no identifier has.
const oddByte = " "

// automaton looks for many needles in one pass over a text (Aho and Corasick,
// with all failure links resolved). Its table has one column for each byte
// that occurs in a needle and one for all others (two: those of identifiers, and odd ones), so it stays in the cache
// for the few dozen patterns of a usual config.
type automaton struct {
	class   [256]uint8 // column of a byte
	columns int
	next    []int32   // next[state+class] is the next state, already times columns
	steps   []uint32  // as next, doubled, and one more where a needle ends: what scan walks
	found   [][]int32 // by state number: the needles that end there
}

// newAutomaton builds the table. A needle is known by its index.
func newAutomaton(needles []string) *automaton {
	a := &automaton{columns: 2}
	for c := range a.class {
		if !isWord(byte(c)) {
			a.class[c] = 1
		}
	}
	for _, needle := range needles {
		for i := range len(needle) {
			// Bytes of identifiers and the odd ones as one: fewer than 256.
			if c := needle[i]; a.class[c] == 0 {
				a.class[c] = uint8(a.columns)
				a.columns++
			}
		}
	}
	a.addState()
	for i, needle := range needles {
		a.insert(needle, int32(i))
	}
	a.link()
	return a
}

func (a *automaton) addState() int32 {
	state := int32(len(a.next))
	for range a.columns {
		a.next = append(a.next, -1)
	}
	a.found = append(a.found, nil)
	return state
}

func (a *automaton) insert(needle string, id int32) {
	state := int32(0)
	for i := range len(needle) {
		at := state + int32(a.class[needle[i]])
		if a.next[at] < 0 {
			a.next[at] = a.addState()
		}
		state = a.next[at]
	}
	n := int(state) / a.columns
	a.found[n] = append(a.found[n], id)
}

// link sends each missing step to where the longest suffix of what was read
// goes, and collects the needles that end in such a suffix; states are
// visited by depth so that shorter suffixes are ready.
func (a *automaton) link() {
	fail := make([]int32, len(a.found))
	var queue []int32
	for c := range a.columns {
		if to := a.next[c]; to > 0 {
			queue = append(queue, to)
		} else {
			a.next[c] = 0
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		back := fail[int(state)/a.columns]
		n := int(state) / a.columns
		a.found[n] = append(a.found[n], a.found[int(back)/a.columns]...)
		for c := range int32(a.columns) {
			to := a.next[state+c]
			if to < 0 {
				a.next[state+c] = a.next[back+c]
				continue
			}
			fail[int(to)/a.columns] = a.next[back+c]
			queue = append(queue, to)
		}
	}
	a.steps = make([]uint32, len(a.next))
	for i, to := range a.next {
		a.steps[i] = uint32(to) << 1
		if len(a.found[int(to)/a.columns]) > 0 {
			a.steps[i]++
		}
	}
	a.next = nil
}

// scan calls hit for each needle that occurs in the text, once for each place.
func (a *automaton) scan(text string, hit func(id int32)) {
	state := uint32(0)
	for i := range len(text) {
		step := a.steps[state+uint32(a.class[text[i]])]
		state = step >> 1
		if step&1 == 0 {
			continue
		}
		for _, id := range a.found[int(state)/a.columns] {
			hit(id)
		}
	}
}

package ptx

import (
	"slices"

	"github.com/occlint/occlint/parse"
)

// shared is an array of shared memory, and where it is declared.
type shared struct {
	name  string
	place parse.Place
}

// module knows which name of a module uses which: functions, entries, arrays
// and the tables that hold functions. A call through a table may reach any
// function in it.
type module struct {
	ids     map[string]int
	usedBy  [][]int32      // for each name, those whose body or initializer has it
	last    []int          // for each name, the one that was last noted to use it
	arrays  map[int]shared // those without a size
	entries map[int]int    // index of the Entry of a name
	bodies  map[int]bool   // functions that were declared, and whether their body is here
}

func newModule() module {
	return module{ids: map[string]int{}, arrays: map[int]shared{}, entries: map[int]int{}, bodies: map[int]bool{}}
}

// declare returns the number of a name.
func (m *module) declare(name string) int {
	id, known := m.ids[name]
	if !known {
		id = len(m.usedBy)
		m.ids[name] = id
		m.usedBy = append(m.usedBy, nil)
		m.last = append(m.last, -1)
	}
	return id
}

func (m *module) entry(id, index int) { m.entries[id] = index }

func (m *module) dynamic(a shared) { m.arrays[m.declare(a.name)] = a }

// use notes that owner has a word. PTX declares names before they are used, so
// other words are instructions, labels and parameters.
func (m *module) use(owner int, word []byte) {
	id, known := m.ids[string(word)]
	if !known || id == owner || m.last[id] == owner {
		return
	}
	m.last[id] = owner
	m.usedBy[id] = append(m.usedBy[id], int32(owner))
}

// behindPointer stands for all that a call through a register can reach. No
// name of PTX has a space.
const behindPointer = "a function behind a pointer"

// system are the functions that the driver has and that PTX declares without a
// body: CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory
// Allocation" and "Assertion". They touch no array of the kernel's.
var system = map[string]bool{"vprintf": true, "malloc": true, "free": true, "__assertfail": true}

// mark tells each entry which array and which function of elsewhere it
// reaches.
func (m *module) mark(entries []Entry) {
	seen := make([]bool, len(m.usedBy))
	for id := range m.usedBy { // in the order of declaration, so that a text gives one answer
		if a, dynamic := m.arrays[id]; dynamic {
			m.users(id, seen, func(i int) { entries[i].DynamicShared, entries[i].DynamicSharedAt = a.name, a.place })
		}
	}
	var outside []string
	for name, id := range m.ids {
		if here, isFunction := m.bodies[id]; isFunction && !here && !system[name] {
			outside = append(outside, name)
		}
	}
	slices.SortFunc(outside, func(a, b string) int { return m.ids[a] - m.ids[b] })
	clear(seen)
	for _, name := range outside {
		m.users(m.ids[name], seen, func(i int) { entries[i].Outside = name })
	}
}

// users calls found with each entry that reaches a name. It goes from the name
// to those that use it, so that each use is looked at once.
func (m *module) users(id int, seen []bool, found func(entry int)) {
	for queue := []int32{int32(id)}; len(queue) > 0; {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		if i, ok := m.entries[int(next)]; ok {
			found(i)
		}
		queue = append(queue, m.usedBy[next]...)
	}
}

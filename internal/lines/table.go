package lines

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Place is a line of a source file.
type Place struct {
	File string
	Line int
}

// Call is where a function was inlined: what was called, and from which line.
type Call struct {
	Function string // as the compiler names it; "" where it isn't told
	From     Place
}

// Row says that the code from Offset on came from a line.
type Row struct {
	Offset uint64
	Place
	// call is the row that this one was inlined at, by its number from 1 in
	// the sequence; 0 for code of the function itself.
	call     int32
	function uint32 // offset of the inlined function's name
}

// Sequence is the rows of one stretch of code, by their offsets from Start.
type Sequence struct {
	Section string // what the relocation of its first address names; "" for none
	Start   uint64 // offset in that section
	End     uint64 // the first offset that no longer belongs to it
	rows    []Row  // in the order of the program: calls are numbered by it
	order   []int32
	reach   uint64 // the highest End of this one and those before it
}

// Table is the line tables of a cubin.
type Table struct {
	sequences map[string][]*Sequence
	strings   []byte
}

// At answers an offset in a section with its line and the calls it was inlined
// through, nearest first. It reports false where the table has no line.
func (t *Table) At(section string, offset uint64) (Place, []Call, bool) {
	if t == nil {
		return Place{}, nil, false
	}
	all := t.sequences[section]
	n, _ := slices.BinarySearchFunc(all, offset+1, func(s *Sequence, o uint64) int {
		if s.Start < o {
			return -1
		}
		return 1
	})
	for n--; n >= 0; n-- {
		s := all[n]
		if offset >= s.End {
			if n > 0 && all[n-1].reach > offset {
				continue // one that starts earlier ends later
			}
			break
		}
		if r, ok := s.at(offset); ok && r.Line > 0 {
			return r.Place, t.calls(s, r), true
		}
		break
	}
	return Place{}, nil, false
}

// Sections counts the sections that have lines.
func (t *Table) Sections() int {
	if t == nil {
		return 0
	}
	return len(t.sequences)
}

// at is the last row at or before an offset.
func (s *Sequence) at(offset uint64) (Row, bool) {
	n, _ := slices.BinarySearchFunc(s.order, offset+1, func(i int32, o uint64) int {
		if s.rows[i].Offset < o {
			return -1
		}
		return 1
	})
	if n == 0 {
		return Row{}, false
	}
	return s.rows[s.order[n-1]], true
}

// maxCalls bounds a chain of inlined calls.
const maxCalls = 64

func (t *Table) calls(s *Sequence, r Row) []Call {
	var calls []Call
	for r.call > 0 && len(calls) < maxCalls {
		if int(r.call) > len(s.rows) {
			break
		}
		from := s.rows[r.call-1]
		calls = append(calls, Call{Function: t.name(r.function), From: from.Place})
		r = from
	}
	return calls
}

// name is the string at an offset of .debug_str.
func (t *Table) name(offset uint32) string {
	if int64(offset) >= int64(len(t.strings)) {
		return ""
	}
	rest := t.strings[offset:]
	if n := slices.Index(rest, 0); n >= 0 {
		rest = rest[:n]
	}
	return string(rest)
}

// arrange puts rows into the order of their offsets; of several at one offset
// the last of the program stands.
func (s *Sequence) arrange() {
	s.order = make([]int32, len(s.rows))
	for i := range s.order {
		s.order[i] = int32(i)
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(s.rows[a].Offset, s.rows[b].Offset) })
}

// join is a file's path out of a line table: absolute where it can be, with
// slashes, and without the dots that a compiler leaves in it.
func join(dir, name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if dir != "" && !path.IsAbs(name) && !drive(name) {
		name = strings.ReplaceAll(dir, `\`, "/") + "/" + name
	}
	return path.Clean(name)
}

// drive reports whether a path starts as one on Windows does.
func drive(name string) bool { return len(name) > 2 && name[1] == ':' && name[2] == '/' }

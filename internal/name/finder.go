package name

import "strings"

// finder looks for many short texts in one pass. It looks at three bytes at a
// time and needs only every fourth place: whichever way a needle of six bytes
// lies in the text, one of its first four triples lies at such a place. A
// hash says which triples are in needles. Unlike an automaton's, or those of a
// search that skips by what it has read, its steps don't wait for one another.
type finder struct {
	needles []string // each at least minNeedle bytes
	stride  int      // 4, 2 or 1
	known   [1 << hashBits]bool
	heads   [1 << hashBits]int32 // triples of one hash: index + 1, 0 at the end
	triples []triple
}

const (
	hashBits = 12
	// manyNeedles fill the table; more triples of each would only be found
	// where they are not meant.
	manyNeedles = 300
)

// triple is three bytes of a needle.
type triple struct {
	needle int32
	offset int32 // in the needle
	next   int32
}

// newFinder returns a finder of needles; they are known by their index.
func newFinder(needles []string) *finder {
	f := &finder{needles: needles, stride: 4}
	for _, needle := range needles {
		for f.stride > 1 && len(needle) < f.stride+minNeedle-1 {
			f.stride /= 2
		}
	}
	if len(needles) > manyNeedles {
		f.stride = 1
	}
	for i, needle := range needles {
		for offset := range f.stride {
			t := needle[offset:]
			h := hash3(uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16)
			f.triples = append(f.triples, triple{int32(i), int32(offset), f.heads[h]})
			f.heads[h], f.known[h] = int32(len(f.triples)), true
		}
	}
	return f
}

// hash3 mixes the low three bytes of v.
func hash3(v uint64) uint32 { return uint32(v) << 8 * 0x9E3779B1 >> (32 - hashBits) }

// find appends the needles that occur in the text to dst, each once.
func (f *finder) find(text string, dst []int) []int {
	from := len(dst)
	i := 0
	for ; i+8 <= len(text); i += 4 {
		v := load8(text[i : i+8])
		if f.known[hash3(v)] {
			dst = f.compare(text, i, v, dst, from)
		}
		if f.stride == 4 {
			continue
		}
		if f.known[hash3(v>>16)] {
			dst = f.compare(text, i+2, v>>16, dst, from)
		}
		if f.stride == 2 {
			continue
		}
		if f.known[hash3(v>>8)] {
			dst = f.compare(text, i+1, v>>8, dst, from)
		}
		if f.known[hash3(v>>24)] {
			dst = f.compare(text, i+3, v>>24, dst, from)
		}
	}
	for ; i+minNeedle <= len(text); i += f.stride {
		v := uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16
		if f.known[hash3(v)] {
			dst = f.compare(text, i, v, dst, from)
		}
	}
	return dst
}

// compare looks closer at a place whose triple, the low bytes of v, has the
// hash of a needle's.
func (f *finder) compare(text string, at int, v uint64, dst []int, from int) []int {
	for n := f.heads[hash3(v)]; n != 0; {
		t := f.triples[n-1]
		begin := at - int(t.offset)
		if begin >= 0 && strings.HasPrefix(text[begin:], f.needles[t.needle]) {
			dst = appendNew(dst, from, int(t.needle))
		}
		n = t.next
	}
	return dst
}

// appendNew appends n unless it is in dst[from:].
func appendNew(dst []int, from, n int) []int {
	for _, have := range dst[from:] {
		if have == n {
			return dst
		}
	}
	return append(dst, n)
}

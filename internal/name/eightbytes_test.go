package name

import (
	"slices"
	"strings"
	"testing"
)

func slowNonWord(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) {
			return true
		}
	}
	return false
}

func slowMark(s string) int {
	for i := range len(s) {
		if isMark(s[i:]) {
			return i
		}
	}
	return -1
}

// Each byte at each place of texts that are shorter and longer than a word.
func TestHasOdd(t *testing.T) {
	for size := 1; size <= 20; size++ {
		for at := range size {
			for c := range 256 {
				text := []byte("azAZ09_mMazAZ09_mMaz"[:size])
				text[at] = byte(c)
				if got, want := hasNonWord(string(text)), !isWord(byte(c)); got != want {
					t.Errorf("hasNonWord(%q) = %v", text, got)
				}
			}
		}
	}
	if hasNonWord("") {
		t.Error("the empty text has a byte outside identifiers")
	}
}

func TestHasSpecial(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "Z": false, "_Z": false, "ZT": true, "_ZT": true, "_ZGV": true, "_ZZT": true, "_ZZ1fvE": false,
		"_Z1fZ": false, "_Z1fIXadL_ZTV1xEEEvv": true, "_ZN1aZE": false, "_ZTZ": true, "aZbZG": true, "_Z6f_Z1gvv": true, "f_Z": true, "_ZN_Z": true, "Z_": false, "T": false, "_T": false,
	} {
		if got := hasSpecial(text); got != want {
			t.Errorf("hasSpecial(%q) = %v", text, got)
		}
	}
}

// Each mark at each place, whole and cut, behind texts that look like its front.
func TestNextMark(t *testing.T) {
	for _, mark := range []string{markAnonymous, markInternal, markStatic} {
		for _, filler := range []string{"", "_", "__", "a", "_G", "\xdf", "\xff"} {
			for before := range 20 {
				for cut := range 4 {
					for _, after := range []string{"", "x", "_9_basics_cu"} {
						text := strings.Repeat(filler, before) + mark[:len(mark)-cut] + after
						if got, want := nextMark(text, 0), slowMark(text); got != want {
							t.Fatalf("nextMark(%q) = %d, want %d", text, got, want)
						}
					}
				}
			}
		}
	}
	text := markStatic + markStatic
	if got := nextMark(text, 1); got != len(markStatic) {
		t.Errorf("nextMark(%q, 1) = %d", text, got)
	}
}

// finderNeedles are sets of needles for each stride, with needles inside
// others, that overlap themselves, and that begin alike.
var finderNeedles = [][]string{
	{"abcdef"}, {"abcdef", "bcdefg", "abcdefgh", "defghijk"}, {"aaaaaa", "aaaaaaaa", "ababab"}, // 4
	{"abcd", "bcde", "abcdefgh"}, {"aaaa", "abab", "aaaaaaa"}, {"abcde"}, // 2
	{"abc"}, {"abc", "bca", "abcabc", "cab"}, {"aaa", "aaaa", "aab", "bbb"}, {"abcdefgh", "fgh"}, // 1
}

func TestFinder(t *testing.T) {
	check := func(f *finder, text string) {
		t.Helper()
		var want []int
		for i, needle := range f.needles {
			if strings.Contains(text, needle) {
				want = append(want, i)
			}
		}
		got := f.find(text, []int{-7})
		if got[0] != -7 {
			t.Fatalf("the finder of %q loses what it should add to", f.needles)
		}
		slices.Sort(got[1:])
		if !slices.Equal(got[1:], want) {
			t.Fatalf("the finder of %q (stride %d) finds %v in %q, want %v", f.needles, f.stride, got[1:], text, want)
		}
	}
	strides := map[int]bool{}
	for _, needles := range finderNeedles {
		f := newFinder(needles)
		strides[f.stride] = true
		// Each needle at each place of texts of each size.
		for _, needle := range needles {
			for before := range 18 {
				for after := range 12 {
					for _, filler := range []string{"x", "a", needle[:1], needle[len(needle)-1:], "\x00"} {
						check(f, strings.Repeat(filler, before)+needle+strings.Repeat(filler, after))
						check(f, strings.Repeat(filler, before)+needle[1:]+strings.Repeat(filler, after))
						check(f, strings.Repeat(filler, before)+needle[:len(needle)-1]+strings.Repeat(filler, after))
					}
				}
			}
			for _, other := range needles {
				check(f, needle+other)
				check(f, needle[:len(needle)/2]+other)
			}
		}
		// All short texts of two letters.
		for size := range 12 {
			for bits := range 1 << size {
				text := make([]byte, size)
				for i := range text {
					text[i] = 'a' + byte(bits>>i&1)
				}
				check(f, string(text))
			}
		}
	}
	if len(strides) != 3 {
		t.Errorf("the needles have the strides %v; want all three", strides)
	}
}

// Beyond manyNeedles each needle is found by its first triple only.
func TestFinderOfMany(t *testing.T) {
	var needles []string
	for a := byte('a'); a <= 'z'; a++ {
		for b := byte('a'); b <= 'z'; b++ {
			needles = append(needles, string([]byte{'k', 'e', 'r', a, b, a, b}))
		}
	}
	f := newFinder(needles)
	if f.stride != 1 {
		t.Errorf("the stride is %d", f.stride)
	}
	for i, needle := range needles {
		for before := range 9 {
			if got := f.find(strings.Repeat("k", before)+needle+"ker", nil); !slices.Equal(got, []int{i}) {
				t.Fatalf("needle %d, %q, behind %d letters: found %v", i, needle, before, got)
			}
		}
	}
}

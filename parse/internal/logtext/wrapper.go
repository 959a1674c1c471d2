package logtext

import (
	"bytes"
	"encoding/binary"
)

// A Wrapper is the text that stood before the last message: the time and the
// step of a CI system, say. The next line most likely has the same but for
// the digits of its times, and then its message is where this one's was. That
// is all a Wrapper is good for: lines that differ are searched as a whole.
// Wrappers that are equal match the same lines.
type Wrapper struct {
	n    int
	want [LongestWrapper]byte
	care [LongestWrapper]byte // 0xff where the byte must be the same, 0 for the digits of times and counts
}

// LongestWrapper bounds the wrappers that are learnt. A line that is shorter is
// matched byte by byte, so hot loops look at longer ones only.
const LongestWrapper = 96

// Len is the length of the wrapper, 0 when none is known.
func (w *Wrapper) Len() int { return w.n }

// Is reports whether the wrapper is text and nothing else.
func (w *Wrapper) Is(text string) bool { return string(w.want[:w.n]) == text }

// Learn takes the text before a message.
func (w *Wrapper) Learn(before []byte) {
	w.n = 0
	if len(before) == 0 || len(before) > LongestWrapper {
		return
	}
	// A wrapper that can hold a message is no wrapper to skip.
	if bytes.IndexByte(before, '\r') >= 0 {
		return
	}
	w.n = len(before)
	clear(w.care[:])
	copy(w.want[:], before)
	for i := 0; i < len(before); {
		end := i + 1
		for end < len(before) && before[end] != ' ' && before[end] != '\t' {
			end++
		}
		when := saysWhen(bytes.TrimLeft(before[i:end], " \t"))
		for ; i < end; i++ {
			if c := before[i]; c-'0' > 9 || !when {
				w.care[i] = 0xff
			}
		}
	}
}

// Matches reports whether b begins with the wrapper, digits aside.
func (w *Wrapper) Matches(b []byte) bool {
	if len(b) < LongestWrapper {
		return w.matchesShort(b)
	}
	for i := 0; i < w.n; i += 8 {
		diff := binary.LittleEndian.Uint64(b[i:]) ^ binary.LittleEndian.Uint64(w.want[i:])
		if diff&binary.LittleEndian.Uint64(w.care[i:]) != 0 {
			return false
		}
	}
	return true
}

func (w *Wrapper) matchesShort(b []byte) bool {
	if len(b) < w.n {
		return false
	}
	for i := range w.n {
		if (b[i]^w.want[i])&w.care[i] != 0 {
			return false
		}
	}
	return true
}

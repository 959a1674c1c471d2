package parse

import (
	"bytes"
	"encoding/binary"
)

// A lead is the wrapper that stood before the last message: the time and the
// step of a CI system, say. The next line most likely has the same but for
// the digits of its times, and then its message is where this one's was. That
// is all a lead is good for: lines that differ are searched as a whole.
type lead struct {
	n    int
	want [longestLead]byte
	care [longestLead]byte // 0xff where the byte must be the same, 0 for the digits of times and counts
}

const longestLead = 96

// learn takes the text before a message.
func (l *lead) learn(before []byte) {
	l.n = 0
	if len(before) == 0 || len(before) > longestLead {
		return
	}
	// A wrapper that can hold a message is no wrapper to skip.
	if bytes.IndexByte(before, '\r') >= 0 {
		return
	}
	l.n = len(before)
	clear(l.care[:])
	copy(l.want[:], before)
	for i := 0; i < len(before); {
		end := i + 1
		for end < len(before) && before[end] != ' ' && before[end] != '\t' {
			end++
		}
		when := saysWhen(bytes.TrimLeft(before[i:end], " \t"))
		for ; i < end; i++ {
			if c := before[i]; c-'0' > 9 || !when {
				l.care[i] = 0xff
			}
		}
	}
}

// matches reports whether b begins with the lead, digits aside.
func (l *lead) matches(b []byte) bool {
	if len(b) < longestLead {
		return l.matchesShort(b)
	}
	for i := 0; i < l.n; i += 8 {
		diff := binary.LittleEndian.Uint64(b[i:]) ^ binary.LittleEndian.Uint64(l.want[i:])
		if diff&binary.LittleEndian.Uint64(l.care[i:]) != 0 {
			return false
		}
	}
	return true
}

func (l *lead) matchesShort(b []byte) bool {
	if len(b) < l.n {
		return false
	}
	for i := range l.n {
		if (b[i]^l.want[i])&l.care[i] != 0 {
			return false
		}
	}
	return true
}

// Package scan has the few questions that reading a line by hand asks again
// and again: whether a text stands at a position, and what number does. In go
// the bytes of a line and a position, out comes the answer; nothing is kept.
package scan

import "bytes"

// Decimal reads digits at i. next == i when there are none; ok is false when
// there are none or the number does not fit.
func Decimal(b []byte, i int) (n int64, next int, ok bool) {
	next = i
	for next < len(b) {
		d := b[next] - '0'
		if d > 9 {
			break
		}
		n = n*10 + int64(d)
		next++
	}
	return n, next, next > i && next-i <= 18
}

// HasAt reports whether s stands in b at i.
func HasAt(b []byte, i int, s string) bool {
	return len(b)-i >= len(s) && string(b[i:i+len(s)]) == s
}

// CutAt reports whether b ends inside s begun at i.
func CutAt(b []byte, i int, s string) bool {
	return len(b)-i < len(s) && string(b[i:]) == s[:len(b)-i]
}

// HasSuffix reports whether b ends in s.
func HasSuffix(b []byte, s string) bool {
	return len(b) >= len(s) && string(b[len(b)-len(s):]) == s
}

// Blank reports that b holds no more than white space.
func Blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// IsWordByte reports an ASCII letter, a digit or `_`.
func IsWordByte(c byte) bool {
	return c-'0' < 10 || c|0x20-'a' < 26 || c == '_'
}

// HasLetter reports whether b holds an ASCII letter.
func HasLetter(b []byte) bool {
	for _, c := range b {
		if c|0x20-'a' < 26 {
			return true
		}
	}
	return false
}

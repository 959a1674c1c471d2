package parse

import (
	"encoding/json"
	"strconv"
)

// Count is a number that a log states, or its absence. The zero value is
// absent, so a field that nobody filled can't be mistaken for a 0 that the
// compiler printed.
type Count uint64

// Some returns the Count that states n. Counts are never negative; a negative
// n is absent.
func Some(n int64) Count {
	if n < 0 {
		return 0
	}
	return Count(n) + 1
}

// Value returns the number and whether the log states one.
func (c Count) Value() (n int64, stated bool) {
	if c == 0 {
		return 0, false
	}
	return int64(c - 1), true
}

// Stated reports whether the log states a number.
func (c Count) Stated() bool { return c != 0 }

// Or returns the number, or n when the log states none. Use it only where
// ptxas leaves out a zero field of a whole line; elsewhere absent is unknown.
func (c Count) Or(n int64) int64 {
	if c == 0 {
		return n
	}
	return int64(c - 1)
}

// IsZero reports absence, so that `json:",omitzero"` leaves the field out.
func (c Count) IsZero() bool { return c == 0 }

// String returns the number in decimal, or "-" when absent.
func (c Count) String() string {
	if c == 0 {
		return "-"
	}
	return strconv.FormatInt(int64(c-1), 10)
}

// MarshalJSON writes the number, or null when absent.
func (c Count) MarshalJSON() ([]byte, error) {
	if c == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(c-1), 10), nil
}

// UnmarshalJSON reads a number that is not negative, or null for absent.
func (c *Count) UnmarshalJSON(b []byte) error {
	var n *uint64
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*c = 0
	if n != nil && *n < 1<<63 {
		*c = Count(*n) + 1
	}
	return nil
}

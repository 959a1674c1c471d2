package parse

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Count is a number that a log states, or its absence. The zero value is
// absent, so a field that nobody filled can't be mistaken for a 0 that the
// compiler printed. It is small because a large build has millions of them.
type Count uint32

// maxCount is the largest number that a Count can state: four billion, above
// every quantity of one kernel.
const maxCount = math.MaxUint32 - 1

// Some returns the Count that states n. A number that no Count can state, a
// negative one or one above four billion, is absent.
func Some(n int64) Count {
	if n < 0 || n > maxCount {
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
	if n != nil && *n <= maxCount {
		*c = Count(*n) + 1
	}
	return nil
}

// Size is a number of bytes that can be larger than a Count: a module's
// global memory. The zero value is absent.
type Size uint64

// SomeSize returns the Size that states n; a negative n is absent.
func SomeSize(n int64) Size {
	if n < 0 {
		return 0
	}
	return Size(n) + 1
}

// Value returns the number and whether the log states one.
func (s Size) Value() (n int64, stated bool) {
	if s == 0 {
		return 0, false
	}
	return int64(s - 1), true
}

// Stated reports whether the log states a number.
func (s Size) Stated() bool { return s != 0 }

// IsZero reports absence, so that `json:",omitzero"` leaves the field out.
func (s Size) IsZero() bool { return s == 0 }

// String returns the number in decimal, or "-" when absent.
func (s Size) String() string {
	if s == 0 {
		return "-"
	}
	return strconv.FormatInt(int64(s-1), 10)
}

// MarshalJSON writes the number, or null when absent.
func (s Size) MarshalJSON() ([]byte, error) {
	if s == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(s-1), 10), nil
}

// UnmarshalJSON reads a number that is not negative, or null for absent.
func (s *Size) UnmarshalJSON(b []byte) error {
	var n *uint64
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*s = 0
	if n != nil && *n < 1<<63 {
		*s = Size(*n) + 1
	}
	return nil
}

// Micros is a time in microseconds that a log states, or its absence; above 71
// minutes it is absent. JSON writes milliseconds, as the compiler does.
type Micros struct{ Count }

// MarshalJSON writes the time in milliseconds, or null when absent.
func (m Micros) MarshalJSON() ([]byte, error) {
	if !m.Stated() {
		return []byte("null"), nil
	}
	return m.append(nil), nil
}

// append appends a stated time in milliseconds.
func (m Micros) append(b []byte) []byte {
	us := m.Or(0)
	b = strconv.AppendInt(b, us/1000, 10)
	if us%1000 != 0 {
		b = append(b, '.')
		frac := strconv.Itoa(int(us%1000) + 1000)[1:]
		b = append(b, strings.TrimRight(frac, "0")...)
	}
	return b
}

// UnmarshalJSON reads milliseconds, or null for absent.
func (m *Micros) UnmarshalJSON(b []byte) error {
	var ms *float64
	if err := json.Unmarshal(b, &ms); err != nil {
		return err
	}
	m.Count = 0
	if ms != nil && *ms >= 0 && *ms < maxCount/1000 {
		m.Count = Some(int64(math.Round(*ms * 1000)))
	}
	return nil
}

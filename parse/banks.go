package parse

import (
	"encoding/binary"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
)

// Banks is the constant memory that a kernel or module uses, by bank, in
// ascending order; the zero value says that the log states none. It is packed,
// so that it can be compared with ==; All and Bytes read it.
type Banks string

// BanksOf packs bytes by bank.
func BanksOf(bytes map[int]int64) Banks {
	var packed []byte
	for _, bank := range slices.Sorted(maps.Keys(bytes)) {
		packed = appendBank(packed, bank, bytes[bank])
	}
	return Banks(packed)
}

func appendBank(packed []byte, bank int, bytes int64) []byte {
	return binary.AppendVarint(binary.AppendVarint(packed, int64(bank)), bytes)
}

// With returns the banks with the bytes of one set.
func (b Banks) With(bank int, bytes int64) Banks {
	m := maps.Collect(b.All())
	m[bank] = bytes
	return BanksOf(m)
}

// All lists the banks with their bytes.
func (b Banks) All() iter.Seq2[int, int64] {
	return func(yield func(bank int, bytes int64) bool) {
		for rest := []byte(b); len(rest) > 0; {
			bank, n := binary.Varint(rest)
			bytes, m := binary.Varint(rest[max(n, 0):])
			if n <= 0 || m <= 0 || !yield(int(bank), bytes) {
				return
			}
			rest = rest[n+m:]
		}
	}
}

// Bytes returns what the log states for one bank.
func (b Banks) Bytes(bank int) (n int64, stated bool) {
	for i, bytes := range b.All() {
		if i == bank {
			return bytes, true
		}
	}
	return 0, false
}

// IsZero reports that the log states no bank.
func (b Banks) IsZero() bool { return b == "" }

// MarshalJSON writes an object from bank to bytes: {"0": 360}.
func (b Banks) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for bank, bytes := range b.All() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, '"')
		out = strconv.AppendInt(out, int64(bank), 10)
		out = append(out, `":`...)
		out = strconv.AppendInt(out, bytes, 10)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads an object from bank to bytes.
func (b *Banks) UnmarshalJSON(text []byte) error {
	var m map[int]int64
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	*b = BanksOf(m)
	return nil
}

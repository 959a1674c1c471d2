package calc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseBytes reads a size: bytes, or a number with B, KiB, MiB or GiB. KB is
// refused, since some mean 1000 by it and some 1024.
func ParseBytes(text string) (int, error) {
	const most = 1 << 40
	digits := strings.TrimRight(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	unit := text[len(digits):]
	factor := map[string]float64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit]
	number := strings.TrimSpace(digits)
	if factor == 0 {
		if meant := meantUnit(unit); meant != "" && number != "" {
			return 0, fmt.Errorf("%q is no unit here; did you mean %s%s?", unit, number, meant)
		}
		return 0, fmt.Errorf("%q is not a size; write bytes (16384) or a size with a unit (16KiB)", text)
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.ContainsAny(number, "xXpP_eE") || math.IsNaN(value) {
		return 0, fmt.Errorf("%q is not a size; write bytes (16384) or a size with a unit (16KiB)", text)
	}
	value *= factor
	switch {
	case value < 0 || value > most:
		return 0, fmt.Errorf("%q is out of range: want 0 to 1024GiB", text)
	case value != math.Trunc(value):
		return 0, fmt.Errorf("%q is not a whole number of bytes", text)
	}
	return int(value), nil
}

func meantUnit(unit string) string {
	switch strings.ToLower(unit) {
	case "k", "kb", "ki", "kib":
		return "KiB"
	case "m", "mb", "mi", "mib":
		return "MiB"
	case "g", "gb", "gi", "gib":
		return "GiB"
	case "b", "byte", "bytes":
		return "B"
	}
	return ""
}

// FormatBytes writes bytes, with the size in KiB where it is a whole number of
// them and large enough to be read more easily.
func FormatBytes(n int) string {
	if n >= 1024 && n%1024 == 0 {
		return fmt.Sprintf("%d bytes (%d KiB)", n, n/1024)
	}
	return fmt.Sprintf("%d bytes", n)
}

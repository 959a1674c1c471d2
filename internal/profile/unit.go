package profile

import "strings"

// unitFactors are what one of a unit is in ours: nanoseconds and bytes. The
// profiler's kilo is 1000, of bytes too: it prints 1.02 Kbyte for 1024. Older
// versions spell times out.
var unitFactors = map[kind]map[string]float64{
	ofTime: {
		"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "nsecond": 1, "usecond": 1e3, "msecond": 1e6, "second": 1e9, "sec": 1e9,
	},
	ofSize: {
		"byte": 1, "kbyte": 1e3, "mbyte": 1e6, "gbyte": 1e9, "b": 1, "kb": 1e3, "mb": 1e6,
	},
}

// factor is what a number of a unit is multiplied by; false for a unit that
// is none of the kind's.
func (k kind) factor(unit string) (float64, bool) {
	unit = strings.ToLower(strings.TrimSpace(unit))
	switch k {
	case ofPercent:
		return 1, unit == "%" || unit == "" || unit == "pct"
	case ofTime:
		f, ok := unitFactors[ofTime][unit]
		return f, ok
	case ofSize:
		unit, _, _ = strings.Cut(unit, "/") // "Kbyte/block"
		f, ok := unitFactors[ofSize][unit]
		return f, ok
	case ofCount:
	}
	// A count: "inst", "Minst" is not written; "K" and "M" are in front of
	// nothing that is read here but of cycles.
	switch unit {
	case "kcycle":
		return 1e3, true
	case "mcycle":
		return 1e6, true
	}
	return 1, true
}

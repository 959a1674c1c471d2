package parse

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// String returns the word that JSON uses: "entry", "function", or "" when
// the input can't tell.
func (k Kind) String() string {
	switch k {
	case Entry:
		return "entry"
	case Function:
		return "function"
	default:
		return ""
	}
}

// MarshalText writes the word of String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word of String.
func (k *Kind) UnmarshalText(b []byte) error {
	return unmarshalWord(k, b, "kind of function", KindUnknown, Entry, Function)
}

// String returns the word that JSON uses: "ptxas", "nvlink", "cuobjdump",
// "binary", or "" when unknown.
func (s Stage) String() string {
	switch s {
	case StagePtxas:
		return "ptxas"
	case StageNvlink:
		return "nvlink"
	case StageCuobjdump:
		return "cuobjdump"
	case StageBinary:
		return "binary"
	default:
		return ""
	}
}

// MarshalText writes the word of String.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word of String.
func (s *Stage) UnmarshalText(b []byte) error {
	return unmarshalWord(s, b, "stage", StageUnknown, StagePtxas, StageNvlink, StageCuobjdump, StageBinary)
}

// String returns the word that the compiler prints: "info", "warning",
// "error" or "fatal"; "" for none.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	case Fatal:
		return "fatal"
	}
	return ""
}

// MarshalText writes the word of String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word of String.
func (s *Severity) UnmarshalText(b []byte) error {
	return unmarshalWord(s, b, "severity", Severity(0), Info, Warning, Error, Fatal)
}

// String returns the word that JSON uses, such as "truncated" or
// "build-failed"; "" for none.
func (k FaultKind) String() string {
	switch k {
	case FaultEmpty:
		return "empty"
	case FaultTruncated:
		return "truncated"
	case FaultBuildFailed:
		return "build-failed"
	case FaultInterleaved:
		return "interleaved"
	case FaultUnnamed:
		return "unnamed"
	case FaultConflict:
		return "conflicting"
	case FaultEncoding:
		return "encoding"
	case FaultStale:
		return "stale"
	case FaultBinary:
		return "binary"
	case FaultMismatch:
		return "mismatch"
	}
	return ""
}

// MarshalText writes the word of String.
func (k FaultKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word of String.
func (k *FaultKind) UnmarshalText(b []byte) error {
	return unmarshalWord(k, b, "fault", FaultKind(0), FaultEmpty, FaultTruncated, FaultBuildFailed,
		FaultInterleaved, FaultUnnamed, FaultConflict, FaultEncoding, FaultStale, FaultBinary, FaultMismatch)
}

// unmarshalWord sets *dst to the one of known whose String is b.
func unmarshalWord[T interface {
	comparable
	fmt.Stringer
}](dst *T, b []byte, what string, known ...T) error {
	for _, k := range known {
		if k.String() == string(b) {
			*dst = k
			return nil
		}
	}
	return fmt.Errorf("parse: %q is no %s", b, what)
}

// defectWords are in the order of the bits of Defects.
var defectWords = [...]string{"unnamed", "interleaved", "truncated", "conflicting"}

// Words lists the defects by the words that JSON uses; nil when there are none.
func (d Defects) Words() []string {
	if d == 0 {
		return nil
	}
	words := make([]string, 0, bits.OnesCount8(uint8(d)))
	for i, w := range defectWords {
		if d&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// String joins the words of the defects with a comma; "" when there are none.
func (d Defects) String() string { return strings.Join(d.Words(), ",") }

// Has reports whether d includes all of want.
func (d Defects) Has(want Defects) bool { return d&want == want }

// MarshalJSON writes the list of words.
func (d Defects) MarshalJSON() ([]byte, error) {
	words := d.Words()
	if words == nil {
		words = []string{}
	}
	return json.Marshal(words)
}

// UnmarshalJSON reads a list of words.
func (d *Defects) UnmarshalJSON(b []byte) error {
	var words []string
	if err := json.Unmarshal(b, &words); err != nil {
		return err
	}
	*d = 0
	for _, w := range words {
		i := slices.Index(defectWords[:], w)
		if i < 0 {
			return fmt.Errorf("parse: %q is no defect", w)
		}
		*d |= 1 << i
	}
	return nil
}

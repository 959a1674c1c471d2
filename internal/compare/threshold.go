package compare

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/occlint/occlint/rules"
)

// Threshold is how much worse a field may get.
type Threshold struct {
	Fields []Field
	// Over is the most that is allowed, in the field's unit: bytes,
	// registers, percentage points of occupancy. It is never negative.
	Over float64
	// Relative says that Over is in percent of the old value.
	Relative bool
	Text     string // as written
	// Asked is true for a threshold that somebody wrote down: that it can be
	// compared nowhere is then worth an error.
	Asked bool
}

// spillsWord stands for spill stores and spill loads, each on its own.
const spillsWord = "spills"

// String returns the threshold as written.
func (t Threshold) String() string { return t.Text }

// breaks reports whether the change is worse by more than t allows. Nothing is
// known about a change with an unknown side, so it breaks none.
func (t Threshold) breaks(c Change) bool {
	if !c.Worse() || !slices.Contains(t.Fields, c.Field) {
		return false
	}
	delta := c.Delta()
	if delta < 0 {
		delta = -delta
	}
	if t.Relative {
		return delta*100 > t.Over*c.Old.Number
	}
	// Occupancy is a quotient: 75-62.5 must not exceed 12.5 by a rounding.
	return delta > t.Over+1e-9
}

// broken returns the text of the first threshold that a change breaks.
func broken(thresholds []Threshold, c Change) string {
	for _, t := range thresholds {
		if t.breaks(c) {
			return t.Text
		}
	}
	return ""
}

// DefaultThresholds allow nothing to get worse by more than its tolerance, and
// without a tolerance nothing to get worse at all. The tolerance is by field,
// or "spills" for both kinds, in the field's unit.
func DefaultThresholds(tolerance map[string]float64) []Threshold {
	var list []Threshold
	for f := range fields {
		over := tolerance[f.String()]
		if _, own := tolerance[f.String()]; !own && (f == SpillStores || f == SpillLoads) {
			over = tolerance[spillsWord]
		}
		list = append(list, Threshold{Fields: []Field{f}, Over: over, Text: thresholdText(f.String(), over)})
	}
	return list
}

func thresholdText(word string, over float64) string {
	number := strconv.FormatFloat(over, 'f', -1, 64)
	if word == rules.FieldOccupancy {
		return word + "<-" + number + "%"
	}
	return word + ">+" + number
}

// ThresholdError is one fault in a list of thresholds.
type ThresholdError struct {
	Text   string // the whole list
	Offset int    // in bytes, of the fault
	Reason string
}

// Error shows the list with a caret under the fault.
func (e *ThresholdError) Error() string {
	indent := strings.Repeat(" ", utf8.RuneCountInString(e.Text[:e.Offset]))
	return fmt.Sprintf("threshold: %s\n  %s\n  %s^", e.Reason, e.Text, indent)
}

// ParseThresholds reads a list such as "registers>+4,spills>+0,occupancy<-10%".
// The error joins a *ThresholdError for each fault.
func ParseThresholds(text string) ([]Threshold, error) {
	var list []Threshold
	var errs []error
	offset := 0
	for part := range strings.SplitSeq(text, ",") {
		t, err := parseThreshold(text, offset, part)
		if err != nil {
			errs = append(errs, err)
		} else {
			list = append(list, t)
		}
		offset += len(part) + 1
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return list, nil
}

func parseThreshold(text string, offset int, part string) (Threshold, error) {
	fault := func(at int, reason string, args ...any) (Threshold, error) {
		return Threshold{}, &ThresholdError{text, offset + at, fmt.Sprintf(reason, args...)}
	}
	start := len(part) - len(strings.TrimLeft(part, " \t"))
	op := strings.IndexAny(part, "<>")
	if strings.TrimSpace(part) == "" {
		return fault(start, "a threshold is missing; write FIELD>+N, such as registers>+4")
	}
	if op < 0 {
		return fault(len(strings.TrimRight(part, " \t")), "no > or < in it; write FIELD>+N, such as registers>+4")
	}
	word := strings.TrimSpace(part[:op])
	measured, ok := fieldsOf(word)
	if !ok {
		return fault(start, "no field %q; there are %s", word, strings.Join(fieldWords(), ", "))
	}
	wantOp, wantSign := ">", "+"
	if !measured[0].moreIsWorse() {
		wantOp, wantSign = "<", "-"
	}
	if part[op:op+1] != wantOp {
		return fault(op, "%s gets worse the other way; write %s%s%sN", word, word, wantOp, wantSign)
	}
	number := op + 1 + len(part[op+1:]) - len(strings.TrimLeft(part[op+1:], " \t"))
	if !strings.HasPrefix(part[number:], wantSign) {
		return fault(number, "a threshold is a change, not a value: write %s%s%sN", word, wantOp, wantSign)
	}
	over, percent, err := parseAmount(strings.TrimSpace(part[number+1:]), measured[0])
	if err != nil {
		return fault(number+1, "%v", err)
	}
	return Threshold{
		Fields: measured, Over: over, Asked: true, Text: strings.TrimSpace(part),
		// Occupancy is in percent already, so its % means points of it.
		Relative: percent && measured[0] != Occupancy,
	}, nil
}

// fieldsOf returns the fields that a word names.
func fieldsOf(word string) ([]Field, bool) {
	if word == spillsWord {
		return []Field{SpillStores, SpillLoads}, true
	}
	for f := range fields {
		if f.String() == word {
			return []Field{f}, true
		}
	}
	return nil, false
}

func fieldWords() []string {
	words := []string{spillsWord}
	for f := range fields {
		words = append(words, f.String())
	}
	return words
}

// parseAmount reads a number with an optional %, and for sizes a unit.
func parseAmount(s string, f Field) (n float64, percent bool, err error) {
	factor := 1.0
	switch {
	case strings.HasSuffix(s, "%"):
		s, percent = strings.TrimSuffix(s, "%"), true
	case f.unit() != "bytes":
	case strings.HasSuffix(s, "KiB"):
		s, factor = strings.TrimSuffix(s, "KiB"), 1<<10
	case strings.HasSuffix(s, "MiB"):
		s, factor = strings.TrimSuffix(s, "MiB"), 1<<20
	case strings.HasSuffix(s, "B"):
		s = strings.TrimSuffix(s, "B")
	}
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false, fmt.Errorf("want a number%s", unitsHint(f))
	}
	n, err = strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false, fmt.Errorf("want a number%s", unitsHint(f))
	}
	return n * factor, percent, nil
}

func unitsHint(f Field) string {
	switch f.unit() {
	case "bytes":
		return " of bytes, KiB or MiB, or a percentage of the old value (10%)"
	case "percent":
		return " of percentage points"
	}
	return ", or a percentage of the old value (10%)"
}

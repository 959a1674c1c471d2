package compare

import (
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Field is one number that kernels are compared by.
type Field uint8

// The fields, in the order in which they are shown.
const (
	Registers Field = iota
	SpillStores
	SpillLoads
	Stack
	Shared
	Barriers
	Occupancy
	fields
)

// words holds a field's word in thresholds and JSON; heading and unit are those
// of its budget.
var words = [fields]string{
	Registers:   rules.FieldRegisters,
	SpillStores: rules.FieldSpillStores,
	SpillLoads:  rules.FieldSpillLoads,
	Stack:       rules.FieldStack,
	Shared:      rules.FieldShared,
	Barriers:    rules.FieldBarriers,
	Occupancy:   rules.FieldOccupancy,
}

// String returns the field's word in thresholds and JSON: "spill_stores".
func (f Field) String() string { return words[f] }

var budgets = sync.OnceValue(func() (of [fields]rules.Budget) {
	for _, b := range rules.Budgets() {
		if f := slices.Index(words[:], b.Field); f >= 0 {
			of[f] = b
		}
	}
	return of
})

// heading stands above the field's numbers in tables.
func (f Field) heading() string { return budgets()[f].Label }

// unit is that of the field's numbers: "bytes", "percent".
func (f Field) unit() string {
	if unit := budgets()[f].Unit; unit != "%" {
		return unit
	}
	return "percent"
}

// moreIsWorse tells the direction in which a field gets worse.
func (f Field) moreIsWorse() bool { return !budgets()[f].AtLeast }

// Value is a number or its absence.
type Value struct {
	Number float64
	Stated bool
}

// String returns the number with at most one decimal, or "?" when unknown.
func (v Value) String() string {
	if !v.Stated {
		return "?"
	}
	return formatNumber(v.Number)
}

func formatNumber(n float64) string {
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64)
}

// Values are the numbers of one kernel by Field.
type Values [fields]Value

// measure collects what a judged kernel states. ptxas leaves a zero shared
// size out of a whole Used line, so there it is 0; what is absent elsewhere
// is unknown. Shared memory is compared without the system's share, which
// linkers count and ptxas does not.
func measure(j *rules.Judgement) Values {
	k := &j.Kernel
	v := Values{
		Registers:   count(k.Registers),
		SpillStores: count(k.SpillStoreBytes),
		SpillLoads:  count(k.SpillLoadBytes),
		Stack:       count(k.StackBytes),
		Barriers:    count(k.Barriers),
	}
	if k.SharedBytes.Stated() || k.Registers.Stated() && k.Defect == 0 {
		v[Shared] = Value{float64(j.SharedBytes), true}
	}
	if j.Occupancy != nil {
		v[Occupancy] = Value{j.Occupancy.Percent(), true}
	}
	return v
}

func count(c parse.Count) Value {
	n, stated := c.Value()
	return Value{float64(n), stated}
}

// worst merges the values of two compilations of one kernel: per field the
// worse number, and unknown where either does not state one.
func worst(a, b Values) Values {
	for f := range fields {
		switch {
		case !a[f].Stated || !b[f].Stated:
			a[f] = Value{}
		case f.moreIsWorse():
			a[f].Number = max(a[f].Number, b[f].Number)
		default:
			a[f].Number = min(a[f].Number, b[f].Number)
		}
	}
	return a
}

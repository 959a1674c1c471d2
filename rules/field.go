package rules

import (
	"fmt"
	"strconv"
)

// The fields that findings and baselines measure, in the words of the config.
const (
	FieldRegisters     = "registers"
	FieldSpillStores   = "spill_stores" // bytes
	FieldSpillLoads    = "spill_loads"  // bytes
	FieldLoopSpills    = "loop_spills"  // bytes in one pass through a loop
	FieldStack         = "stack"        // bytes
	FieldShared        = "shared"       // bytes, static and dynamic
	FieldBarriers      = "barriers"
	FieldBlocks        = "blocks"          // resident blocks per SM
	FieldOccupancy     = "occupancy"       // percent
	FieldBytesInFlight = "bytes_in_flight" // per SM
)

// MoreIsWorse reports whether a greater value of field is the worse one; of
// blocks, occupancy and bytes in flight it is the smaller one.
func MoreIsWorse(field string) bool {
	b := budgetOf(field)
	return b == nil || !b.AtLeast
}

func fieldUnit(field string) string {
	if b := budgetOf(field); b != nil {
		return b.Unit
	}
	return ""
}

// fieldAmount is a number of a field in words.
func fieldAmount(field string, n float64) string {
	b := budgetOf(field)
	if b == nil {
		return number(n)
	}
	return fmt.Sprintf(b.amount, number(n))
}

// number writes a value with at most one decimal.
func number(n float64) string {
	return strconv.FormatFloat(tenth(n), 'f', -1, 64)
}

// onArch is " on sm_90", or nothing where the log names no architecture.
func onArch(name string) string {
	if name == "" {
		return ""
	}
	return " on " + name
}

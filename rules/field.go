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
	switch field {
	case FieldBlocks, FieldOccupancy, FieldBytesInFlight:
		return false
	}
	return true
}

// fieldWords holds the unit of each field, and its number in words.
var fieldWords = map[string]struct{ unit, amount string }{
	FieldRegisters:     {"registers", "%s registers"},
	FieldSpillStores:   {"bytes", "%s bytes of spill stores"},
	FieldSpillLoads:    {"bytes", "%s bytes of spill loads"},
	FieldLoopSpills:    {"bytes", "%s bytes of spills in a loop"},
	FieldStack:         {"bytes", "%s bytes of stack"},
	FieldShared:        {"bytes", "%s bytes of shared memory"},
	FieldBarriers:      {"barriers", "%s barriers"},
	FieldBlocks:        {"blocks", "%s blocks per SM"},
	FieldOccupancy:     {"%", "%s %% occupancy"},
	FieldBytesInFlight: {"bytes", "%s bytes in flight per SM"},
}

func fieldUnit(field string) string { return fieldWords[field].unit }

func fieldAmount(field string, n float64) string {
	w, known := fieldWords[field]
	if !known {
		return number(n)
	}
	return fmt.Sprintf(w.amount, number(n))
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

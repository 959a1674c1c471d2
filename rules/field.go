package rules

// The fields that findings and baselines measure, in the words of the config.
const (
	FieldRegisters     = "registers"
	FieldSpillStores   = "spill_stores" // bytes
	FieldSpillLoads    = "spill_loads"  // bytes
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

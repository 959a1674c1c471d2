package declare

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/source"
	"github.com/occlint/occlint/rules"
)

// budget turns one field of a comment into what it sets. err is what is wrong
// with its number, empty when nothing is.
func budget(b source.Budget, o rules.Origin) (set func(*rules.Declaration), err string) {
	if b.Field == "min_occupancy" {
		percent, parseErr := strconv.ParseFloat(strings.TrimSuffix(b.Value, "%"), 64)
		if parseErr != nil || !strings.HasSuffix(b.Value, "%") || percent < 0 || percent > 100 {
			return nil, "min_occupancy is a percentage from 0% to 100%, not " + strconv.Quote(b.Value)
		}
		return func(d *rules.Declaration) {
			d.MinOccupancy = rules.Field[float64]{Value: percent, Origin: o, Set: true}
		}, ""
	}
	sized := false
	switch b.Field {
	case "spills", "spill_stores", "spill_loads", "loop_spills", "stack", "shared", "dynamic_shared", "bytes_in_flight":
		sized = true
	}
	n, ok := readNumber(b.Value, sized)
	if !ok {
		if sized {
			return nil, fmt.Sprintf("%s is a number of bytes, as 98304 or 96KiB, not %s", b.Field, strconv.Quote(b.Value))
		}
		return nil, fmt.Sprintf("%s is a number, not %s", b.Field, strconv.Quote(b.Value))
	}
	f := rules.Field[int64]{Value: n, Origin: o, Set: true}
	switch b.Field {
	case "spills":
		return func(d *rules.Declaration) { d.SpillStoreBytes, d.SpillLoadBytes = f, f }, ""
	case "spill_stores":
		return func(d *rules.Declaration) { d.SpillStoreBytes = f }, ""
	case "spill_loads":
		return func(d *rules.Declaration) { d.SpillLoadBytes = f }, ""
	case "loop_spills":
		return func(d *rules.Declaration) { d.LoopSpillBytes = f }, ""
	case "registers":
		return func(d *rules.Declaration) { d.Registers = f }, ""
	case "stack":
		return func(d *rules.Declaration) { d.StackBytes = f }, ""
	case "shared":
		return func(d *rules.Declaration) { d.SharedBytes = f }, ""
	case "barriers":
		return func(d *rules.Declaration) { d.Barriers = f }, ""
	case "dynamic_shared":
		return func(d *rules.Declaration) { d.DynamicShared = f }, ""
	case "bytes_in_flight":
		return func(d *rules.Declaration) { d.BytesInFlight = f }, ""
	case "block":
		if n < 1 || n > 1<<20 {
			return nil, "block is the number of threads of a block, at least 1"
		}
		return func(d *rules.Declaration) { d.Block = rules.Field[int]{Value: int(n), Origin: o, Set: true} }, ""
	}
	return nil, b.Field + " is no field of a comment"
}

// readNumber reads a whole number, with a binary unit where it counts bytes.
func readNumber(s string, sized bool) (int64, bool) {
	unit := int64(1)
	if sized {
		for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
			if rest, ok := strings.CutSuffix(s, suffix); ok {
				s, unit = rest, size
				break
			}
		}
		if unit == 1 {
			s = strings.TrimSuffix(s, "B")
		}
	}
	n, err := strconv.ParseUint(s, 10, 40)
	if err != nil || n > 1<<40/uint64(unit) {
		return 0, false
	}
	return int64(n) * unit, true
}

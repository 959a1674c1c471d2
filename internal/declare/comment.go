package declare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/source"
	"github.com/occlint/occlint/rules"
)

// budget turns one field of a comment into what it sets. err is what is wrong
// with its number, empty when nothing is.
func budget(b source.Budget, o rules.Origin) (set func(*rules.Declaration), err string) {
	switch b.Field {
	case "block":
		n, ok := readNumber(b.Value, false)
		if !ok {
			return nil, noNumber(b, false)
		}
		if n < 1 || n > 1<<20 {
			return nil, "block is the number of threads of a block, at least 1"
		}
		return func(d *rules.Declaration) { d.Block = rules.Field[int]{Value: int(n), Origin: o, Set: true} }, ""
	case "dynamic_shared":
		n, ok := readNumber(b.Value, true)
		if !ok {
			return nil, noNumber(b, true)
		}
		return func(d *rules.Declaration) { d.DynamicShared = rules.Field[int64]{Value: n, Origin: o, Set: true} }, ""
	}
	rows := budgetsOf(b.Field)
	if len(rows) == 0 {
		return nil, b.Field + " is no field of a comment"
	}
	n, err := budgetNumber(b, rows[0].Unit)
	if err != "" {
		return nil, err
	}
	return func(d *rules.Declaration) {
		for _, row := range rows {
			row.Declare(d, rules.Field[float64]{Value: n, Origin: o, Set: true})
		}
	}, ""
}

// budgetsOf lists the budgets that a key sets.
func budgetsOf(key string) []rules.Budget {
	return slices.DeleteFunc(rules.Budgets(), func(b rules.Budget) bool { return b.Key != key && b.Group != key })
}

// budgetNumber reads a number of a unit.
func budgetNumber(b source.Budget, unit string) (n float64, err string) {
	if unit == "%" {
		percent, parseErr := strconv.ParseFloat(strings.TrimSuffix(b.Value, "%"), 64)
		if parseErr != nil || !strings.HasSuffix(b.Value, "%") || percent < 0 || percent > 100 {
			return 0, b.Field + " is a percentage from 0% to 100%, not " + strconv.Quote(b.Value)
		}
		return percent, ""
	}
	whole, ok := readNumber(b.Value, unit == "bytes")
	if !ok {
		return 0, noNumber(b, unit == "bytes")
	}
	return float64(whole), ""
}

func noNumber(b source.Budget, sized bool) string {
	if sized {
		return fmt.Sprintf("%s is a number of bytes, as 98304 or 96KiB, not %s", b.Field, strconv.Quote(b.Value))
	}
	return fmt.Sprintf("%s is a number, not %s", b.Field, strconv.Quote(b.Value))
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

package rules

import (
	"fmt"
)

// spilled holds a record's spills against its budgets: what spill-budget and
// callee-spill have in common.
type spilled struct {
	stores, loads         int64
	storeLimit, loadLimit Field[int64]
	over                  bool // above a declared budget
	undeclared            bool // spills where nothing is declared
}

// judgeSpills reports whether there is anything to say. A number that the log
// does not state is not judged here: untrusted-log has it where a budget is
// declared.
func (u *Subject) judgeSpills() (s spilled, found bool) {
	s.storeLimit, s.loadLimit = u.decl.SpillStoreBytes, u.decl.SpillLoadBytes
	s.stores, s.loads = u.SpillStoreBytes.Or(0), u.SpillLoadBytes.Or(0)
	for _, p := range [...]struct {
		bytes int64
		limit Field[int64]
	}{{s.stores, s.storeLimit}, {s.loads, s.loadLimit}} {
		s.over = s.over || p.limit.Set && p.bytes > p.limit.Value
		s.undeclared = s.undeclared || !p.limit.Set && p.bytes > 0
	}
	return s, s.over || s.undeclared
}

// finding makes the finding of either rule. Value is whichever of stores and
// loads is further above its limit.
func (s *spilled) finding(u *Subject) Finding {
	f := Finding{
		undeclared: !s.over,
		ofCompiler: true,
		Unit:       "bytes",
		Measures: []Measure{
			{FieldSpillStores, float64(s.stores), float64(s.storeLimit.Value), !s.storeLimit.Set},
			{FieldSpillLoads, float64(s.loads), float64(s.loadLimit.Value), !s.loadLimit.Set},
		},
		Declared: s.storeLimit.Origin,
		LogText:  stackText(u.Class),
	}
	worst := f.Measures[0]
	if f.Measures[1].Value-f.Measures[1].Limit > worst.Value-worst.Limit {
		worst = f.Measures[1]
		f.Declared = s.loadLimit.Origin
	}
	f.Value, f.Limit, f.Unlimited, f.Field = worst.Value, worst.Limit, worst.Unlimited, worst.Field
	return f
}

// text is "244 bytes of stores and 276 of loads".
func spillText(stores, loads int64) string {
	return fmt.Sprintf("%d bytes of stores and %d of loads", stores, loads)
}

// verdict is what is said of the budgets.
func (s *spilled) verdict() string {
	stores, loads := s.storeLimit, s.loadLimit
	switch {
	case !s.over:
		return "no budget is declared"
	case stores.Set && loads.Set && stores.Value == loads.Value:
		return fmt.Sprintf("%s above the budget of %d", s.excess(), stores.Value)
	case stores.Set && loads.Set:
		return fmt.Sprintf("%s above the budget of %d and %d", s.excess(), stores.Value, loads.Value)
	case stores.Set:
		return fmt.Sprintf("%d above the budget of %d for stores", s.stores-stores.Value, stores.Value)
	}
	return fmt.Sprintf("%d above the budget of %d for loads", s.loads-loads.Value, loads.Value)
}

func (s *spilled) excess() string {
	return fmt.Sprintf("%d and %d", max(s.stores-s.storeLimit.Value, 0), max(s.loads-s.loadLimit.Value, 0))
}

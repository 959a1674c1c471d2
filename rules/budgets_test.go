package rules

import (
	"reflect"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// notBudgets are the fields of a Declaration that hold numbers and limit none.
var notBudgets = map[string]string{
	"DynamicShared": "it says what a launch has",
}

// TestEveryFieldIsMerged: a field that merging forgets would count nowhere, and
// a number without a row would be held against nothing.
func TestEveryFieldIsMerged(t *testing.T) {
	var d Declaration
	merged := map[any]bool{}
	for _, f := range d.fields() {
		merged[f] = true
	}
	rows := map[any]bool{}
	for i := range budgets {
		if f := budgets[i].field(&d); f != nil {
			rows[f] = true
		}
	}
	v := reflect.ValueOf(&d).Elem()
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i).Addr().Interface()
		if _, ok := field.(declaredField); !ok {
			continue
		}
		if !merged[field] {
			t.Errorf("Declaration.%s is not among fields()", name)
		}
		switch field.(type) {
		case *Field[int64], *Field[float64]:
			if notBudgets[name] == "" && !rows[field] {
				t.Errorf("Declaration.%s has no row in budgets", name)
			}
		}
	}
	if len(d.fields()) != len(merged) {
		t.Error("fields() has a field twice")
	}
}

func TestBudgets(t *testing.T) {
	seen := map[string]bool{}
	for i := range budgets {
		b := &budgets[i]
		if b.Field == "" || b.Unit == "" || strings.Count(b.amount, "%s") != 1 || seen[b.Field] {
			t.Errorf("row %d has no field, unit or words, or is there twice: %+v", i, b)
		}
		seen[b.Field] = true
		if b.Field != FieldBlocks && (b.Key == "" || b.Label == "" || b.Title == "" || strings.Count(b.limit, "%s") != 1 || b.field(&Declaration{}) == nil) {
			t.Errorf("the row of %s does not say how it is declared", b.Field)
		}
		if (len(b.judges) == 0) == (b.unknownBy == "") {
			t.Errorf("the row of %s does not say who reports a number that the log does not state", b.Field)
		}
		for _, by := range b.judges {
			if _, ok := ByID(by.rule); !ok {
				t.Errorf("the row of %s names a rule %s", b.Field, by.rule)
			}
			if b.help == "" || b.known == nil && b.value == nil {
				t.Errorf("the row of %s does not say when the log states it", b.Field)
			}
		}
	}
}

// declareRow is a policy that declares one row's number and what a launch is.
func declareRow(b *Budget, n float64) *Policy {
	d := Declaration{Match: "k", Block: Declared(256)}
	if b.Key == "" {
		d.LaunchBounds = Declared(Bounds{256, int(n)})
	} else {
		b.Declare(&d, Declared(n))
	}
	return &Policy{Declarations: []Declaration{d}, GPU: "H100-SXM"}
}

func budgetLog(c parse.Class) *parse.Log {
	c.Arch, c.Kind, c.Stage = "sm_90", parse.Entry, parse.StagePtxas
	log := &parse.Log{Compilations: []parse.Compilation{{Arch: "sm_90", Stage: parse.StagePtxas}}}
	log.Add(parse.Kernel{Name: "k", Place: parse.Place{File: "log", Line: 1}, Class: &c})
	return log
}

// TestBudgetsAreJudged: a number that breaks what is declared is a finding of
// its field, and one that the log does not state is never fine.
func TestBudgetsAreJudged(t *testing.T) {
	// By the reference of sm_90: 65536 registers hold one block of 256 threads
	// with 200 each, 12.5 % of 64 warps, and 256 bytes in flight where each
	// thread has one.
	bad := parse.Class{
		Registers: parse.Some(200), StackBytes: parse.Some(64), SpillStoreBytes: parse.Some(8), SpillLoadBytes: parse.Some(8),
		SharedBytes: parse.Some(4096), Barriers: parse.Some(9),
	}
	for i := range budgets {
		b := &budgets[i]
		limit := 1.0
		if b.Unit == "%" {
			limit = 50
		} else if b.Field == FieldBlocks {
			limit = 2
		}
		p := declareRow(b, limit)
		p.Places = map[PlaceKey]*Places{{Name: "k", Arch: "sm_90"}: {
			Exact: true, SpillStoreBytes: 8, SpillLoadBytes: 8, LoopSpillBytes: 16, Deepest: 1, DepthsKnown: true,
			Loops: []LoopPlace{{Text: "loop", Depth: 1, StoreBytes: 8, LoadBytes: 8}},
		}}
		found := false
		for _, f := range mustJudge(t, budgetLog(bad), p).Findings {
			found = found || f.Declared.From == FromConfig && f.Field == b.Field || f.has(b.Field, limit)
		}
		if !found {
			t.Errorf("%s: nothing is found above or below %v", b.Field, limit)
		}

		unknown := false
		for _, f := range mustJudge(t, budgetLog(parse.Class{}), declareRow(b, limit)).Findings {
			unknown = unknown || f.Rule == b.unknownBy || f.Rule == untrustedLogID && strings.HasPrefix(f.Detail, "not-stated ")
		}
		if !unknown {
			t.Errorf("%s: it is declared, the log does not state it, and nothing says so", b.Field)
		}
	}
}

// has reports whether the finding holds a field against a limit.
func (f *Finding) has(field string, limit float64) bool {
	for _, m := range f.Measures {
		if m.Field == field && m.Limit == limit && !m.Unlimited {
			return true
		}
	}
	return false
}

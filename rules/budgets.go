package rules

import (
	"fmt"
	"slices"
	"strconv"
)

// Budget is one number that can be declared for kernels and that their records
// are held against. Config, comments, findings, baselines, thresholds and JSON
// know it by what stands here.
type Budget struct {
	Key   string // in the config, in comments and in JSON: "spill_stores"
	Group string // the key that sets several at once: "spills"; mostly empty
	Field string // of findings, baselines and tolerances: "occupancy"
	Unit  string // of the number: "bytes"
	Label string // in lists: "spills in a loop"
	Title string // where it stands alone: "budget of spills in a loop"
	// AtLeast says that less than what is declared is too little; of all
	// others more is too much.
	AtLeast bool

	amount string // a measured number in words
	limit  string // a declared number in words
	// One of the two says which field of a declaration it is.
	whole   func(*Declaration) *Field[int64]
	percent func(*Declaration) *Field[float64]

	// value is what a record is held against, where one number of it is.
	value func(*Subject) (n int64, known bool)
	// known reports whether the log states what the budget is held against.
	known  func(*Subject) bool
	judges []judgeOf
	help   string // what to do where the log does not state it
	// unknownBy is the rule that says itself that it can't judge; untrusted-log
	// then has nothing to say.
	unknownBy string

	onBlocks bool // it rests on how many blocks fit
	linked   bool // the linker can change it
	ofCallee bool // a kernel's counts for the functions compiled for it
}

// judgeOf is a rule that holds a budget against records of one kind.
type judgeOf struct {
	rule, what string
	of         func(*Subject) bool
}

func ofKernels(u *Subject) bool   { return !u.isFunction() }
func ofFunctions(u *Subject) bool { return u.isFunction() }
func ofAll(*Subject) bool         { return true }

// verboseHelp is what most numbers need.
const verboseHelp = "compile with -Xptxas -v: the linker and cuobjdump do not state it"

// budgets is the table, in the order in which reports show them. A field of
// Declaration that no row has, and a row that something does not know, are
// found by TestBudgets and by the tests of the packages that read the table.
var budgets = []Budget{
	{
		Key: "registers", Field: FieldRegisters, Unit: "registers", Label: "registers", Title: "budget of registers",
		amount: "%s registers", limit: "%s at most",
		whole:  func(d *Declaration) *Field[int64] { return &d.Registers },
		value:  func(u *Subject) (int64, bool) { return u.Registers.Value() },
		judges: []judgeOf{{"register-budget", "registers", ofKernels}}, help: verboseHelp,
		linked: true,
	},
	{
		Key: "spill_stores", Group: "spills", Field: FieldSpillStores, Unit: "bytes", Label: "spill stores", Title: "budget of spill stores",
		amount: "%s bytes of spill stores", limit: "%s bytes at most",
		whole: func(d *Declaration) *Field[int64] { return &d.SpillStoreBytes },
		known: (*Subject).spillsStated, judges: spillJudges, help: verboseHelp,
		ofCallee: true,
	},
	{
		Key: "spill_loads", Group: "spills", Field: FieldSpillLoads, Unit: "bytes", Label: "spill loads", Title: "budget of spill loads",
		amount: "%s bytes of spill loads", limit: "%s bytes at most",
		whole: func(d *Declaration) *Field[int64] { return &d.SpillLoadBytes },
		known: (*Subject).spillsStated, judges: spillJudges, help: verboseHelp,
		ofCallee: true,
	},
	{
		Key: "loop_spills", Field: FieldLoopSpills, Unit: "bytes", Label: "spills in a loop", Title: "budget of spills in a loop",
		amount: "%s bytes of spills in a loop", limit: "%s bytes at most",
		whole:  func(d *Declaration) *Field[int64] { return &d.LoopSpillBytes },
		known:  (*Subject).loopsKnown,
		judges: []judgeOf{{"spill-in-loop", "in which loops the spills are", ofAll}},
		help:   "give the binary of the same build: --binary; only compiled code shows it. Of a function that code elsewhere calls (-rdc) it can't: declare its spills as a whole", ofCallee: true,
	},
	{
		Key: "stack", Field: FieldStack, Unit: "bytes", Label: "stack", Title: "budget of stack",
		amount: "%s bytes of stack", limit: "%s bytes at most",
		whole:  func(d *Declaration) *Field[int64] { return &d.StackBytes },
		value:  (*Subject).stack,
		judges: []judgeOf{{"stack-budget", "stack frames", ofAll}}, help: verboseHelp,
		linked: true,
	},
	{
		Key: "shared", Field: FieldShared, Unit: "bytes", Label: "shared", Title: "budget of shared memory",
		amount: "%s bytes of shared memory", limit: "%s bytes at most",
		whole:  func(d *Declaration) *Field[int64] { return &d.SharedBytes },
		value:  (*Subject).shared,
		judges: []judgeOf{{"shared-budget", "shared memory", ofKernels}}, help: verboseHelp,
		linked: true,
	},
	{
		Key: "barriers", Field: FieldBarriers, Unit: "barriers", Label: "barriers", Title: "budget of barriers",
		amount: "%s barriers", limit: "%s at most",
		whole:  func(d *Declaration) *Field[int64] { return &d.Barriers },
		value:  func(u *Subject) (int64, bool) { return u.Barriers.Value() },
		judges: []judgeOf{{"barrier-budget", "named barriers", ofKernels}},
		help:   "compile with CUDA 12.8 or later, which prints them, or declare no barriers for these kernels",
		linked: true,
	},
	{
		// No key: launch bounds declare it.
		Field: FieldBlocks, Unit: "blocks", AtLeast: true, amount: "%s blocks per SM",
		known:  (*Subject).hasOccupancy,
		judges: []judgeOf{{"min-blocks", "registers or shared memory, on which declared blocks rest", (*Subject).judgesBlocks}}, help: verboseHelp,
	},
	{
		Key: "min_occupancy", Field: FieldOccupancy, Unit: "%", Label: "occupancy", Title: "least occupancy", AtLeast: true,
		amount: "%s %% occupancy", limit: "%s %% at least",
		percent: func(d *Declaration) *Field[float64] { return &d.MinOccupancy },
		known:   (*Subject).hasOccupancy,
		judges:  []judgeOf{{"min-occupancy", "registers or shared memory, on which a declared occupancy rests", (*Subject).judgesBlocks}}, help: verboseHelp,
		onBlocks: true, linked: true,
	},
	{
		Key: "bytes_in_flight", Field: FieldBytesInFlight, Unit: "bytes", Label: "bytes in flight", Title: "bytes in flight per thread", AtLeast: true,
		amount: "%s bytes in flight per SM", limit: "%s per thread",
		whole:     func(d *Declaration) *Field[int64] { return &d.BytesInFlight },
		unknownBy: "bytes-in-flight", onBlocks: true, linked: true,
	},
}

var spillJudges = []judgeOf{{"spill-budget", "spills", ofKernels}, {"callee-spill", "spills of functions", ofFunctions}}

// Budgets lists what can be declared and is held against records, in the order
// in which reports show it.
func Budgets() []Budget {
	return slices.DeleteFunc(slices.Clone(budgets), func(b Budget) bool { return b.Key == "" })
}

// Declared is what a declaration says of the budget.
func (b *Budget) Declared(d *Declaration) Field[float64] {
	switch {
	case b.whole != nil:
		f := b.whole(d)
		return Field[float64]{float64(f.Value), f.Origin, f.Set}
	case b.percent != nil:
		return *b.percent(d)
	}
	return Field[float64]{}
}

// Declare sets the budget in a declaration.
func (b *Budget) Declare(d *Declaration, f Field[float64]) {
	if b.whole != nil {
		*b.whole(d) = Field[int64]{int64(f.Value), f.Origin, f.Set}
		return
	}
	*b.percent(d) = f
}

// field is the budget's field of a declaration, nil where launch bounds have it.
func (b *Budget) field(d *Declaration) declaredField {
	switch {
	case b.whole != nil:
		return b.whole(d)
	case b.percent != nil:
		return b.percent(d)
	}
	return nil
}

// Number writes a declared number: "16384".
func (b *Budget) Number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Limit is a declared number in words: "16384 bytes at most".
func (b *Budget) Limit(n float64) string { return fmt.Sprintf(b.limit, b.Number(n)) }

// Tighter reports whether a is the stricter of two declared numbers.
func (b *Budget) Tighter(a, other float64) bool {
	if b.AtLeast {
		return a > other
	}
	return a < other
}

// budgetOf returns the row of a field, nil for none.
func budgetOf(field string) *Budget {
	for i := range budgets {
		if budgets[i].Field == field {
			return &budgets[i]
		}
	}
	return nil
}

// states reports whether the log states what the budget is held against.
func (b *Budget) states(u *Subject) bool {
	if b.known != nil {
		return b.known(u)
	}
	_, known := b.value(u)
	return known
}

// declaredFor is where the budget is declared for what u is; From is empty
// where it is not.
func (b *Budget) declaredFor(u *Subject) Origin {
	if b.Field == FieldBlocks && u.minBlocks() > 0 {
		return u.decl.LaunchBounds.Origin
	}
	if f := b.field(&u.decl.Declaration); f != nil && f.isSet() {
		return f.origin()
	}
	return Origin{}
}

// anyBudget reports whether a budget is declared that one asks for.
func (d *Declaration) anyBudget(asked func(*Budget) bool) bool {
	for i := range budgets {
		if b := &budgets[i]; asked(b) {
			if f := b.field(d); f != nil && f.isSet() {
				return true
			}
		}
	}
	return false
}

package rules

import (
	"fmt"
	"strings"
)

const regressionID = "regression"

func regression() *Rule {
	return &Rule{
		ID:    regressionID,
		Title: "worse than the baseline accepts",
		Why: "A baseline accepts the findings that a code base has today, each at the number it has today. " +
			"A finding that is no worse passes. One that got worse, by more than `tolerance`, is a regression: " +
			"somebody just made a known problem bigger.\n\n" +
			"The regression stands in place of the finding that the baseline knows; what the baseline does not know stays what it is.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z8lb_256_4PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z8lb_256_4PKfPfi
    120 bytes stack frame, 244 bytes spill stores, 276 bytes spill loads
ptxas info    : Used 64 registers, used 0 barriers, 120 bytes cumulative stack size
`,
			Config: `version: 1
defaults:
  spills: 0
baseline: .occlint-baseline.yml
tolerance: {spills: 16}
`,
			Files: []File{{".occlint-baseline.yml", `version: 1
families:
  - family: lb_256_4
    reason: as it was
    kernels:
      _Z8lb_256_4PKfPfi:
        sm_90 spill-budget: {spill_stores: 200, spill_loads: 276}
`}},
			Policy: func() *Policy {
				entry := func(field string, value float64) BaselineEntry {
					return BaselineEntry{
						Rule: "spill-budget", Kernel: "_Z8lb_256_4PKfPfi", Arch: "sm_90",
						Field: field, Value: value, Reason: "as it was",
					}
				}
				return &Policy{
					Declarations: []Declaration{{SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)}},
					Baseline: &Baseline{
						Entries:   []BaselineEntry{entry(FieldSpillStores, 200), entry(FieldSpillLoads, 276)},
						Tolerance: map[string]float64{"spills": 16},
					},
				}
			},
			Finding: "lb_256_4 got worse on sm_90: 244 bytes of spill stores, 44 more than the 200 that the baseline accepts (spill-budget)",
		},
		Fix:     "Undo what made it worse, or, when the change is worth it, record the new number with `occlint baseline write --reason \"…\"` and let the review see it.",
		Default: Error,
		Options: []Option{
			{"baseline", "The file of accepted findings, relative to the config."},
			{"tolerance", "How much worse than recorded still passes, by field: `{registers: 2, spills: 16}`."},
		},
	}
}

// Regressed is the rule whose finding got worse; empty where the finding is no
// regression.
func (f *Finding) Regressed() string {
	if f.Rule != regressionID {
		return ""
	}
	rule, _, _ := strings.Cut(f.Detail, " ")
	return rule
}

// toRegression turns a finding that got worse than its baseline entry into one
// of this rule. It keeps its place, its notes and its help.
func toRegression(j *judge, f *Finding, e *BaselineEntry, now Measure, tolerance float64) {
	rule := f.Rule
	f.Rule, f.Severity = regressionID, j.severity[regressionID]
	f.Value, f.Limit, f.Unlimited, f.Field = now.Value, e.Value, false, now.Field
	f.Unit = fieldUnit(now.Field)
	f.Declared = e.Origin
	if f.Declared.From == "" {
		f.Declared.From = FromBaseline
	}
	word, difference := "more", now.Value-e.Value
	if difference < 0 {
		word, difference = "less", -difference
	}
	f.Notes = append([]string{f.Message}, f.Notes...)
	had := "that the baseline accepts"
	if e.Origin.From == FromBase {
		had = "that it has in " + e.Origin.Place.File
	}
	f.Message = fmt.Sprintf("%s got worse%s: %s, %s %s than the %s %s (%s)",
		f.Subject, onArch(f.Arch), fieldAmount(now.Field, now.Value), number(difference), word, number(e.Value), had, rule)
	if tolerance > 0 {
		f.Notes = append(f.Notes, "the tolerance is "+fieldAmount(now.Field, tolerance))
	}
	if f.Detail == "" {
		f.Detail = rule
	} else {
		f.Detail = rule + " " + f.Detail
	}
}

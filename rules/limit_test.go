package rules

import "testing"

// Without a budget there is no limit, which is not a limit of 0; what can't be
// judged has no number at all.
func TestFindingsWithoutLimit(t *testing.T) {
	log := module + frame("k", "sm_90", "64 registers, used 0 barriers", 8, 16, 24)
	measures := func(f *Finding) (list [2]bool) {
		for i, m := range f.Measures {
			list[i] = m.Unlimited
		}
		return list
	}
	r := judgeText(t, log, &Policy{
		Declarations: []Declaration{{Match: "k", LaunchBounds: Declared(Bounds{256, 4})}},
		Severities:   map[string]Severity{"stack-frame": Warning},
	})
	for _, rule := range []string{"spill-budget", "capped-and-spilling"} {
		if f := find(t, r, rule, "k"); !f.Unlimited || f.Value != 24 || measures(f) != [2]bool{true, true} {
			t.Errorf("%s: value %v, limit %v, unlimited %t, measures %v", rule, f.Value, f.Limit, f.Unlimited, f.Measures)
		}
	}
	// 24 bytes of loads without a budget are further from nothing than 16 of
	// stores from their 8.
	r = judgeText(t, log, &Policy{Declarations: []Declaration{{Match: "k", SpillStoreBytes: Declared[int64](8)}}})
	if f := find(t, r, "spill-budget", "k"); measures(f) != [2]bool{false, true} || f.Measures[0].Limit != 8 {
		t.Errorf("measures %v", f.Measures)
	}
	r = judgeText(t, log, &Policy{Declarations: []Declaration{{Match: "k", SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)}}})
	if f := find(t, r, "spill-budget", "k"); f.Unlimited || measures(f) != [2]bool{} {
		t.Errorf("a budget of 0 is a limit: %+v", f)
	}

	r = judgeText(t, used("sm_90", "64 registers, used 0 barriers"), &Policy{Declarations: []Declaration{
		{Match: "k", MinOccupancy: Declared(25.0), BytesInFlight: Declared[int64](32)},
	}})
	for _, rule := range []string{"min-occupancy", "bytes-in-flight"} {
		if f := find(t, r, rule, "k"); f.Unit != "" || f.Value != 0 || f.Limit != 0 {
			t.Errorf("%s can't be judged, and has %v of %v %s", rule, f.Value, f.Limit, f.Unit)
		}
	}
}

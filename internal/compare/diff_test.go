package compare

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// kernel builds a judged kernel whose Used and stack lines are whole.
func kernel(name, arch string, registers, stores, loads int64, change ...func(*rules.Judgement)) rules.Judgement {
	j := rules.Judgement{Compiled: -1, Kernel: parse.Kernel{Name: name, Class: &parse.Class{
		Arch: arch, Kind: parse.Entry, Stage: parse.StagePtxas,
		Registers:       parse.Some(registers),
		StackBytes:      parse.Some(0),
		SpillStoreBytes: parse.Some(stores),
		SpillLoadBytes:  parse.Some(loads),
	}}}
	for _, c := range change {
		c(&j)
	}
	return j
}

func barriers(n int64) func(*rules.Judgement) {
	return func(j *rules.Judgement) { j.Kernel.Barriers = parse.Some(n) }
}

func warps(n int) func(*rules.Judgement) {
	return func(j *rules.Judgement) { j.Occupancy = &arch.Occupancy{Warps: n, WarpSlots: 64} }
}

func thresholds(t *testing.T, text string) []Threshold {
	t.Helper()
	list, err := ParseThresholds(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// outcome is what a test compares of a pair.
type outcome struct {
	Name, Arch, Status string
	Changes            []string
}

func outcomes(d *Diff) []outcome {
	var list []outcome
	for _, p := range d.Pairs {
		o := outcome{Name: p.Name, Arch: p.Arch, Status: p.Status.String()}
		for _, c := range p.Changes {
			text := c.Field.String() + " " + c.text("->")
			if c.Threshold != "" {
				text += " breaks " + c.Threshold
			}
			o.Changes = append(o.Changes, text)
		}
		list = append(list, o)
	}
	return list
}

func TestLogs(t *testing.T) {
	// Numbers of bounds.cu on sm_90 as nvcc 13.0 printed them, and of the
	// same kernels under tighter bounds.
	for _, test := range []struct {
		name        string
		old, new    []rules.Judgement
		thresholds  string
		want        []outcome
		wantNoCause bool
	}{{
		name: "equal",
		old:  []rules.Judgement{kernel("_Z8reduce_aPKfPfm", "sm_90", 14, 0, 0)},
		new:  []rules.Judgement{kernel("_Z8reduce_aPKfPfm", "sm_90", 14, 0, 0)},
		want: []outcome{{Name: "_Z8reduce_aPKfPfm", Arch: "sm_90", Status: "unchanged"}},
	}, {
		name: "a spill within no threshold",
		old:  []rules.Judgement{kernel("_Z8lb_256_8PKfPfi", "sm_90", 64, 0, 0)},
		new:  []rules.Judgement{kernel("_Z8lb_256_8PKfPfi", "sm_90", 32, 1184, 1256)},
		want: []outcome{{"_Z8lb_256_8PKfPfi", "sm_90", "regressed", []string{
			"registers 64 -> 32 (-32)",
			"spill_stores 0 -> 1184 (+1184) breaks spills>+0",
			"spill_loads 0 -> 1256 (+1256) breaks spills>+0",
		}}},
		thresholds: "registers>+4,spills>+0",
	}, {
		name: "a threshold is the most that is allowed",
		old:  []rules.Judgement{kernel("a", "sm_90", 40, 0, 0), kernel("b", "sm_90", 40, 0, 0)},
		new:  []rules.Judgement{kernel("a", "sm_90", 44, 0, 0), kernel("b", "sm_90", 45, 0, 0)},
		want: []outcome{
			{"b", "sm_90", "regressed", []string{"registers 40 -> 45 (+5) breaks registers>+4"}},
			{"a", "sm_90", "worse", []string{"registers 40 -> 44 (+4)"}},
		},
		thresholds: "registers>+4",
	}, {
		name: "a threshold relative to the old value",
		// 10 % of 40 is 4.
		old:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0), kernel("b", "sm_90", 40, 0, 0)},
		new:        []rules.Judgement{kernel("a", "sm_90", 44, 0, 0), kernel("b", "sm_90", 45, 0, 0)},
		thresholds: "registers>+10%",
		want: []outcome{
			{"b", "sm_90", "regressed", []string{"registers 40 -> 45 (+5) breaks registers>+10%"}},
			{"a", "sm_90", "worse", []string{"registers 40 -> 44 (+4)"}},
		},
	}, {
		name: "occupancy is in percentage points and worse when less",
		// 48, 40 and 32 of 64 warps are 75 %, 62.5 % and 50 %.
		old:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0, warps(48)), kernel("b", "sm_90", 40, 0, 0, warps(48))},
		new:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0, warps(40)), kernel("b", "sm_90", 40, 0, 0, warps(32))},
		thresholds: "occupancy<-12.5%",
		want: []outcome{
			{"b", "sm_90", "regressed", []string{"occupancy 75 -> 50 % (-25) breaks occupancy<-12.5%"}},
			{"a", "sm_90", "worse", []string{"occupancy 75 -> 62.5 % (-12.5)"}},
		},
	}, {
		name:       "absent is not 0",
		old:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0)},
		new:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0, barriers(2))},
		thresholds: "barriers>+0",
		want:       []outcome{{"a", "sm_90", "unknown", []string{"barriers ? -> 2"}}},
	}, {
		name: "added and removed",
		old:  []rules.Judgement{kernel("gone", "sm_90", 40, 0, 0), kernel("stays", "sm_90", 40, 0, 0)},
		new: []rules.Judgement{
			kernel("stays", "sm_90", 40, 0, 0), kernel("clean", "sm_90", 90, 0, 0), kernel("spilling", "sm_90", 20, 8, 8),
		},
		thresholds: "registers>+0",
		want: []outcome{
			{Name: "spilling", Arch: "sm_90", Status: "added"},
			{Name: "clean", Arch: "sm_90", Status: "added"},
			{Name: "gone", Arch: "sm_90", Status: "removed"},
			{Name: "stays", Arch: "sm_90", Status: "unchanged"},
		},
	}, {
		name:       "architectures are judged apart",
		old:        []rules.Judgement{kernel("a", "sm_80", 40, 0, 0), kernel("a", "sm_90", 50, 0, 0)},
		new:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0), kernel("a", "sm_80", 50, 0, 0)},
		thresholds: "registers>+0",
		want: []outcome{
			{"a", "sm_80", "regressed", []string{"registers 40 -> 50 (+10) breaks registers>+0"}},
			{"a", "sm_90", "better", []string{"registers 50 -> 40 (-10)"}},
		},
	}, {
		name:       "several compilations of one kernel: the worst counts",
		old:        []rules.Judgement{kernel("a", "sm_90", 40, 0, 0), kernel("a", "sm_90", 42, 0, 0)},
		new:        []rules.Judgement{kernel("a", "sm_90", 42, 0, 0), kernel("a", "sm_90", 40, 16, 0)},
		want:       []outcome{{"a", "sm_90", "regressed", []string{"spill_stores 0 -> 16 (+16) breaks spills>+0"}}},
		thresholds: "spills>+0",
	}, {
		name:       "a record without a name pairs with nothing",
		old:        []rules.Judgement{kernel("", "sm_90", 40, 0, 0)},
		new:        []rules.Judgement{kernel("", "sm_90", 90, 0, 0)},
		thresholds: "registers>+0",
	}} {
		t.Run(test.name, func(t *testing.T) {
			text := test.thresholds
			if text == "" {
				text = "spills>+0"
			}
			got := outcomes(Logs(slices.All(test.old), slices.All(test.new), thresholds(t, text)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The hidden kernel of basics.cu as nvcc 12.4 and 13.0 named it.
const (
	hidden12 = "_ZN40_GLOBAL__N__cef70a57_9_basics_cu_scale_c6hiddenEPf"
	hidden13 = "_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf"
)

func TestRenamedInternalLinkage(t *testing.T) {
	d := Logs(
		slices.All([]rules.Judgement{kernel(hidden12, "sm_90", 10, 0, 0)}),
		slices.All([]rules.Judgement{kernel(hidden13, "sm_90", 12, 0, 0)}),
		thresholds(t, "registers>+0"))
	if len(d.Pairs) != 1 {
		t.Fatalf("%d pairs, want 1", len(d.Pairs))
	}
	p := d.Pairs[0]
	if p.Name != hidden13 || p.OldName != hidden12 || p.Status != Regressed {
		t.Errorf("name %q, old name %q, status %v", p.Name, p.OldName, p.Status)
	}
}

// Two files of one base name give two kernels one canonical name. The printed
// names differ in both builds, so the numbers tell which is which.
func TestSharedCanonicalName(t *testing.T) {
	rename := func(hash string) string { return "_ZN40_GLOBAL__N__" + hash + "_9_basics_cu_scale_c6hiddenEPf" }
	d := Logs(
		slices.All([]rules.Judgement{kernel(rename("00000001"), "sm_90", 10, 0, 0), kernel(rename("00000002"), "sm_90", 80, 0, 0)}),
		slices.All([]rules.Judgement{kernel(rename("00000003"), "sm_90", 80, 0, 0), kernel(rename("00000004"), "sm_90", 12, 0, 0)}),
		thresholds(t, "registers>+4"))
	want := []outcome{
		{rename("00000004"), "sm_90", "worse", []string{"registers 10 -> 12 (+2)"}},
		{Name: rename("00000003"), Arch: "sm_90", Status: "unchanged"},
	}
	if diff := cmp.Diff(want, outcomes(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIncomparable(t *testing.T) {
	a := []rules.Judgement{kernel("a", "sm_90", 40, 0, 0)}
	for _, test := range []struct {
		name, thresholds string
		old, new         []rules.Judgement
		want             string
	}{
		{"comparable", "registers>+0", a, a, ""},
		{"nothing in common", "registers>+0", a, []rules.Judgement{kernel("a", "sm_80", 40, 0, 0)},
			"the two have no kernel in common: nothing was compared; are they logs of the same project and architectures?"},
		{"occupancy without threads", "registers>+0,occupancy<-10%", a, a,
			"the threshold occupancy<-10% can't be judged: no kernel states occupancy on both sides; give --threads N, or declare launch bounds or a block size"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Logs(slices.All(test.old), slices.All(test.new), thresholds(t, test.thresholds)).Incomparable(); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	if got := Logs(slices.All(a), slices.All(a), DefaultThresholds(nil)).Incomparable(); got != "" {
		t.Errorf("default thresholds: %q, want nothing: nobody asked for occupancy", got)
	}
}

package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseThresholds(t *testing.T) {
	spills := []Field{SpillStores, SpillLoads}
	for _, test := range []struct {
		text string
		want []Threshold
	}{
		{"registers>+4", []Threshold{{Fields: []Field{Registers}, Over: 4, Text: "registers>+4"}}},
		{"registers>+4,spills>+0,occupancy<-10%", []Threshold{
			{Fields: []Field{Registers}, Over: 4, Text: "registers>+4"},
			{Fields: spills, Text: "spills>+0"},
			{Fields: []Field{Occupancy}, Over: 10, Text: "occupancy<-10%"},
		}},
		{" registers > +4 , stack>+1KiB", []Threshold{
			{Fields: []Field{Registers}, Over: 4, Text: "registers > +4"},
			{Fields: []Field{Stack}, Over: 1024, Text: "stack>+1KiB"},
		}},
		{"shared>+2.5%", []Threshold{{Fields: []Field{Shared}, Over: 2.5, Relative: true, Text: "shared>+2.5%"}}},
		{"occupancy<-10", []Threshold{{Fields: []Field{Occupancy}, Over: 10, Text: "occupancy<-10"}}},
	} {
		got, err := ParseThresholds(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		for i := range test.want {
			test.want[i].Asked = true
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestThresholdFaults(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "threshold: a threshold is missing; write FIELD>+N, such as registers>+4\n  \n  ^"},
		{"registers", "threshold: no > or < in it; write FIELD>+N, such as registers>+4\n  registers\n           ^"},
		{"regs>+4", "threshold: no field \"regs\"; there are spills, registers, spill_stores, spill_loads, stack, shared, barriers, occupancy\n  regs>+4\n  ^"},
		{"registers>4", "threshold: a threshold is a change, not a value: write registers>+N\n  registers>4\n            ^"},
		{"registers<-4", "threshold: registers gets worse the other way; write registers>+N\n  registers<-4\n           ^"},
		{"occupancy>+4", "threshold: occupancy gets worse the other way; write occupancy<-N\n  occupancy>+4\n           ^"},
		{"stack>+1KB", "threshold: want a number of bytes, KiB or MiB, or a percentage of the old value (10%)\n  stack>+1KB\n         ^"},
		{"registers>+1e3", "threshold: want a number, or a percentage of the old value (10%)\n  registers>+1e3\n             ^"},
		// Every fault is told at once.
		{"spills>+0,regs>+4,stack>3", "threshold: no field \"regs\"; there are spills, registers, spill_stores, spill_loads, stack, shared, barriers, occupancy\n" +
			"  spills>+0,regs>+4,stack>3\n            ^\n" +
			"threshold: a threshold is a change, not a value: write stack>+N\n" +
			"  spills>+0,regs>+4,stack>3\n                          ^"},
	} {
		list, err := ParseThresholds(test.text)
		if err == nil {
			t.Errorf("%q: read as %v, want an error", test.text, list)
			continue
		}
		if diff := cmp.Diff(test.want, err.Error()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestDefaultThresholds(t *testing.T) {
	got := map[string]string{}
	for _, th := range DefaultThresholds(map[string]float64{"registers": 2, "spills": 16, "spill_loads": 32}) {
		got[th.Fields[0].String()] = th.Text
	}
	want := map[string]string{
		"registers": "registers>+2", "spill_stores": "spill_stores>+16", "spill_loads": "spill_loads>+32", "stack": "stack>+0",
		"shared": "shared>+0", "barriers": "barriers>+0", "occupancy": "occupancy<-0%",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

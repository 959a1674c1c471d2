package rules_test

import (
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// spilling is a log of one kernel with 100 bytes of spill stores and 300 of
// loads, and of a function in it with 40 and 40.
const spilling = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    64 bytes stack frame, 100 bytes spill stores, 300 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 64 bytes cumulative stack size
ptxas info    : Function properties for f
    40 bytes stack frame, 40 bytes spill stores, 40 bytes spill loads
`

// inLoops is the kernel's places: 120 bytes at depth 1 and 80 at depth 2.
func inLoops() *rules.Places {
	return &rules.Places{
		File: "k.cubin", Exact: true, SpillStoreBytes: 100, SpillLoadBytes: 300, LoopSpillBytes: 200, Deepest: 2, DepthsKnown: true,
		Loops: []rules.LoopPlace{
			{Text: "loop at k.cu:20-22", Place: parse.Place{File: "k.cu", Line: 20}, Depth: 2, LoadBytes: 80},
			{Text: "loop at k.cu:10-30", Place: parse.Place{File: "k.cu", Line: 10}, Depth: 1, StoreBytes: 40, LoadBytes: 80},
		},
		Lines: []rules.LinePlace{{Text: "k.cu:21", Depth: 2, LoadBytes: 80}, {Text: "k.cu:12", StoreBytes: 40}},
	}
}

func outOfLoops() *rules.Places {
	p := inLoops()
	p.Loops, p.Lines, p.LoopSpillBytes, p.Deepest = nil, nil, 0, 0
	return p
}

func with(p *rules.Places, others ...*rules.Places) *rules.Places {
	p.Others = others
	return p
}

func TestPlaces(t *testing.T) {
	kernel := rules.PlaceKey{Name: "k", Arch: "sm_90"}
	function := rules.PlaceKey{Name: "f", Parent: "k", Arch: "sm_90"}
	budget := func(bytes int64) []rules.Declaration {
		return []rules.Declaration{{LoopSpillBytes: rules.Declared(bytes)}}
	}
	guess := func(p *rules.Places) *rules.Places {
		p.Exact, p.SpillLoadBytes = false, 304
		return p
	}
	for _, test := range []struct {
		name   string
		places map[rules.PlaceKey]*rules.Places
		policy rules.Policy
		want   []string // "severity rule: part of message or note"
		never  []string
	}{
		{
			name:  "no binary: nothing is said of loops",
			want:  []string{"warning spill-budget: k spills 100 bytes of stores and 300 of loads on sm_90: no budget is declared"},
			never: []string{"spill-in-loop", "loop"},
		},
		{
			name:   "spills in loops, and no budget",
			places: map[rules.PlaceKey]*rules.Places{kernel: inLoops()},
			want: []string{
				"warning spill-in-loop: k spills 120 bytes in each pass of a loop on sm_90: no budget is declared",
				"warning spill-in-loop: the loop at k.cu:20-22, depth 2: 0 bytes of stores and 80 of loads in each pass",
				"warning spill-in-loop: most on k.cu:21 (80 bytes, loop depth 2), k.cu:12 (40 bytes)",
				"warning spill-budget: k spills 100 bytes of stores and 300 of loads on sm_90, 200 bytes of it in loops: no budget",
			},
		},
		{
			name:   "the binary has no spill at all: it is of another build",
			places: map[rules.PlaceKey]*rules.Places{kernel: {File: "k.cubin", Exact: true, DepthsKnown: true}},
			want:   []string{"error untrusted-log: k spills 100 bytes of stores and 300 of loads on sm_90 in the log and 0 bytes of stores and 0 of loads in the binary"},
		},
		{
			name:   "of two kernels of one name the one with the log's numbers counts",
			places: map[rules.PlaceKey]*rules.Places{kernel: {File: "other.cubin", Exact: true, DepthsKnown: true, Others: []*rules.Places{inLoops()}}},
			want:   []string{"warning spill-in-loop: k spills 120 bytes in each pass of a loop on sm_90: no budget is declared"},
			never:  []string{"not of one build"},
		},
		{
			name:   "of two with the log's numbers the one with more in a loop counts",
			places: map[rules.PlaceKey]*rules.Places{kernel: with(outOfLoops(), inLoops())},
			want:   []string{"warning spill-in-loop: k spills 120 bytes in each pass of a loop on sm_90: no budget is declared"},
		},
		{
			name:   "none in a loop",
			places: map[rules.PlaceKey]*rules.Places{kernel: outOfLoops()},
			want:   []string{"warning spill-budget: on sm_90, none of it in a loop: no budget", "warning spill-budget: -lineinfo, the binary would name the lines"},
			never:  []string{"spill-in-loop"},
		},
		{
			name:   "above the budget of each loop",
			places: map[rules.PlaceKey]*rules.Places{kernel: inLoops()}, policy: rules.Policy{Declarations: budget(100)},
			want: []string{"error spill-in-loop: k spills 120 bytes in each pass of a loop on sm_90: 20 above the budget of 100"},
		},
		{
			name:   "within the budget of each loop, though not all together",
			places: map[rules.PlaceKey]*rules.Places{kernel: inLoops(), function: {Exact: true, SpillStoreBytes: 40, SpillLoadBytes: 40, DepthsKnown: true}},
			policy: rules.Policy{Declarations: budget(120)}, never: []string{"spill-in-loop", "untrusted-log"},
		},
		{
			name:   "a budget and no binary",
			policy: rules.Policy{Declarations: budget(120)},
			want:   []string{"error untrusted-log: in which loops the spills are"},
		},
		{
			name:   "a budget that all spills together keep needs no binary",
			policy: rules.Policy{Declarations: budget(400)}, never: []string{"untrusted-log", "spill-in-loop"},
		},
		{
			name:   "what is about right is no error",
			places: map[rules.PlaceKey]*rules.Places{kernel: guess(inLoops()), function: {Exact: true, SpillStoreBytes: 40, SpillLoadBytes: 40, DepthsKnown: true}},
			policy: rules.Policy{Declarations: budget(0), Severities: map[string]rules.Severity{"spill-in-loop": rules.Error}},
			want:   []string{"warning spill-in-loop: k spills about 120 bytes in each pass", "warning spill-budget: about 200 bytes of it in loops"},
			never:  []string{"error spill-in-loop"},
		},
		{
			name:   "of another build",
			places: map[rules.PlaceKey]*rules.Places{kernel: {File: "old.cubin", Exact: true, SpillStoreBytes: 8, SpillLoadBytes: 8}},
			want: []string{
				"error untrusted-log: k spills 100 bytes of stores and 300 of loads on sm_90 in the log and 8 bytes of stores and 8 of loads in the binary: they are not of one build",
				"error untrusted-log: the binary: old.cubin",
			},
			never: []string{"spill-in-loop"},
		},
		{
			name: "a function, by the kernel that it was compiled for",
			places: map[rules.PlaceKey]*rules.Places{function: {
				Exact: true, SpillStoreBytes: 40, SpillLoadBytes: 40, LoopSpillBytes: 80, Deepest: 1, DepthsKnown: true,
				Loops: []rules.LoopPlace{{Text: "loop around its call", Depth: 1, StoreBytes: 40, LoadBytes: 40}},
			}},
			want: []string{
				"warning spill-in-loop: f spills 80 bytes in each pass of a loop on sm_90, compiled for k: no budget",
				"warning callee-spill: on sm_90, compiled for k, all of it in loops: no budget",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, err := parse.Read(strings.NewReader(spilling), "build.log")
			if err != nil {
				t.Fatal(err)
			}
			policy := test.policy
			policy.Places = test.places
			result, err := rules.Judge(log, &policy)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for i := range result.Findings {
				f := &result.Findings[i]
				for _, text := range append([]string{f.Message}, f.Notes...) {
					all = append(all, f.Severity.String()+" "+f.Rule+": "+text)
				}
				if f.Rule == "spill-in-loop" && f.Kernel == "k" && (f.Place != parse.Place{File: "k.cu", Line: 10}) {
					t.Errorf("the finding stands at %v", f.Place)
				}
			}
			text := strings.Join(all, "\n")
			for _, want := range test.want {
				head, part, _ := strings.Cut(want, ": ")
				found := false
				for _, line := range all {
					found = found || strings.HasPrefix(line, head+": ") && strings.Contains(line, part)
				}
				if !found {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			for _, never := range test.never {
				if strings.Contains(text, never) {
					t.Errorf("%q in\n%s", never, text)
				}
			}
		})
	}
}

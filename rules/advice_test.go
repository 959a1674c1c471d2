package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// TestAdviceCanBeFollowed: over architectures, bounds and register counts, no
// help and no note of a spilling kernel asks for what can't be: more registers
// than a thread has, a cap taken away that takes nothing, an occupancy that
// lies between a number and itself.
func TestAdviceCanBeFollowed(t *testing.T) {
	higher := regexp.MustCompile(`higher cap than (\d+)`)
	between := regexp.MustCompile(`: ([0-9.]+) % with .* the ([0-9.]+) % of`)
	for _, target := range []string{"sm_35", "sm_60", "sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"} {
		sm, err := arch.Builtin().Lookup(target)
		if err != nil {
			t.Fatal(err)
		}
		for _, bounds := range []Bounds{{}, {32, 0}, {64, 1}, {128, 0}, {256, 0}, {256, 1}, {256, 2}, {256, 4}, {256, 40}, {512, 0}, {800, 2}, {1024, 0}, {1024, 4}} {
			for _, registers := range []int64{16, 32, 64, 96, 128, 240, 254, 255} {
				messages := spillingMessages(t, target, bounds, registers)
				id := fmt.Sprintf("%s %v %d registers", target, bounds, registers)
				for _, text := range messages {
					if m := higher.FindStringSubmatch(text); m != nil {
						if n, _ := strconv.Atoi(m[1]); n >= sm.RegistersPerThread {
							t.Errorf("%s: %s", id, text)
						}
					}
					if m := between.FindStringSubmatch(text); m != nil && m[1] == m[2] {
						t.Errorf("%s: %s", id, text)
					}
					if strings.Contains(text, "with and without the cap") && bounds.Threads > 0 &&
						sm.RegisterCap(bounds.Threads, bounds.MinBlocks).Registers >= sm.RegistersPerThread {
						t.Errorf("%s: %s", id, text)
					}
				}
			}
		}
	}
}

// spillingMessages are the notes and the help of every finding on one kernel
// that spills.
func spillingMessages(t *testing.T, target string, bounds Bounds, registers int64) []string {
	t.Helper()
	log := &parse.Log{}
	log.Compilations = []parse.Compilation{{Arch: target, Stage: parse.StagePtxas}}
	log.Add(parse.Kernel{Name: "k", Class: &parse.Class{
		Arch: target, Kind: parse.Entry, Stage: parse.StagePtxas, Registers: parse.Some(registers),
		StackBytes: parse.Some(64), SpillStoreBytes: parse.Some(64), SpillLoadBytes: parse.Some(64),
	}})
	p := &Policy{}
	if bounds.Threads > 0 {
		p.Declarations = []Declaration{{Match: "k", LaunchBounds: Declared(bounds)}}
	}
	r := mustJudge(t, log, p)
	var all []string
	for i := range r.Findings {
		f := &r.Findings[i]
		all = append(append(all, f.Notes...), f.Help)
	}
	if len(all) == 0 {
		t.Fatalf("%s %v: nothing is said of a kernel that spills", target, bounds)
	}
	return all
}

// TestAdviceOfSpills: what is said where the cap binds, where it does not, where
// the log names none, and where a block can't be launched with more.
func TestAdviceOfSpills(t *testing.T) {
	for _, tc := range []struct {
		reason    string
		bounds    Bounds
		registers int64
		want, not string
	}{
		// (256, 4) on sm_90: 65536 / 128 / ceil(4 * 8 / 4) = 64.
		{"the cap binds", Bounds{256, 4}, 64, "a higher cap than 64 registers", "does not bind"},
		// (256) alone: 65536 / 128 / 2 = 256, and a thread can have 255.
		{"the cap is the architecture's", Bounds{256, 0}, 255, "does not bind: 255 registers are all that a thread of sm_90 can have", "higher cap"},
		{"and the compiler chose fewer", Bounds{256, 0}, 96, "no bound gives more", "with and without"},
		// 1024 threads are 32 warps: 65536 / 128 / 8 = 64.
		{"a block can't have more", Bounds{1024, 0}, 64, "blocks of 1024 threads can't launch with more than 64 registers", "higher cap"},
		{"the log names no cap", Bounds{}, 64, "it has 64 of the 255 registers that a thread can have: a cap is likely, which --source, sources: or the PTX would name", "higher cap"},
		{"there is none", Bounds{}, 255, "let the kernel need fewer registers", "a cap is likely"},
	} {
		all := strings.Join(spillingMessages(t, "sm_90", tc.bounds, tc.registers), "\n")
		if !strings.Contains(all, tc.want) || strings.Contains(all, tc.not) {
			t.Errorf("%s:\n%s\nwant %q and not %q", tc.reason, all, tc.want, tc.not)
		}
	}
}

package rules

import (
	"fmt"
	"strings"
	"testing"
)

// odd_directives.ptx was compiled with -maxrregcount=16, and every kernel in it
// wants more registers than it can have: the registers of the log are the cap,
// except where the compiler chose fewer once it spilled.
func TestCapsAgainstTheCompiler(t *testing.T) {
	bounds := func(name string, threads, blocks int) Declaration {
		return Declaration{Match: name, LaunchBounds: Declared(Bounds{threads, blocks})}
	}
	maxnreg := func(d Declaration, n int) Declaration {
		d.MaxRegisters = Declared(n)
		return d
	}
	only := func(name string, n int) Declaration { return maxnreg(Declaration{Match: name}, n) }
	r := mustJudge(t, readFile(t, "linked/ptxas-odd-directives-11.8.log"), &Policy{Declarations: []Declaration{
		bounds("t16x16b4", 256, 4), bounds("t256b4", 256, 4), bounds("t256b8", 256, 8), bounds("t1024b4", 1024, 4),
		bounds("t1024", 1024, 0), bounds("t256", 256, 0), bounds("r256", 256, 0), bounds("r256b4", 256, 4),
		maxnreg(bounds("t256b4m40", 256, 4), 40), maxnreg(bounds("t256b4m80", 256, 4), 80),
		maxnreg(bounds("t1024m128", 1024, 0), 128), maxnreg(bounds("t256m40", 256, 0), 40),
		only("m8", 8), only("m300", 300), only("m41", 41), only("m40", 40),
	}})
	for name, want := range map[string]int{
		"t16x16b4": 64, "t256b4": 64, "t256b8": 32, "t1024": 64, "t256": 255, "r256": 255, "r256b4": 64,
		"t1024b4":   64, // dropped: 1024 threads alone
		"t256b4m40": 40, "t256b4m80": 64, "t1024m128": 128, "t256m40": 40,
		"m8":   24,  // raised to the least that sm_90 takes
		"m300": 255, // ignored
		"m41":  41, "m40": 40,
		"none": 24, "b4only": 24, // maxrregcount, raised
	} {
		f := find(t, r, "capped-and-spilling", name)
		if text := fmt.Sprintf("%s has a cap of %d registers on sm_90, uses %d,", name, want, want); !strings.HasPrefix(f.Message, text) {
			t.Errorf("%q, want %q", f.Message, text)
		}
	}
	find(t, r, "bounds-ignored", "t1024b4")
}

// Under a maximum of threads alone the compiler can choose registers far below
// the cap once it spills.
func TestCapAboveTheRegisters(t *testing.T) {
	r := mustJudge(t, readFile(t, "linked/threads-only-bounds-11.8.log"), &Policy{Declarations: []Declaration{
		{Match: "n270_t640", LaunchBounds: Declared(Bounds{640, 0})},
		{Match: "n120_t512", LaunchBounds: Declared(Bounds{512, 0})},
	}})
	// 640 threads are 20 warps: 65536 / 128 / 5 = 102, down to 96.
	f := find(t, r, "capped-and-spilling", "n270_t640")
	if want := "n270_t640 has a cap of 96 registers on sm_80, uses 32, and spills 2280 bytes of stores and 2304 of loads"; f.Message != want {
		t.Errorf("%q, want %q", f.Message, want)
	}
	// 640 threads and 32 registers: 65536 / 1024 = 64 warps by registers, 3 blocks
	// of 20 warps; sm_80 has 64. With 255 registers a warp takes 8192: 8 warps,
	// and no block of 20. With 96 it takes 3072, 5 in each of 4 partitions: 20
	// warps, which are 31.25 %; with 97 it takes 3328, 4 in each.
	if want := "occupancy with blocks of 640 threads: 93.8 % with 32 registers; without a cap it can fall to the 31.3 % of 96 registers, and with more than 96 no block fits"; f.Notes[1] != want {
		t.Errorf("%q, want %q", f.Notes[1], want)
	}
	for i := range r.Findings {
		if r.Findings[i].Subject == "n120_t512" {
			t.Errorf("a kernel that does not spill: %s", r.Findings[i].Message)
		}
	}
}

// maxrregcount caps the kernels without bounds, and the log says which; 11.8
// says only that there is one.
func TestCapOfMaxrregcount(t *testing.T) {
	r := mustJudge(t, readFile(t, "nvcc13.0/maxrreg32.log"), &Policy{Declarations: boundsDeclarations()})
	for name, want := range map[string]int{"free_64": 32, "free_240": 32, "free_300": 32, "maxnreg_40": 40, "lb_1024_1": 64, "lb_1024_2": 64} {
		f := find(t, r, "capped-and-spilling", name)
		if text := fmt.Sprintf("%s has a cap of %d registers", name, want); !strings.HasPrefix(f.Message, text) {
			t.Errorf("%q, want %q", f.Message, text)
		}
	}
	r = mustJudge(t, readFile(t, "linked/maxrreg128-11.8.log"), nil)
	// Without declarations only the two at 128 are known to be under it.
	var capped []string
	for _, s := range summary(r, Warning) {
		if strings.HasPrefix(s, "capped-and-spilling") {
			capped = append(capped, s)
		}
	}
	if got := strings.Join(capped, ", "); got != "capped-and-spilling free_240, capped-and-spilling free_300" {
		t.Errorf("have %s", got)
	}
}

// A kernel above its declared cap was compiled with another one: nothing is
// said of the declared one.
func TestCapThatIsNotInEffect(t *testing.T) {
	log := module + frame("k", "sm_90", "80 registers, used 0 barriers", 8, 8, 8)
	r := judgeText(t, log, &Policy{Declarations: []Declaration{{Match: "k", MaxRegisters: Declared(64)}}})
	wantSummary(t, r, Warning, "spill-budget k")
}

// A block of 1024 threads is 32 warps, and 65536 / 32 / 32 = 64 registers per
// thread are all that it can have: advice to raise a cap of 64 could not be
// followed. A minimum that is dropped caps nothing.
func TestCapThatCantRise(t *testing.T) {
	fitted := "blocks of 1024 threads can't launch with more than 64 registers per thread: compare the times with smaller blocks, or with a smaller tile per thread"
	for _, c := range []struct {
		kernel             string
		threads, blocks    int
		cap, without, help string
	}{
		{"lb_1024_1", 1024, 1, "the cap of 64: launch bounds (1024, 1)",
			"occupancy with blocks of 1024 threads: 50 % with 64 registers; with more than 64 registers no block fits", fitted},
		{"lb_1024_4", 1024, 4, "the cap of 64: the 1024 threads of launch bounds (1024, 4), whose minimum of blocks is dropped",
			"occupancy with blocks of 1024 threads: 50 % with 64 registers; with more than 64 registers no block fits", fitted},
		// 2 × 32 warps of 32 registers: 64 of 64 warps. One block may have 64.
		{"lb_1024_2", 1024, 2, "the cap of 32: launch bounds (1024, 2)",
			"occupancy with blocks of 1024 threads: 100 % with 32 registers; without a cap it can fall to the 50 % of 64 registers, and with more than 64 no block fits", ""},
		// 255 registers: 8192 a warp, 2 in each partition, 1 block of 8 warps.
		{"lb_256_4", 256, 4, "the cap of 64: launch bounds (256, 4)",
			"occupancy with blocks of 256 threads: 50 % with 64 registers; without a cap it lies between that and the 12.5 % of 255 registers", ""},
	} {
		r := mustJudge(t, readFile(t, "nvcc13.0/bounds-sm_90.log"), &Policy{Declarations: []Declaration{
			{Match: c.kernel, LaunchBounds: Declared(Bounds{c.threads, c.blocks})},
		}})
		capped, spill := find(t, r, "capped-and-spilling", c.kernel), find(t, r, "spill-budget", c.kernel)
		if capped.Notes[0] != c.cap || capped.Notes[1] != c.without {
			t.Errorf("%s: notes %q, want %q and %q", c.kernel, capped.Notes, c.cap, c.without)
		}
		wantCapped, wantSpill := "compare the times with and without the cap", "a higher cap than "
		if c.help != "" {
			wantCapped, wantSpill = c.help, c.help
		}
		if !strings.HasPrefix(capped.Help, wantCapped) || !strings.HasPrefix(spill.Help, wantSpill) {
			t.Errorf("%s: help %q and %q, want %q and %q", c.kernel, capped.Help, spill.Help, wantCapped, wantSpill)
		}
	}
}

package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// used is a log of one kernel that spills nothing.
func used(target, text string) string { return module + entry("k", target, text) }

func TestRules(t *testing.T) {
	k := func(change func(*Declaration)) []Declaration {
		d := Declaration{Match: "k"}
		change(&d)
		return []Declaration{d}
	}
	bounds := func(threads, blocks int) func(*Declaration) {
		return func(d *Declaration) { d.LaunchBounds = Declared(Bounds{threads, blocks}) }
	}
	for _, c := range []struct {
		name         string
		log          string
		declarations []Declaration
		rule         string
		want         string // the message; empty: no finding of the rule
		help         string // in the help
	}{
		// 1024 threads of 80 registers: 32 warps × 2560 = 81920.
		{"too many registers in a block", used("sm_90", "80 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(1024) }), "cannot-launch",
			"k can't launch on sm_90: a block of 1024 threads needs 81920 registers, 16384 more than the 65536 that a block can have",
			"64 registers or fewer would allow 1 block"},
		{"registers of 1024 threads that just fit", used("sm_90", "64 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(1024) }), "cannot-launch", "", ""},
		// sm_53 gives a block half of its registers.
		{"fewer registers in a block", used("sm_53", "64 registers"), k(func(d *Declaration) { d.Block = Declared(1024) }), "cannot-launch",
			"k can't launch on sm_53: a block of 1024 threads needs 65536 registers, 32768 more than the 32768 that a block can have", "32 registers or fewer"},
		{"block above the bounds", used("sm_90", "32 registers, used 0 barriers"), k(func(d *Declaration) {
			d.LaunchBounds, d.Block = Declared(Bounds{256, 4}), Declared(512)
		}), "cannot-launch", "k can't launch on sm_90: a block of 512 threads is 256 more than the 256 that its launch bounds allow", "launch 256 threads"},
		{"block at the bounds", used("sm_90", "32 registers, used 0 barriers"), k(func(d *Declaration) {
			d.LaunchBounds, d.Block = Declared(Bounds{256, 4}), Declared(256)
		}), "cannot-launch", "", ""},
		{"block above the architecture", used("sm_90", "32 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(2048) }), "cannot-launch",
			"k can't launch on sm_90: a block of 2048 threads is 1024 more than the 1024 that the architecture allows", "1024 threads per block or fewer"},
		// sm_90 gives a block 227 KiB = 232448 bytes.
		{"dynamic shared memory", used("sm_90", "32 registers, used 0 barriers, 1024 bytes smem"), k(func(d *Declaration) { d.DynamicShared = Declared[int64](232448) }), "cannot-launch",
			"k can't launch on sm_90: a block needs 1024 static + 232448 dynamic = 233472 bytes of shared memory, 1024 more than the 232448 that a block can have",
			"232448 bytes of shared memory or fewer"},
		{"static shared memory without any policy", used("sm_75", "32 registers, 65537 bytes smem, 360 bytes cmem[0]"), nil, "cannot-launch",
			"k can't launch on sm_75: a block needs 65537 bytes of shared memory, 1 more than the 65536 that a block can have", "65536 bytes"},
		{"all the shared memory of a block", used("sm_75", "32 registers, 65536 bytes smem, 360 bytes cmem[0]"), nil, "cannot-launch", "", ""},

		// 168 registers: 168 × 32 = 5376 a warp, 3 in each of 4 partitions, 12
		// warps, 3 blocks of 4. 96 KiB + 1 KiB: 233472 / 99328 = 2.
		{"two resources below the minimum", used("sm_90", "168 registers, used 1 barriers, 98304 bytes smem"), k(bounds(128, 4)), "min-blocks",
			"k reaches 2 of 4 declared blocks per SM on sm_90", "128 registers or fewer together with 57344 bytes of shared memory or fewer would allow 4 blocks"},
		{"barriers below the minimum", used("sm_90", "32 registers, used 16 barriers"), k(bounds(128, 8)), "min-blocks",
			"k reaches 4 of 8 declared blocks per SM on sm_90", "8 named barriers or fewer would allow 8 blocks"},
		{"barriers are no limit before sm_90", used("sm_80", "32 registers, used 16 barriers"), k(bounds(128, 8)), "min-blocks", "", ""},
		{"minimum that is reached", used("sm_90", "64 registers, used 0 barriers"), k(bounds(256, 4)), "min-blocks", "", ""},
		{"no minimum", used("sm_90", "64 registers, used 0 barriers"), k(bounds(256, 0)), "min-blocks", "", ""},
		{"dynamic shared memory below the minimum", used("sm_90", "32 registers, used 0 barriers"), k(func(d *Declaration) {
			d.LaunchBounds, d.DynamicShared = Declared(Bounds{256, 4}), Declared[int64](98304)
		}), "min-blocks", "k reaches 2 of 4 declared blocks per SM on sm_90", "57344 bytes"},
		// 4 blocks of 8 warps declared; launched with 512 threads 128 registers allow one.
		{"the block that is launched counts", used("sm_90", "64 registers, used 0 barriers"), k(func(d *Declaration) {
			d.LaunchBounds, d.Block = Declared(Bounds{512, 2}), Declared(384)
		}), "min-blocks", "", ""},
		{"dropped minimum", used("sm_90", "64 registers, used 0 barriers"), k(bounds(1024, 4)), "min-blocks", "", ""},

		{"more blocks than slots", used("sm_86", "32 registers"), k(bounds(32, 17)), "bounds-ignored",
			"k declares 17 blocks per SM, 1 more than the 16 that sm_86 can hold, so the compiler drops the minimum", "16 blocks or fewer"},
		{"more warps than slots", used("sm_86", "32 registers"), k(bounds(1024, 2)), "bounds-ignored",
			"k declares 2 blocks per SM, 1 more than the 1 that sm_86 can hold, so the compiler drops the minimum", "1 block or fewer"},
		{"as many warps as slots", used("sm_90", "32 registers"), k(bounds(1024, 2)), "bounds-ignored", "", ""},

		{"a minimum without a maximum of threads", used("sm_90", "32 registers, used 0 barriers"), k(bounds(0, 9)), "bounds-ignored",
			"k declares 9 blocks per SM and no maximum of threads on sm_90, so the compiler ignores the minimum", "maximum of threads as well"},

		{"occupancy at the minimum", used("sm_90", "80 registers, used 0 barriers"), k(func(d *Declaration) {
			d.Block, d.MinOccupancy = Declared(256), Declared(37.5)
		}), "min-occupancy", "", ""},
		// 24 of 64 warps; 38 % are 24.3 warps: 4 blocks of 8.
		{"occupancy below the minimum", used("sm_90", "80 registers, used 0 barriers"), k(func(d *Declaration) {
			d.Block, d.MinOccupancy = Declared(256), Declared(38.0)
		}), "min-occupancy", "k reaches 37.5 % occupancy on sm_90, 0.5 below the declared 38 %", "64 registers or fewer would allow 4 blocks"},
		{"occupancy of an unknown block", used("sm_90", "80 registers, used 0 barriers"), k(func(d *Declaration) { d.MinOccupancy = Declared(25.0) }), "min-occupancy",
			"k declares a minimum occupancy and no block size on sm_90, so it can't be judged", "block: 256"},
		// 3 blocks of 512 threads are 48 warps, and the slots hold no fourth on sm_86.
		{"occupancy out of reach", used("sm_86", "32 registers"), k(func(d *Declaration) {
			d.Block, d.MinOccupancy = Declared(1024), Declared(80.0)
		}), "min-occupancy", "k reaches 66.7 % occupancy on sm_86, 13.3 below the declared 80 %", "80 % needs 2 blocks of 1024 threads, more than sm_86 can hold; another block size may reach it: occlint calc --arch sm_86 --threads 1024 --registers 32 --suggest lists them"},

		{"registers at the budget", used("sm_90", "64 registers, used 0 barriers"), k(func(d *Declaration) { d.Registers = Declared[int64](64) }), "register-budget", "", ""},
		{"shared memory at the budget", used("sm_90", "64 registers, used 0 barriers, 1024 bytes smem"), k(func(d *Declaration) {
			d.SharedBytes, d.DynamicShared = Declared[int64](2048), Declared[int64](1024)
		}), "shared-budget", "", ""},
		{"dynamic shared memory above the budget", used("sm_90", "64 registers, used 0 barriers, 1024 bytes smem"), k(func(d *Declaration) {
			d.SharedBytes, d.DynamicShared = Declared[int64](2048), Declared[int64](1025)
		}), "shared-budget", "k uses 2049 bytes of shared memory per block on sm_90, 1 above the budget of 2048", ""},
		{"a size that the line leaves out is 0", used("sm_90", "64 registers, used 0 barriers"), k(func(d *Declaration) { d.SharedBytes = Declared[int64](0) }), "shared-budget", "", ""},
		{"the cumulative size counts", module + frame("k", "sm_75", "24 registers, used 0 barriers, 16 bytes cumulative stack size", 0, 0, 0), k(func(d *Declaration) { d.StackBytes = Declared[int64](8) }), "stack-budget",
			"k uses 16 bytes of stack per thread on sm_75, 8 above the budget of 8", ""},

		{"four registers above a step", used("sm_90", "68 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(256) }), "register-cliff",
			"k is 4 registers above a step on sm_90: 64 registers would allow 4 blocks per SM instead of 3", ""},
		// 33 are allocated as 40, 1280 a warp: 12 in each part, 6 blocks of 8
		// warps. 32 are 1024: 16 in each part, 8 blocks, 2 more and not 1.
		{"a step of two blocks", used("sm_90", "33 registers, used 0 barriers, 1024 bytes smem"), k(func(d *Declaration) { d.Block = Declared(256) }), "register-cliff",
			"k is 1 register above a step on sm_90: 32 registers would allow 8 blocks per SM instead of 6",
			"occlint calc --arch sm_90 --threads 256 --registers 33 --shared 1024 --sweep registers shows all the steps"},
		{"five registers above a step", used("sm_90", "69 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(256) }), "register-cliff", "", ""},
		{"at a step", used("sm_90", "64 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(256) }), "register-cliff", "", ""},
		{"another resource limits as well", used("sm_90", "66 registers, used 0 barriers, 65536 bytes smem"), k(func(d *Declaration) { d.Block = Declared(256) }), "register-cliff", "", ""},

		{"whole warps", used("sm_90", "32 registers, used 0 barriers"), k(func(d *Declaration) { d.Block = Declared(96) }), "block-shape", "", ""},
		{"bounds that are no whole number of warps", used("sm_90", "32 registers, used 0 barriers"), k(bounds(33, 0)), "block-shape",
			"k has blocks of 33 threads, not a multiple of 32: 31 lanes of the last warp idle", "64 threads"},

		{"48 KiB of static shared memory", used("sm_80", "10 registers, 49152 bytes smem"), nil, "static-shared", "", ""},
		{"the linker counts 1 KiB more", "nvlink info    : 0 bytes gmem (target: sm_90)\nnvlink info    : Function properties for 'k': (target: sm_90)\n" +
			"nvlink info    : used 8 registers, 0 stack, 50176 bytes smem, 360 bytes cmem[0], 0 bytes lmem (target: sm_90)\n", nil, "static-shared", "", ""},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			r := judgeText(t, c.log, &Policy{Declarations: c.declarations})
			if !r.Trusted() {
				t.Fatalf("not trusted: %q", summary(r, Info))
			}
			i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Rule == c.rule })
			switch {
			case i < 0 && c.want == "":
			case i < 0:
				t.Errorf("no finding among %q", summary(r, Info))
			case r.Findings[i].Message != c.want:
				t.Errorf("message %q\nwant    %q", r.Findings[i].Message, c.want)
			case !strings.Contains(r.Findings[i].Help, c.help):
				t.Errorf("help %q, want %q in it", r.Findings[i].Help, c.help)
			}
		})
	}
}

// The compiler's warning counts also where the declared bounds could be kept:
// it saw others. A warning of another architecture does not.
func TestDroppedMinimumByRemark(t *testing.T) {
	warning := "ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored\n"
	good := Policy{Declarations: []Declaration{{Match: "k", LaunchBounds: Declared(Bounds{256, 4})}}}
	r := judgeText(t, warning+used("sm_90", "80 registers, used 0 barriers"), &good)
	wantSummary(t, r, Warning, "bounds-ignored k") // and no min-blocks, though 3 of 4 are reached
	f := find(t, r, "bounds-ignored", "k")
	if !strings.Contains(strings.Join(f.Notes, "\n"), "the compiler saw other bounds") || f.Log.Line != 1 {
		t.Errorf("notes %q, line %d", f.Notes, f.Log.Line)
	}

	r = judgeText(t, warning+used("sm_75", "64 registers, used 0 barriers")+used("sm_90", "64 registers, used 0 barriers"), nil)
	wantSummary(t, r, Warning, "bounds-ignored k")
	if f := find(t, r, "bounds-ignored", "k"); f.Arch != "sm_75" {
		t.Errorf("on %s, want sm_75 whose module line follows", f.Arch)
	}
	r = judgeText(t, warning+used("sm_75", "64 registers, used 0 barriers")+used("sm_90", "64 registers, used 0 barriers"), &Policy{Archs: []Judged{{Arch: "sm_90"}}})
	wantSummary(t, r, Warning)
}

// The same on real logs: what the compiler warns of is what is computed.
func TestDroppedMinimumsAreThoseOfTheCompiler(t *testing.T) {
	for _, name := range []string{"nvcc13.0/bounds-sm_75.log", "nvcc13.0/bounds-sm_80.log", "nvcc13.0/bounds-sm_86.log", "nvcc13.0/bounds-sm_90.log",
		"nvcc13.0/bounds-sm_100.log", "nvcc13.0/bounds-sm_120.log", "nvcc11.8/bounds-sm_35.log", "nvcc11.8/bounds-sm_52.log", "nvcc12.4/bounds-sm_70.log"} {
		log := readFile(t, name)
		var p Policy
		for _, d := range boundsDeclarations() {
			if d.Match != "maxnreg_40" || slices.ContainsFunc(kernelsOf(log), func(k parse.Kernel) bool { return strings.Contains(k.Name, "maxnreg_40") }) {
				p.Declarations = append(p.Declarations, d)
			}
		}
		said := ignoredBounds(mustJudge(t, log, nil))
		log.Remarks = nil
		computed := ignoredBounds(mustJudge(t, log, &p))
		if !slices.Equal(said, computed) || len(said) == 0 {
			t.Errorf("%s: the compiler says %q, computed is %q", name, said, computed)
		}
	}
}

func ignoredBounds(r *Result) []string {
	var list []string
	for i := range r.Findings {
		if r.Findings[i].Rule == "bounds-ignored" {
			list = append(list, r.Findings[i].Subject)
		}
	}
	slices.Sort(list)
	return list
}

func TestDeclarationConflicts(t *testing.T) {
	bounds := func(from OriginKind, threads, blocks int) Declaration {
		return Declaration{Match: "k", Origin: Origin{From: from}, LaunchBounds: Declared(Bounds{threads, blocks})}
	}
	for _, c := range []struct {
		name         string
		declarations []Declaration
		want         string
	}{
		{"agree", []Declaration{bounds(FromSource, 256, 4), bounds(FromPTX, 256, 4), bounds(FromConfig, 256, 4)}, ""},
		{"a minimum of one is none", []Declaration{bounds(FromSource, 256, 0), bounds(FromPTX, 256, 1)}, ""},
		{"source and PTX", []Declaration{bounds(FromSource, 256, 4), bounds(FromPTX, 256, 2)}, "source (256, 4), ptx (256, 2)"},
		{"PTX denies", []Declaration{bounds(FromSource, 256, 4), bounds(FromPTX, 0, 0)}, "source (256, 4), ptx none"},
		{"all three", []Declaration{bounds(FromSource, 256, 4), bounds(FromPTX, 256, 2), bounds(FromConfig, 128, 2)}, "source (256, 4), ptx (256, 2), config (128, 2)"},
		{"the config refines itself", []Declaration{bounds(FromConfig, 256, 4), bounds(FromConfig, 256, 2)}, ""},
		{"the config comes back to the source", []Declaration{bounds(FromSource, 256, 4), bounds(FromConfig, 256, 2), bounds(FromConfig, 256, 4)}, ""},
		{"two in the source", []Declaration{bounds(FromSource, 256, 4), bounds(FromSource, 128, 4)}, "source (256, 4), source (128, 4)"},
		{"defaults are no declaration of a kernel", []Declaration{{LaunchBounds: Declared(Bounds{64, 0})}, bounds(FromSource, 256, 4)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgeText(t, used("sm_90", "32 registers, used 0 barriers"), &Policy{Declarations: c.declarations})
			if c.want == "" {
				wantSummary(t, r, Warning)
				return
			}
			if f := find(t, r, "declaration-conflict", "k"); !strings.HasSuffix(f.Message, c.want) {
				t.Errorf("%q, want %q", f.Message, c.want)
			}
		})
	}
}

// TestPTXWithoutBounds: where PTX has none nothing is judged by the source's:
// 70 registers miss the 4 blocks of (256, 4), which allow 64.
func TestPTXWithoutBounds(t *testing.T) {
	source := Declaration{Match: "k", Origin: Origin{From: FromSource}, LaunchBounds: Declared(Bounds{256, 4}), MaxRegisters: Declared(32)}
	none := Declaration{Match: "k", Origin: Origin{From: FromPTX}, LaunchBounds: Declared(Bounds{}), MaxRegisters: Declared(0), Cause: "a macro"}
	log := used("sm_90", "70 registers, used 0 barriers")
	r := judgeText(t, log, &Policy{Declarations: []Declaration{source, none}})
	wantSummary(t, r, Warning, "declaration-conflict k", "declaration-conflict k")
	if f := find(t, r, "declaration-conflict", "k"); !slices.Contains(f.Notes, "what differs: a macro") || f.Declared.From != FromPTX {
		t.Errorf("%+v", f)
	}
}

func TestUnresolvedBounds(t *testing.T) {
	unresolved := Declaration{Match: "k", Origin: Origin{From: FromSource}, Unresolved: Declared("TPB is not defined")}
	log := used("sm_90", "32 registers, used 0 barriers")
	wantSummary(t, judgeText(t, log, &Policy{Declarations: []Declaration{unresolved}}), Info, "unresolved-bounds k")
	// The config finishes it; bounds for every kernel do not.
	wantSummary(t, judgeText(t, log, &Policy{Declarations: []Declaration{unresolved, {Match: "k", LaunchBounds: Declared(Bounds{256, 1})}}}), Info)
	wantSummary(t, judgeText(t, log, &Policy{Declarations: []Declaration{{LaunchBounds: Declared(Bounds{256, 1})}, unresolved}}), Info, "unresolved-bounds k")
}

func TestDynamicSharedUnknown(t *testing.T) {
	log := used("sm_90", "32 registers, used 0 barriers")
	for _, c := range []struct {
		name string
		with func(*Declaration)
		want []string
	}{
		{"nothing rests on it", func(*Declaration) {}, nil},
		{"a maximum of threads", func(d *Declaration) { d.LaunchBounds = Declared(Bounds{256, 0}) }, nil},
		{"a minimum", func(d *Declaration) { d.LaunchBounds = Declared(Bounds{256, 2}) }, []string{"dynamic-shared-unknown k"}},
		{"an occupancy", func(d *Declaration) { d.Block, d.MinOccupancy = Declared(256), Declared(10.0) }, []string{"dynamic-shared-unknown k"}},
		{"a declared size", func(d *Declaration) {
			d.LaunchBounds, d.DynamicShared = Declared(Bounds{256, 2}), Declared[int64](0)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Declaration{Match: "k", DynamicSharedUsed: Declared(true)}
			c.with(&d)
			wantSummary(t, judgeText(t, log, &Policy{Declarations: []Declaration{d}}), Warning, c.want...)
		})
	}
}

// Every message that rests on shared memory says that dynamic shared memory was
// not declared, and on barriers that the log does not state them.
func TestAssumptionsAreSaid(t *testing.T) {
	const dynamic = "dynamic shared memory is not declared and counted as 0"
	const barriers = "the log does not state barriers"
	for _, c := range []struct {
		name      string
		log       string
		with      func(*Declaration)
		has, lack []string
	}{
		{"nothing declared", used("sm_90", "80 registers, used 0 barriers"), func(*Declaration) {}, []string{dynamic}, []string{barriers}},
		{"size declared", used("sm_90", "80 registers, used 0 barriers"), func(d *Declaration) { d.DynamicShared = Declared[int64](0) }, nil, []string{dynamic}},
		{"the source has none", used("sm_90", "80 registers, used 0 barriers"), func(d *Declaration) { d.DynamicSharedUsed = Declared(false) }, nil, []string{dynamic}},
		{"barriers not stated", used("sm_90", "80 registers"), func(*Declaration) {}, []string{dynamic, barriers}, nil},
		{"barriers are no limit", used("sm_80", "80 registers"), func(*Declaration) {}, []string{dynamic}, []string{barriers}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Declaration{Match: "k", Block: Declared(256), MinOccupancy: Declared(50.0)}
			c.with(&d)
			f := find(t, judgeText(t, c.log, &Policy{Declarations: []Declaration{d}}), "min-occupancy", "k")
			notes := strings.Join(f.Notes, "\n")
			for _, text := range c.has {
				if !strings.Contains(notes, text) {
					t.Errorf("%q lacks %q", notes, text)
				}
			}
			for _, text := range c.lack {
				if strings.Contains(notes, text) {
					t.Errorf("%q has %q", notes, text)
				}
			}
		})
	}
}

func TestSpillBudgetsOfStoresAndLoads(t *testing.T) {
	for _, c := range []struct {
		name          string
		stores, loads *int64
		want          string // after "k spills 244 bytes of stores and 276 of loads on sm_90: "
		severity      Severity
		value, limit  float64
	}{
		{"none", nil, nil, "no budget is declared", Warning, 276, 0},
		{"both", ptr(16), ptr(16), "228 and 260 above the budget of 16", Error, 276, 16},
		{"each its own", ptr(0), ptr(300), "244 and 0 above the budget of 0 and 300", Error, 244, 0},
		{"stores alone", ptr(200), nil, "44 above the budget of 200 for stores", Error, 276, 0},
		{"loads alone", nil, ptr(200), "76 above the budget of 200 for loads", Error, 244, 0},
		{"stores within, loads undeclared", ptr(244), nil, "no budget is declared", Warning, 276, 0},
		{"both within", ptr(244), ptr(276), "", Off, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Declaration{Match: "k"}
			if c.stores != nil {
				d.SpillStoreBytes = Declared(*c.stores)
			}
			if c.loads != nil {
				d.SpillLoadBytes = Declared(*c.loads)
			}
			r := judgeText(t, spillingLog, &Policy{Declarations: []Declaration{d}})
			if c.want == "" {
				wantSummary(t, r, Info)
				return
			}
			f := find(t, r, "spill-budget", "k")
			if want := "k spills 244 bytes of stores and 276 of loads on sm_90: " + c.want; f.Message != want {
				t.Errorf("%q, want %q", f.Message, want)
			}
			if f.Severity != c.severity || f.Value != c.value || f.Limit != c.limit || f.Unit != "bytes" {
				t.Errorf("%v %v of %v %s, want %v %v of %v", f.Severity, f.Value, f.Limit, f.Unit, c.severity, c.value, c.limit)
			}
		})
	}
}

func ptr(n int64) *int64 { return &n }

func TestCompilerRemarks(t *testing.T) {
	r := mustJudge(t, readFile(t, "nvcc13.0/wgmma.log"), nil)
	var have []string
	for i := range r.Findings {
		have = append(have, r.Findings[i].Rule+" "+r.Findings[i].Subject+" "+r.Findings[i].Detail)
	}
	slices.Sort(have)
	if want := []string{"compiler-remark  C7508", "compiler-remark wgmma_serial C7517"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
	// Normal for every kernel without bounds, and spills are told by their rule.
	for _, name := range []string{"nvcc13.0/maxrreg32.log", "nvcc13.0/warn-spills.log", "nvcc12.4/warn-spills.log"} {
		for _, s := range summary(mustJudge(t, readFile(t, name), nil), Info) {
			if strings.HasPrefix(s, "compiler-remark") {
				t.Errorf("%s: %s", name, s)
			}
		}
	}
	// An nvcc warning about its own options is no remark on a kernel.
	wantSummary(t, judgeText(t, "nvcc warning : The 'compute_35' architecture is deprecated\n"+goodLog, nil), Info)
}

func TestStackFrame(t *testing.T) {
	p := &Policy{Severities: map[string]Severity{"stack-frame": Warning}}
	wantSummary(t, judgeText(t, module+frame("k", "sm_90", "32 registers, used 0 barriers", 16, 0, 0), p), Warning, "stack-frame k")
	wantSummary(t, judgeText(t, module+frame("k", "sm_90", "32 registers, used 0 barriers", 16, 8, 8), p), Warning, "spill-budget k")
	// The frame of a kernel is that of its callee's spills.
	callee := "ptxas info    : Function properties for f\n    0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
	wantSummary(t, judgeText(t, module+frame("k", "sm_80", "32 registers", 16, 0, 0)+callee, p), Warning, "callee-spill f")
}

func TestBytesInFlight(t *testing.T) {
	// 14 registers and 256 threads fill the SM: 2048 threads. H100-SXM needs
	// 700 cycles × 3350 GB/s ÷ 132 SMs ÷ 1.98 GHz = 8972 bytes, 4.4 a thread.
	log := used("sm_90", "14 registers, used 0 barriers")
	for _, c := range []struct {
		name string
		gpu  string
		with func(*Declaration)
		want []string
	}{
		{"enough", "H100-SXM", func(d *Declaration) { d.BytesInFlight = Declared[int64](5) }, nil},
		{"too few", "H100-SXM", func(d *Declaration) { d.BytesInFlight = Declared[int64](4) }, []string{"bytes-in-flight k"}},
		{"no GPU", "", func(d *Declaration) { d.BytesInFlight = Declared[int64](32) }, []string{"bytes-in-flight k"}},
		{"no block", "H100-SXM", func(d *Declaration) {
			d.BytesInFlight, d.Block = Declared[int64](32), Field[int]{}
		}, []string{"bytes-in-flight k"}},
		{"a GPU of another architecture", "A100", func(d *Declaration) { d.BytesInFlight = Declared[int64](4) }, []string{"bytes-in-flight"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Declaration{Match: "k", Block: Declared(256)}
			c.with(&d)
			wantSummary(t, judgeText(t, log, &Policy{GPU: c.gpu, Declarations: []Declaration{d}}), Warning, c.want...)
		})
	}
}

// More resident threads are an offer only with what stops them now: 561 threads
// of 16 bytes are 3 blocks, 24 warps, 6 in each part: 16384/6 = 2730 registers
// a warp, down to 2560, 80 a thread.
func TestBytesInFlightSaysWhatStopsTheThreads(t *testing.T) {
	r := judgeText(t, used("sm_90", "255 registers, used 0 barriers"), &Policy{
		GPU: "H100-SXM", Declarations: []Declaration{{Match: "k", Block: Declared(256), BytesInFlight: Declared[int64](16)}},
	})
	want := "36 bytes in flight per thread with the 256 threads that are resident, or 561 resident threads with the bytes as they are " +
		"(80 registers or fewer would allow 3 blocks), would be enough"
	if f := find(t, r, "bytes-in-flight", "k"); f.Help != want {
		t.Errorf("help %q, want %q", f.Help, want)
	}
}

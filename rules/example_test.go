package rules_test

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

const log = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z10smem_boundPKfPf' for 'sm_90'
ptxas info    : Function properties for _Z10smem_boundPKfPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 24576 bytes smem
ptxas info    : Compiling entry function '_Z8lb_256_4PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z8lb_256_4PKfPfi
    120 bytes stack frame, 244 bytes spill stores, 276 bytes spill loads
ptxas info    : Used 64 registers, used 0 barriers, 120 bytes cumulative stack size
`

// A policy is plain data: a Go program can build one without a config file.
func ExampleJudge() {
	var read parse.Log
	if err := read.Read(strings.NewReader(log), "build.log"); err != nil {
		fmt.Println(err)
		return
	}
	policy := &rules.Policy{
		Archs: []rules.Judged{{Arch: "sm_90"}},
		Declarations: []rules.Declaration{
			{ // for every kernel
				SpillStoreBytes: rules.Declared[int64](0),
				SpillLoadBytes:  rules.Declared[int64](0),
			},
			{
				Match:        "smem_bound",
				LaunchBounds: rules.Declared(rules.Bounds{Threads: 128, MinBlocks: 12}),
			},
		},
		Ignores: []rules.Ignore{
			{Rule: "spill-budget", Match: "lb_256_*", Reason: "cold path"},
		},
	}
	result, err := rules.Judge(&read, policy)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range result.Findings {
		fmt.Printf("%s: %s [%s]\n", f.Severity, f.Message, f.Rule)
		if f.Suppressed != "" {
			fmt.Println("  ignored:", f.Suppressed)
		}
		if f.Help != "" && f.Suppressed == "" {
			fmt.Println("  help:", f.Help)
		}
	}
	fmt.Println("trusted:", result.Trusted())
	// Output:
	// error: smem_bound reaches 9 of 12 declared blocks per SM on sm_90 [min-blocks]
	//   help: 18432 bytes of shared memory or fewer would allow 12 blocks
	// error: lb_256_4 spills 244 bytes of stores and 276 of loads on sm_90: 244 and 276 above the budget of 0 [spill-budget]
	//   ignored: cold path
	// trusted: true
}

// A result makes its judgements when they are asked for: what fits of each
// kernel, and what is declared for it.
func ExampleResult_Kernels() {
	read, err := parse.Read(strings.NewReader(log), "build.log")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := rules.Judge(read, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	result.AssumeThreads(256)
	for _, j := range result.Kernels() {
		fmt.Printf("%s: %d blocks of %d threads\n", j.Kernel.Name, j.Occupancy.Blocks, j.Threads)
	}
	// Output:
	// _Z10smem_boundPKfPf: 8 blocks of 256 threads
	// _Z8lb_256_4PKfPfi: 4 blocks of 256 threads
}

// A team's own rule: what it reports of a kernel is said of each that is alike,
// with its name and its place.
func ExampleRule() {
	few := &rules.Rule{
		ID: "few-warps", Title: "blocks too small for the scheduler", Default: rules.Warning,
		Kernel: func(s *rules.Subject) {
			if threads := s.Launch.Threads; !s.IsFunction() && threads > 0 && threads < 256 {
				s.Report(rules.Finding{
					Message: fmt.Sprintf("has blocks of %d threads", threads),
					Value:   float64(threads), Limit: 256, Unit: "threads",
				})
			}
		},
	}
	read, err := parse.Read(strings.NewReader(log), "build.log")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := rules.Judge(read, &rules.Policy{
		Rules:        []*rules.Rule{few},
		Declarations: []rules.Declaration{{Match: "smem_*", Block: rules.Declared(128)}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range result.Findings {
		if f.Rule == few.ID {
			fmt.Printf("%s:%d: %s: %s\n", f.Place.File, f.Place.Line, f.Severity, f.Message)
		}
	}
	// Output:
	// build.log:2: warning: smem_bound has blocks of 128 threads
}

func ExampleByID() {
	rule, _ := rules.ByID("min-blocks")
	fmt.Println(rule.Title)
	fmt.Println(rule.Default)
	// Output:
	// fewer blocks per SM than declared
	// error
}

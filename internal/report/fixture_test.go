package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile has what each format would trip over: a line break with a workflow
// command, markup, Markdown's signs, a terminal escape, a right-to-left mark,
// the end of a CDATA section and a byte that is not UTF-8.
const hostile = "evil\n::error::pwned\r%0A::error::pwned<script>alert(1)</script>`code`|pipe|[x](http://evil)" +
	"\x1b[31mred\x07\u202ertl\u200f]]>'\"&\xff,a:b;{0}"

// fixture is a small run with six kinds of finding, made by hand: numbers from
// a real log of bounds.cu on sm_90, and a kernel whose name is an attack.
func fixture() *Input {
	const logFile = "build/nvcc.log"
	kernel := func(name, arch string, line int, regs, barriers, shared, stack, stores, loads int64) parse.Kernel {
		return parse.Kernel{Name: name, Place: parse.Place{File: logFile, Line: line}, Class: &parse.Class{
			Arch: arch, Kind: parse.Entry, Stage: parse.StagePtxas,
			Registers: parse.Some(regs), Barriers: parse.Some(barriers), SharedBytes: parse.Some(shared),
			StackBytes: parse.Some(stack), SpillStoreBytes: parse.Some(stores), SpillLoadBytes: parse.Some(loads)}}
	}
	log := &parse.Log{
		Compilations: []parse.Compilation{{Arch: "sm_90", Stage: parse.StagePtxas, Tool: "ptxas", Place: parse.Place{File: logFile, Line: 3}}},
		Remarks: []parse.Remark{{Severity: parse.Warning, Text: "Value of threads per SM for entry k is out of range. .minnctapersm will be ignored",
			Kernel: "k", Tool: "ptxas", Place: parse.Place{File: logFile, Line: 1}, Compilation: -1}},
	}
	log.Add(
		kernel("_Z10smem_boundPKfPf", "sm_90", 14, 12, 1, 24576, 0, 0, 0),
		kernel("_Z8lb_256_4PKfPfi", "sm_90", 59, 64, 0, 0, 88, 196, 228),
		kernel("_ZN3lin5sgemmIfLi32EEEviPKT_S3_PS1_", "sm_90", 70, 64, 0, 0, 16, 16, 16),
		kernel("_ZN3lin5sgemmIdLi32EEEviPKT_S3_PS1_", "sm_90", 80, 64, 0, 0, 40, 40, 56),
		kernel("_ZN3lin5sgemmIfLi32EEEviPKT_S3_PS1_", "sm_80", 90, 64, 0, 0, 24, 24, 24),
		kernel(hostile, "sm_90", 101, 40, 0, 0, 8, 8, 8),
		parse.Kernel{Name: "_Z4halfPf", Place: parse.Place{File: logFile, Line: 110},
			Class: &parse.Class{Arch: "sm_90", Kind: parse.Entry, Stage: parse.StagePtxas, Defect: parse.Truncated}},
	)
	sm90 := func(threads, regs, shared, barriers int) *arch.Occupancy {
		sm, err := arch.Builtin().Lookup("sm_90")
		if err != nil {
			panic(err)
		}
		o := sm.Occupancy(arch.Launch{Threads: threads, Registers: regs, SharedBytes: shared, Barriers: barriers})
		return &o
	}
	var judged []rules.Judgement
	for i := range 6 {
		k := log.Kernel(i)
		judged = append(judged, rules.Judgement{Kernel: k, Record: k, Compiled: -1, Declared: &rules.Declaration{}})
	}
	judged[0].Occupancy, judged[0].Threads = sm90(128, 12, 24576, 1), 128
	judged[1].Occupancy, judged[1].Threads = sm90(256, 64, 0, 0), 256
	r := rules.ResultOf(fixtureFindings(logFile), judged...)
	r.Archs, r.Judged, r.NotJudged, r.Entries = []string{"sm_80", "sm_90"}, 6, 1, 6
	return &Input{Log: log, Result: r, Version: "1.2.3", ConfigFile: ".occlint.yml", Color: "never"}
}

func fixtureFindings(logFile string) []rules.Finding {
	at := func(file string, line, column int) parse.Place {
		return parse.Place{File: file, Line: line, Column: column}
	}
	spill := func(sev rules.Severity, mangled, subject, arch string, line int, stores, loads float64) rules.Finding {
		return rules.Finding{Rule: "spill-budget", Severity: sev, Subject: subject, Kernel: mangled, Arch: arch,
			Message: subject + " spills " + number(stores) + " bytes of stores and " + number(loads) + " bytes of loads on " + arch,
			Value:   stores, Unit: "bytes", Field: rules.FieldSpillStores,
			Measures: []rules.Measure{{Field: rules.FieldSpillStores, Value: stores}, {Field: rules.FieldSpillLoads, Value: loads}},
			Place:    at(logFile, line, 0), Log: at(logFile, line, 0), LogText: number(stores) + " bytes spill stores, " + number(loads) + " bytes spill loads",
			Help: "declare the spills that you accept, or give the kernel more registers"}
	}
	bounds := rules.Origin{From: rules.FromSource, Place: at("src/bounds.cu", 38, 1), Text: "__launch_bounds__(128, 12)"}
	return []rules.Finding{
		{Rule: "min-blocks", Severity: rules.Error, Subject: "smem_bound", Kernel: "_Z10smem_boundPKfPf", Arch: "sm_90",
			Message: "smem_bound reaches 9 of 12 declared blocks per SM on sm_90",
			Value:   9, Limit: 12, Unit: "blocks", Field: rules.FieldBlocks, Limiters: arch.ResourcesOf(arch.Shared),
			Place: bounds.Place, Declared: bounds, Log: at(logFile, 17, 0), LogText: "Used 12 registers, used 1 barriers, 24576 bytes smem",
			Notes: []string{"limited by shared memory: 24576 + 1024 reserved = 25600 bytes per block, 233472 per SM (36 of 64 warps, 56 %)"},
			Help:  "18432 bytes or fewer would allow 12 blocks; dynamic shared memory is not declared and counted as 0"},
		spill(rules.Error, "_ZN3lin5sgemmIdLi32EEEviPKT_S3_PS1_", "lin::sgemm<double, 32>", "sm_90", 82, 40, 56),
		spill(rules.Error, "_ZN3lin5sgemmIfLi32EEEviPKT_S3_PS1_", "lin::sgemm<float, 32>", "sm_80", 92, 24, 24),
		spill(rules.Error, "_ZN3lin5sgemmIfLi32EEEviPKT_S3_PS1_", "lin::sgemm<float, 32>", "sm_90", 72, 16, 16),
		spill(rules.Error, hostile, hostile, "sm_90", 103, 8, 8),
		{Rule: "unmatched", Severity: rules.Error, Message: `the budget for "legacy::*" matches no kernel in the log`,
			Place: at(".occlint.yml", 7, 5), Declared: rules.Origin{From: rules.FromConfig, Place: at(".occlint.yml", 7, 5), Text: `match: "legacy::*"`}},
		{Rule: "capped-and-spilling", Severity: rules.Warning, Subject: "lb_256_4", Kernel: "_Z8lb_256_4PKfPfi", Arch: "sm_90",
			Message: "lb_256_4 uses 64 of at most 64 registers and spills on sm_90", Value: 64, Limit: 64, Unit: "registers", Field: rules.FieldRegisters,
			Place: at("src/bounds.cu", 20, 1), Declared: rules.Origin{From: rules.FromSource, Place: at("src/bounds.cu", 20, 1), Text: "__launch_bounds__(256, 4)"},
			Log: at(logFile, 61, 0), LogText: "Used 64 registers", Notes: []string{"__launch_bounds__(256, 4) caps the registers at 64"}},
		spill(rules.Warning, "_Z8lb_256_4PKfPfi", "lb_256_4", "sm_90", 61, 196, 228),
		{Rule: "stale-exception", Severity: rules.Warning, Message: "the suppression of stack-budget for \"old_*\" matches nothing any more",
			Place: at(".occlint.yml", 12, 5)},
		{Rule: "register-cliff", Severity: rules.Info, Subject: "lb_256_4", Kernel: "_Z8lb_256_4PKfPfi", Arch: "sm_90",
			Message: "lb_256_4 is 8 registers above a step on sm_90", Value: 64, Limit: 56, Unit: "registers", Field: rules.FieldRegisters,
			Place: at(logFile, 62, 0), Log: at(logFile, 62, 0)},
		{Rule: "stack-budget", Severity: rules.Error, Subject: "lb_256_4", Kernel: "_Z8lb_256_4PKfPfi", Arch: "sm_90",
			Message: "lb_256_4 has a stack frame of 88 bytes, 88 above its budget on sm_90", Value: 88, Unit: "bytes", Field: rules.FieldStack,
			Place: at(logFile, 61, 0), Log: at(logFile, 61, 0), Suppressed: "cold path, 2 % of runtime",
			SuppressedBy: rules.Origin{From: rules.FromSource, Place: at("src/bounds.cu", 19, 1)}},
		{Rule: "register-budget", Severity: rules.Error, Subject: "smem_bound", Kernel: "_Z10smem_boundPKfPf", Arch: "sm_90",
			Message: "smem_bound uses 12 registers, 2 above its budget on sm_90", Value: 12, Limit: 10, Unit: "registers", Field: rules.FieldRegisters,
			Place: at(logFile, 17, 0), Log: at(logFile, 17, 0), Suppressed: "as of the first run",
			SuppressedBy: rules.Origin{From: rules.FromBaseline, Place: at(".occlint-baseline.yml", 4, 1)}},
	}
}

func write(t *testing.T, format string, in *Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares got with a file of testdata/golden.
func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", file)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

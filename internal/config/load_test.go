package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var known = Known{
	Rules: []string{"register-cliff", "stack-frame", "spill-budget", "min-blocks", "unmatched", "untrusted-log"},
	GPUs:  []string{"A100", "H100-SXM", "H100-PCIe", "H200"},
}

func TestLoadFull(t *testing.T) {
	c, err := Load("testdata/full.yml", known)
	if err != nil {
		t.Fatal(err)
	}
	// Each value of the file by hand, with the line it stands in.
	type setting struct {
		value any
		line  int
		text  string
	}
	k := c.Kernels[0]
	at := func(value any, line int, text string) setting { return setting{value, line, text} }
	got := map[string]setting{
		"version":        at(c.Version.Value, c.Version.Pos.Line, c.Version.Text),
		"archs[1]":       at(c.Archs[1].Value, c.Archs[1].Pos.Line, c.Archs[1].Text),
		"expect":         at(c.Expect.Kernels.Value, c.Expect.Kernels.Pos.Line, c.Expect.Kernels.Text),
		"sources[1]":     at(c.Sources[1].Value, c.Sources[1].Pos.Line, c.Sources[1].Text),
		"defines":        at(c.Defines[0].Value.Value, c.Defines[0].Pos.Line, c.Defines[0].Key),
		"gpu":            at(c.GPU.Value, c.GPU.Pos.Line, c.GPU.Text),
		"spills":         at(c.Defaults.Spills.Loads.Value, c.Defaults.Spills.Loads.Pos.Line, c.Defaults.Spills.Loads.Text),
		"match":          at(k.Match.Value.String(), k.Match.Pos.Line, k.Match.Text),
		"launch_bounds":  at(k.LaunchBounds.Value, k.LaunchBounds.Pos.Line, k.LaunchBounds.Text),
		"block":          at(k.Block.Value, k.Block.Pos.Line, k.Block.Text),
		"dynamic_shared": at(k.DynamicShared.Value, k.DynamicShared.Pos.Line, k.DynamicShared.Text),
		"maxnreg":        at(k.MaxRegisters.Value, k.MaxRegisters.Pos.Line, k.MaxRegisters.Text),
		"registers":      at(k.Registers.Value, k.Registers.Pos.Line, k.Registers.Text),
		"stores":         at(k.Spills.Stores.Value, k.Spills.Stores.Pos.Line, k.Spills.Stores.Text),
		"stack":          at(k.Stack.Value, k.Stack.Pos.Line, k.Stack.Text),
		"shared":         at(k.Shared.Value, k.Shared.Pos.Line, k.Shared.Text),
		"barriers":       at(k.Barriers.Value, k.Barriers.Pos.Line, k.Barriers.Text),
		"min_occupancy":  at(k.MinOccupancy.Value, k.MinOccupancy.Pos.Line, k.MinOccupancy.Text),
		"in flight":      at(k.BytesInFlight.Value, k.BytesInFlight.Pos.Line, k.BytesInFlight.Text),
		"by_arch":        at(k.ByArch[0].Value.LaunchBounds.Value, k.ByArch[0].Pos.Line, k.ByArch[0].Key),
		"message":        at(k.Message.Value, k.Message.Pos.Line, ""),
		"rules[1]":       at(c.Rules[1].Value.Value, c.Rules[1].Pos.Line, c.Rules[1].Value.Text),
		"ignore":         at(c.Ignore[0].Reason.Value, c.Ignore[0].Reason.Pos.Line, c.Ignore[0].Rule.Text),
		"until":          at(c.Ignore[0].Until.Value, c.Ignore[0].Until.Pos.Line, c.Ignore[0].Until.Text),
		"baseline":       at(c.Baseline.Value, c.Baseline.Pos.Line, c.Baseline.Text),
		"custom_archs":   at(c.CustomArchs[0].Value.SharedPerSM.Value, c.CustomArchs[0].Pos.Line, c.CustomArchs[0].Key),
	}
	want := map[string]setting{
		"version":        {1, 1, "version: 1"},
		"archs[1]":       {Arch("sm_90"), 2, "sm_90"},
		"expect":         {780, 3, "kernels: 780"},
		"sources[1]":     {Glob("src/**/*.cuh"), 4, `"src/**/*.cuh"`},
		"defines":        {Macro("256"), 5, "TPB"},
		"gpu":            {GPUName("H100-SXM"), 6, "gpu: H100-SXM"},
		"spills":         {Bytes(0), 8, "spills: 0"},
		"match":          {"lin::sgemm<*>", 10, `match: "lin::sgemm<*>"`},
		"launch_bounds":  {Bounds{256, 4, 0}, 11, "launch_bounds: [256, 4]"},
		"block":          {256, 12, "block: 256"},
		"dynamic_shared": {Bytes(96 * 1024), 13, "dynamic_shared: 96KiB"},
		"maxnreg":        {64, 14, "maxnreg: 64"},
		"registers":      {64, 15, "registers: 64"},
		"stores":         {Bytes(16), 16, "spills: {stores: 16}"},
		"stack":          {Bytes(0), 17, "stack: 0"},
		"shared":         {Bytes(100 * 1024), 18, "shared: 100KiB"},
		"barriers":       {4, 19, "barriers: 4"},
		"min_occupancy":  {Percent(25), 20, "min_occupancy: 25%"},
		"in flight":      {Bytes(32), 21, "bytes_in_flight: 32"},
		"by_arch":        {Bounds{256, 2, 0}, 22, "sm_86"},
		"message":        {"ask the kernels team before raising this", 23, ""},
		"rules[1]":       {Off, 24, "stack-frame: off"},
		"ignore":         {"removed in Q3", 26, "rule: spill-budget"},
		"until":          {time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), 26, "until: 2027-03-01"},
		"baseline":       {".occlint-baseline.yml", 27, "baseline: .occlint-baseline.yml"},
		"custom_archs":   {Bytes(256 * 1024), 28, "sm_130"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(setting{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if k.Pos != (Pos{10, 5, c.File}) || c.Kernels[0].Spills.Loads.Pos != (Pos{16, 26, c.File}) {
		t.Errorf("entry at %v, loads at %v", k.Pos, k.Spills.Loads.Pos)
	}
}

// Every fault of a file is reported in one run.
func TestLoadReportsAll(t *testing.T) {
	_, err := Load("testdata/bad.yml", known)
	var errs *Errors
	if !errors.As(err, &errs) {
		t.Fatalf("error is %v", err)
	}
	errs.File = "bad.yml"
	golden(t, "testdata/bad.txt", errs.Error()+"\n")
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got\n%s", path, diff)
	}
}

func TestParseFaults(t *testing.T) {
	bomb := "version: 1\nkernels:\n- &e {match: x, by_arch: {" + strings.Repeat("sm_90: {registers: 1}, ", 1) + "sm_80: {registers: 1}}}\n" + strings.Repeat("- *e\n", 150_000)
	tests := []struct{ name, text, want string }{
		{"empty", "", "x:1:1: the config file is empty"},
		{"only comments", "# nothing\n", "x:1:1: the config file is empty"},
		{"blank", "\n  \n", "x:1:1: the config file is empty"},
		{"null", "~\n", "x:1:1: here must be keys with values, not nothing"},
		{"a list", "- 1\n", "not a list"},
		{"a text", "hello\n", "not text"},
		{"no version", "archs: [sm_90]\n", `x:1:1: version is missing; write "version: 1" as the first line`},
		{"version as text", "version: \"1\"\n", `version: "1" is text; a number stands without quotes; did you mean 1?`},
		{"version of a newer format", "version: 3\n", "x:1:10: version 3 of the format is not known"},
		{"two documents", "version: 1\n---\nversion: 1\n", "x:2:1: a second document begins here"},
		{"duplicate key", "version: 1\ngpu: A100\ngpu: H200\n", `x:3:1: the key "gpu" is here a second time; the first is in line 2`},
		{"duplicate in a map", "version: 1\nrules: {stack-frame: off, stack-frame: info}\n", "here a second time"},
		{"tab", "version: 1\ndefaults:\n\tspills: 0\n", "x:3:1: a tab can't indent in YAML; use blanks"},
		{"star without quotes", "version: 1\nkernels:\n- match: *k\n", `x:3:10: the file is not YAML: unknown anchor 'k' referenced; a pattern that begins with "*" needs quotes`},
		{"colon in a text", "version: 1\ndefaults: {spills: 0}\nbaseline: a: b\n", `a text that holds ": " needs quotes`},
		{"not closed", "version: 1\narchs: [sm_90\n", "the file is not YAML"},
		{"UTF-16", "\xff\xfev\x00", "x: the config file is UTF-16 text; save it as UTF-8"},
		{"gzip", "\x1f\x8b\x08", "x: the config file is a gzip file"},
		{"not UTF-8", "version: 1\ngpu: é\xff\n", "x:2:7: the byte 0xff is not UTF-8"},
		{"control character", "version: 1\ngpu: \x1b[31m\n", "x:2:6: the control character U+001B can't stand in a config"},
		{"NUL", "version: 1\x00\n", "x:1:11: the control character U+0000"},
		{"escaped control character in a key", "version: 1\n\"\\e[31m\": 1\n", `unknown key "\x1b[31m"`},
		{"tag", "version: !!int 1\ngpu: !mine A100\n", `x:2:6: the tag "!mine" means nothing here`},
		{"binary", "version: 1\ngpu: !!binary QTEwMA==\n", "means nothing here"},
		{"key of a mapping is a list", "version: 1\n? [a]\n: 1\n", "a key must be a word, not a list"},
		{"alias of itself", "version: 1\narchs: &a [*a]\n", "the item must be one value, not a list"},
		{"merge of a text", "version: 1\ndefaults: {<<: 3}\n", `"<<" takes a mapping or a list of mappings, not a number`},
		{"alias bomb", bomb, "the aliases of the file stand for more than"},
		{"too large", "version: 1\n#" + strings.Repeat("x", maxBytes), "larger than 1 MiB"},
		{"no value", "version: 1\ngpu:\nkernels:\n", "x:2:5: gpu has no value"},
		{"no value of a list", "version: 1\nkernels:\n", "kernels must be a list, not nothing"},
		{"one instead of a list", "version: 1\narchs: sm_90\n", "archs must be a list, not text; write a list: [sm_90]"},
		{"list instead of one", "version: 1\ngpu: [A100]\n", "gpu must be one value, not a list"},
		{"empty entry", "version: 1\nkernels:\n- match: foo\n", `x:3:3: the entry declares nothing for "foo"`},
		{"pattern", "version: 1\nkernels:\n- {match: \"re:[\", stack: 0}\n", "match: error parsing regexp: missing closing ]"},
		{"hostile pattern", "version: 1\nkernels:\n- {match: \"re:[\\e\", stack: 0}\n", `\x1b`},
		{"threads of launch bounds", "version: 1\nkernels: [{match: x, launch_bounds: [1025, 4]}]\n",
			"x:2:37: launch_bounds: no block has 1025 threads; the most is 1024"},
		{"threads of bounds alone", "version: 1\nkernels: [{match: x, launch_bounds: 2048}]\n", "no block has 2048 threads"},
		{"threads of a block", "version: 1\nkernels: [{match: x, block: 1025}]\n", "x:2:29: block: no block has 1025 threads; the most is 1024"},
		{"threads of the defaults", "version: 1\ndefaults: {block: 1025}\n", "block: no block has 1025 threads"},
		{"threads of one architecture", "version: 1\nkernels: [{match: x, by_arch: {sm_90: {launch_bounds: [1025]}}}]\n", "no block has 1025 threads"},
		{"threads of the defaults of one architecture", "version: 1\ndefaults: {by_arch: {sm_90: {block: 1025}}}\n", "no block has 1025 threads"},
		{"threads of a custom architecture", "version: 1\ncustom_archs: {sm_130: {like: sm_120, threads_per_block: 2048}}\ndefaults: {block: 2049}\n",
			"no block has 2049 threads; the most is 2048"},
		{"arch", "version: 1\narchs: [SM-90A]\n", `did you mean "sm_90a"?`},
		{"arch as a number", "version: 1\narchs: [90]\n", `did you mean "sm_90"?`},
		{"size with two numbers", "version: 1\ndefaults: {shared: 96KiB 3}\n", `shared: "96KiB 3" is not a size`},
		{"size too large", "version: 1\ndefaults: {shared: 99999999GiB}\n", "is too large"},
		{"part of a byte", "version: 1\ndefaults: {shared: 0.3B}\n", "is not a whole number of bytes"},
		{"number too large", "version: 1\ndefaults: {registers: 99999999999999999999}\n", "is too large; the most is 2147483647"},
		{"hexadecimal", "version: 1\ndefaults: {registers: 0x40}\n", "is not a whole number"},
		{"not a number", "version: 1\ndefaults: {registers: .nan}\n", "is not a whole number"},
		{"percent", "version: 1\ndefaults: {min_occupancy: 101%}\n", "is not between 0% and 100%"},
		{"date with a time", "version: 1\nignore: [{rule: min-blocks, reason: x, until: 2027-03-01T00:00:00Z}]\n", `did you mean 2027-03-01?`},
		{"rule", "version: 1\nignore: [{rule: spilbudget, reason: x}]\n", `there is no rule "spilbudget"; did you mean "spill-budget"?`},
		{"untrusted-log off", "version: 1\nrules: {untrusted-log: warning}\n", "x:2:9: untrusted-log can't be switched off"},
		{"GPU", "version: 1\ngpu: H100\n", `x:2:6: there is no device "H100"; did you mean "H100-SXM"?`},
		{"GPU far off", "version: 1\ngpu: MI300X\n", "describe it under custom_gpus"},
		{"number as text", "version: 1\nbaseline: 1.10\n", "baseline: 1.10 is not text; put it in quotes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			c, err := Parse([]byte(tt.text), "x", known)
			if err == nil || c != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is\n%.2000v\nwant one that says\n%s", err, tt.want)
			}
			checkErrors(t, tt.text, err)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// checkErrors holds what is true of all errors: places lie in the file, and
// nothing that controls a terminal is printed.
func checkErrors(t *testing.T, text string, err error) {
	t.Helper()
	var errs *Errors
	if !errors.As(err, &errs) || len(errs.Problems) == 0 {
		t.Fatalf("%T is not an *Errors with problems", err)
	}
	lines := splitLines(strings.TrimPrefix(text, "\ufeff"))
	for _, p := range errs.Problems {
		if p.Pos.IsZero() {
			continue
		}
		if p.Pos.Line < 1 || p.Pos.Line > len(lines) || p.Pos.Column < 1 ||
			p.Pos.Column > utf8.RuneCountInString(lines[p.Pos.Line-1])+1 {
			t.Errorf("%+v lies outside of the file", p.Pos)
		}
	}
	for _, r := range errs.Error() {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError {
			t.Errorf("the message holds %U: %q", r, errs.Error())
			break
		}
	}
}

func TestParseAnyLineBreakAndMark(t *testing.T) {
	for _, text := range []string{
		"\ufeffversion: 1\r\narchs:\r\n- sm_80\r\n- sm_9o\r\n",
		"version: 1\rarchs:\r- sm_80\r- sm_9o\r",
		"version: 1\narchs:\n- sm_80\n- sm_9o",
	} {
		_, err := Parse([]byte(text), "x", Known{})
		if err == nil || !strings.HasPrefix(err.Error(), "the config has 1 problem\nx:4:3: \"sm_9o\" is not the name of an architecture") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestErrorsMarkTheFault(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{
			"wide characters take two columns", "version: 1\ndefines: {日本: 1, Aß: 2}\n",
			"the config has 2 problems\n" +
				"x:2:11: \"日本\" is not the name of a macro\n  2 | defines: {日本: 1, Aß: 2}\n    |           ^^^^\n" +
				"x:2:18: \"Aß\" is not the name of a macro\n  2 | defines: {日本: 1, Aß: 2}\n    |                    ^^",
		},
		{
			"long lines are cut around it", "version: 1\ndefines: {" + strings.Repeat("LONG: 1, ", 1) + strings.Repeat("X", 100) + ": 1, 1A: 2, " + strings.Repeat("Y", 100) + ": 1}\n",
			"the config has 1 problem\n" +
				"x:2:125: \"1A\" is not the name of a macro\n" +
				"  2 | …" + strings.Repeat("X", 55) + ": 1, 1A: 2, " + strings.Repeat("Y", 55) + "…\n" +
				"    |  " + strings.Repeat(" ", 60) + "^^",
		},
		{
			"tabs are one blank", "version: 1\ndefines: {\t1A:\t2}\n",
			"the config has 1 problem\nx:2:12: \"1A\" is not the name of a macro\n  2 | defines: { 1A: 2}\n    |            ^^",
		},
		{
			"direction marks are shown", "version: 1\ndefines: {\"\u202e\": 1}\n",
			"the config has 1 problem\nx:2:11: \"\\u202e\" is not the name of a macro\n  2 | defines: {\"\\u202e\": 1}\n    |           ^^^^^^^^",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text), "x", Known{})
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestErrorsAreBounded(t *testing.T) {
	_, err := Parse([]byte("version: 1\n"+strings.Repeat("- ", 1)+"x\n"), "x", Known{})
	if err == nil {
		t.Fatal("no error")
	}
	_, err = Parse([]byte("version: 1\narchs: ["+strings.Repeat("x, ", 1000)+"]\n"), "x", Known{})
	if err == nil || !strings.HasSuffix(err.Error(), "\n… and 950 more") || !strings.HasPrefix(err.Error(), "the config has 1000 problems\n") {
		t.Errorf("%.300v", err)
	}
}

func TestMerge(t *testing.T) {
	c, err := Parse([]byte("version: 1\ndefaults: &d {spills: 0, registers: 64}\nkernels:\n"+
		"- {match: a, <<: *d, registers: 32}\n- {<<: [*d, {registers: 1, stack: 3}], match: b}\n"), "x", Known{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := c.Kernels[0], c.Kernels[1]
	if a.Registers.Value != 32 || !a.Spills.Stores.Set || b.Registers.Value != 64 || b.Stack.Value != 3 {
		t.Errorf("a is %+v\nb is %+v", a.Limits, b.Limits)
	}
	if b.Registers.Pos.Line != 2 {
		t.Errorf("a merged value stands in line %d, want where it is written", b.Registers.Pos.Line)
	}
}

func TestLoadFiles(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.yml")
	if err := os.WriteFile(secret, []byte("version: 1\n"), 0); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{filepath.Join(dir, "none.yml"), "there is no such config file"},
		{dir, "the config file is a directory"},
		{secret, "permission denied"},
	}
	for _, tt := range tests {
		if tt.path == secret && (os.Geteuid() == 0 || runtime.GOOS == "windows") {
			continue // who may read everything
		}
		_, err := Load(tt.path, Known{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), tt.path+": ") {
			t.Errorf("Load(%s): %v, want %q", tt.path, err, tt.want)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	repo := filepath.Join(root, "repo")
	deep := filepath.Join(repo, "src", "gemm")
	for _, dir := range []string{deep, filepath.Join(repo, ".git"), filepath.Join(root, "plain", "sub")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte("version: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	find := func(dir, want string) {
		t.Helper()
		got, ok := Find(dir)
		if got != want || ok != (want != "") {
			t.Errorf("Find(%s) = %q, %v; want %q", dir, got, ok, want)
		}
	}
	outside := write(filepath.Join(root, FileName))
	find(deep, "") // the one above the repository is somebody else's
	find(filepath.Join(root, "plain", "sub"), outside)
	top := write(filepath.Join(repo, FileName))
	find(deep, top)
	find(repo, top)
	near := write(filepath.Join(deep, ".occlint.yaml"))
	find(deep, near)
}

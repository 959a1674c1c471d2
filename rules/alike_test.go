package rules

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// alikePolicies are meant to make every rule speak and to be silent, on
// kernels with and without declarations of their own.
func alikePolicies() map[string]*Policy {
	all := map[string]Severity{}
	for _, r := range Registry() {
		all[r.ID] = max(r.Default, Warning)
	}
	all[untrustedLogID] = Error
	return map[string]*Policy{
		"nothing": {},
		"defaults": {Declarations: []Declaration{
			noSpills(), {Registers: Declared[int64](40), StackBytes: Declared[int64](16), SharedBytes: Declared[int64](1024), Barriers: Declared[int64](1)},
		}},
		"blocks": {Severities: all, GPU: "H100-SXM", ExpectKernels: 1000, Declarations: []Declaration{
			{Block: Declared(250), MinOccupancy: Declared(60.0), BytesInFlight: Declared[int64](16)},
			{Match: "*a*", LaunchBounds: Declared(Bounds{256, 4}), BytesInFlight: Declared[int64](4)},
			{Match: "*b*", LaunchBounds: Declared(Bounds{1024, 2}), Archs: []string{"sm_90"}, Message: Declared("a word")},
			{Match: "*e*<*>", LaunchBounds: Declared(Bounds{128, 40}), MaxRegisters: Declared(32), DynamicSharedUsed: Declared(true)},
			{Match: "*c*", LaunchBounds: Declared(Bounds{64, 0}), Unresolved: Declared("why"), DynamicShared: Declared[int64](96 << 10), Registers: Declared[int64](32)},
		}},
		"bounds": {Severities: all, Declarations: []Declaration{
			noSpills(), {Match: "*a*", LaunchBounds: Declared(Bounds{256, 4})}, {Match: "*b*", Block: Declared(96), MinOccupancy: Declared(10.0)},
		}},
		"one architecture": {Archs: []Judged{{Arch: "sm_90"}}, Severities: all, Declarations: []Declaration{
			noSpills(), {Match: "*", LaunchBounds: Declared(Bounds{256, 2})},
		}, Ignores: []Ignore{{Rule: "spill-budget", Match: "*l*", Reason: "r"}}},
	}
}

// TestAlikeKernels judges real logs with and without what is computed once for
// kernels that are alike: the results must be the same.
func TestAlikeKernels(t *testing.T) {
	logs := realLogs(t)
	for name, p := range alikePolicies() {
		for file, log := range logs {
			want, err := judgeLog(log, p, true)
			if err != nil {
				t.Fatal(err)
			}
			got, err := judgeLog(log, p, false)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(want.Findings, got.Findings) {
				t.Errorf("%s, policy %q (-singly +alike):\n%.2000s", file, name, cmp.Diff(want.Findings, got.Findings))
			}
			if !reflect.DeepEqual(judgements(want), judgements(got)) || want.NotJudged != got.NotJudged || !slices.Equal(want.Archs, got.Archs) {
				t.Errorf("%s, policy %q: the judgements differ", file, name)
			}
			entries := map[[2]string]bool{}
			for _, j := range got.Kernels() {
				if k := &j.Kernel; k.Kind != parse.Function {
					entries[[2]string{k.Name, k.Arch}] = true
				}
			}
			if want.Entries != got.Entries || len(entries) != got.Entries {
				t.Errorf("%s: %d, %d and %d entries", file, want.Entries, got.Entries, len(entries))
			}
		}
	}
}

func judgements(r *Result) (list []Judgement) {
	for _, j := range r.Kernels() {
		list = append(list, j)
	}
	return list
}

// realLogs reads the logs of testdata, and all of them as one log, which is
// long enough for several processors.
func realLogs(t *testing.T) map[string]*parse.Log {
	t.Helper()
	logs := map[string]*parse.Log{}
	all, repeated := &parse.Log{}, &parse.Log{}
	var text bytes.Buffer
	err := filepath.WalkDir("../testdata/ptxas", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".log") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if text.Len()+len(data) < 1<<20 {
			text.Write(data)
		}
		log := &parse.Log{}
		logs[filepath.ToSlash(path)] = log
		if err := log.Read(bytes.NewReader(data), "log"); err != nil {
			return err
		}
		return all.Read(bytes.NewReader(data), "log")
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if err := repeated.Read(bytes.NewReader(text.Bytes()), fmt.Sprint("log", i)); err != nil {
			t.Fatal(err)
		}
	}
	logs["all"], logs["four times"] = all, repeated
	if n := all.Len(); n < 3000 {
		t.Fatalf("%d records in all logs", n)
	}
	if testing.Short() {
		return map[string]*parse.Log{"all": all}
	}
	return logs
}

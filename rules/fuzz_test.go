package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/occlint/occlint/parse"
)

// Whatever a log says, there is a verdict on it, with findings that are whole.
func FuzzJudge(f *testing.F) {
	for _, name := range []string{"linked/rdc-multiarch-ok-link-11.8.log", "linked/cloned-callee-11.8.log", "nvcc13.0/wgmma.log", "nvcc13.0/werror.log", "nvcc12.4/maxrreg32.log"} {
		text, err := os.ReadFile(filepath.Join(logs, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	p := &Policy{
		ExpectKernels: 2,
		GPU:           "H100-SXM",
		Declarations: []Declaration{
			{
				LaunchBounds: Declared(Bounds{250, 4}), SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0),
				Registers: Declared[int64](1), StackBytes: Declared[int64](0), SharedBytes: Declared[int64](0), Barriers: Declared[int64](0),
				MinOccupancy: Declared(90.0), BytesInFlight: Declared[int64](4), MaxRegisters: Declared(300),
			},
			{Match: "calls_*", Block: Declared(1024), DynamicSharedUsed: Declared(true), Unresolved: Declared("N"), LaunchBounds: Declared(Bounds{0, 9})},
		},
		Severities: map[string]Severity{"stack-frame": Info},
		Ignores:    []Ignore{{Rule: "register-budget", Match: "*_lb*", Reason: "r"}},
		Baseline:   &Baseline{Entries: []BaselineEntry{{Rule: "stack-budget", Kernel: "calls_free", Arch: "sm_80", Field: FieldStack, Value: 1}}},
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		log := &parse.Log{}
		if err := log.Read(bytes.NewReader(text), "fuzz.log"); err != nil {
			t.Skip()
		}
		r := mustJudge(t, log, p)
		seen := map[string]bool{}
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Rule == "" || f.Severity == Off || f.Message == "" || f.Fingerprint == "" || seen[f.Fingerprint] {
				t.Errorf("finding %d is not whole, or there twice: %+v", i, f)
			}
			seen[f.Fingerprint] = true
		}
		if r.Judged == 0 && r.Trusted() {
			t.Error("nothing is judged, and the log is trusted")
		}
	})
}

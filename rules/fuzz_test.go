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
				LaunchBounds: declared(Bounds{250, 4}), SpillStoreBytes: declared[int64](0), SpillLoadBytes: declared[int64](0),
				Registers: declared[int64](1), StackBytes: declared[int64](0), SharedBytes: declared[int64](0), Barriers: declared[int64](0),
				MinOccupancy: declared(90.0), BytesInFlight: declared[int64](4), MaxRegisters: declared(300),
			},
			{Match: "calls_*", Block: declared(1024), DynamicSharedUsed: declared(true), Unresolved: declared("N"), LaunchBounds: declared(Bounds{0, 9})},
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
		if len(r.Kernels) == 0 && r.Trusted() {
			t.Error("nothing is judged, and the log is trusted")
		}
	})
}

//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestVersionQuery: a compiler that has no answer, or none that ends, is asked
// once and does not hold up the build.
func TestVersionQuery(t *testing.T) {
	for name, tt := range map[string]struct{ answer, want string }{
		"an answer":    {"echo 'Cuda compilation tools, release 12.4, V12.4.131'", "12.4.131"},
		"none":         {"echo clang version 19", ""},
		"a failure":    {"exit 3", ""},
		"a hang":       {"exec sleep 60", ""},
		"without end":  {"exec yes", ""},
		"a child left": {"sleep 60 & exit 0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			script := filepath.Join(dir, "nvcc")
			writeFile(t, script, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo asked >>"+dir+"/asked; "+tt.answer+"; exit; fi\n"+
				"echo \"$4\" >a.o; echo 'ptxas info    : 0 bytes gmem' >&2\n")
			if err := os.Chmod(script, 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "a.cu"), "\n")
			start := time.Now()
			for range 2 {
				if code, _, stderr := wrapped(dir, script, "-arch=sm_90", "-c", "a.cu", "-o", "a.o"); code != 0 || stderr != "" {
					t.Fatalf("exit %d, %q", code, stderr)
				}
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
			if r := onlyRecord(t, filepath.Join(dir, DirName)); r.Tool.Version != tt.want {
				t.Errorf("version %q, want %q", r.Tool.Version, tt.want)
			}
			if asked := strings.Count(readFile(t, filepath.Join(dir, "asked")), "asked"); asked != 1 {
				t.Errorf("asked %d times, want once", asked)
			}
		})
	}
}

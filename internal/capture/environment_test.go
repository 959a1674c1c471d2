package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWrapReadsFlagsOfTheEnvironment: nvcc puts the words of one variable in
// front of its command line and those of the other behind it, and of two
// values the last counts.
func TestWrapReadsFlagsOfTheEnvironment(t *testing.T) {
	dir := project(t)
	t.Setenv("NVCC_PREPEND_FLAGS", "-arch=sm_80 -maxrregcount=64")
	t.Setenv("NVCC_APPEND_FLAGS", `-Xptxas=-v -maxrregcount=40 -DN="a b"`)
	if code, _, stderr := wrapped(dir, words("nvcc -maxrregcount=32 -c scale.cu -o scale.o")...); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	r := onlyRecord(t, filepath.Join(dir, DirName))
	if want := []string{"sm_80"}; !cmp.Equal(r.Arch, want) {
		t.Errorf("arch %q, want %q", r.Arch, want)
	}
	want := []string{"--gpu-architecture=sm_80", "--maxrregcount=64", "--maxrregcount=32", "--maxrregcount=40", "--define-macro=N=a b"}
	if !cmp.Equal(r.Flags, want) {
		t.Errorf("flags %q, want %q", r.Flags, want)
	}
}

// TestInjectedBesideEnvironment: a compiler cache does not hash the variable,
// so a -v in it does not replace the one on the command line.
func TestInjectedBesideEnvironment(t *testing.T) {
	c, _ := understand(words("ccache nvcc -c a.cu"), "", []string{"NVCC_APPEND_FLAGS=-Xptxas=-v -maxrregcount=40"})
	if got, want := strings.Join(c.injected(), " "), "ccache nvcc -Xptxas=-v -c a.cu"; got != want {
		t.Errorf("runs %q, want %q", got, want)
	}
	c, _ = understand(words("nvcc -c a.cu"), "", []string{"NVCC_APPEND_FLAGS=--dryrun"})
	if c.action != stopsEarly {
		t.Errorf("a dry run from the environment: action %d", c.action)
	}
}

// TestIgnoreFile: only a directory that is ours is kept out of commits.
func TestIgnoreFile(t *testing.T) {
	root := t.TempDir()
	theirs := filepath.Join(root, "theirs")
	if err := os.Mkdir(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	emptied := filepath.Join(root, DirName) // by a full disk
	writeFile(t, filepath.Join(emptied, ".gitignore"), "")
	for dir, want := range map[string]bool{
		theirs: false, emptied: true, filepath.Join(root, "a", "new"): true,
	} {
		for range 2 {
			if err := (store{dir}).open(); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
		if (err == nil) != want || want && string(text) != "*\n" {
			t.Errorf("%s: %q, %v", dir, text, err)
		}
	}
}

// TestResponseFilesAreBounded: files that name each other cost a bounded number
// of reads, and the call is known not to be understood.
func TestResponseFilesAreBounded(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "self"), strings.Repeat("-optf self ", 100))
	c, ok := understand(words("nvcc -c a.cu -optf self"), dir, nil)
	if !ok || c.unread != "self" {
		t.Errorf("unread %q, want self", c.unread)
	}
	// One that is missing is nvcc's to complain about.
	if c, _ := understand(words("nvcc -c a.cu -optf missing"), dir, nil); c.unread != "" {
		t.Errorf("unread %q", c.unread)
	}
}

// TestInjectedCaches: what compiler caches hash is changed with the flags, and
// what the user set stays in front of it.
func TestInjectedCaches(t *testing.T) {
	const both = "NVCC_APPEND_FLAGS=-Xptxas=-v -Xnvlink=-v"
	for env, want := range map[string]string{
		"A=1":                  "A=1 CCACHE_NAMESPACE=occlint-run SCCACHE_C_CUSTOM_CACHE_BUSTER=occlint-run " + both,
		"CCACHE_NAMESPACE=x":   "CCACHE_NAMESPACE=x-occlint-run SCCACHE_C_CUSTOM_CACHE_BUSTER=occlint-run " + both,
		"NVCC_APPEND_FLAGS=-G": "NVCC_APPEND_FLAGS=-G -Xptxas=-v -Xnvlink=-v CCACHE_NAMESPACE=occlint-run SCCACHE_C_CUSTOM_CACHE_BUSTER=occlint-run",
	} {
		if got := strings.Join(InjectEnv(words(env)), " "); got != want {
			t.Errorf("%s:\n got %q\nwant %q", env, got, want)
		}
	}
}

package tune

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFindPTX(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "A", "k.ptx"), threeEntries)
	write(t, filepath.Join(dir, "A", "k.json"), `{"num_warps": 8, "shared": 1024}`)
	write(t, filepath.Join(dir, "B", "other.ptx"), ".version 8.4\n.target sm_80\n.entry other()\n{\n}\n")
	write(t, filepath.Join(dir, "B", "k.cubin"), "\x7fELF")
	match := func(name string) bool { return name == "second" || name == "other" }
	modules, err := FindPTX(dir, match)
	if err != nil || len(modules) != 2 {
		t.Fatalf("%d modules, %v", len(modules), err)
	}
	m := modules[0]
	if m.Arch != "sm_90" || len(m.Entries) != 3 || len(m.Launch.Threads) != 1 || m.Launch.Threads[0] != 256 || m.Launch.DynamicBytes != 1024 || !m.Launch.DynamicKnown {
		t.Errorf("got %+v", m)
	}
	if m = modules[1]; m.Arch != "sm_80" || m.Launch.Threads != nil || m.Launch.DynamicKnown {
		t.Errorf("without a file beside it: %+v", m.Launch)
	}
	// One file is looked at too, and left out where it lacks the kernel.
	if modules, err = FindPTX(filepath.Join(dir, "B", "other.ptx"), func(string) bool { return false }); err != nil || len(modules) != 0 {
		t.Errorf("got %d modules, %v", len(modules), err)
	}
}

// What stands beside PTX is anybody's text: nothing of it is an error, and no
// number is taken that no launch can have.
func TestBesideIt(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"num_warps": "4"}`, `{"shared": 5}`, `{"num_warps": -1, "shared": -5}`, `{"num_warps": 1e300}`, `{"num_warps": 4096}`} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "k.json"), text)
		l, err := besideIt(filepath.Join(dir, "k.ptx"))
		if err != nil || l.Threads != nil || l.DynamicKnown {
			t.Errorf("%s: got %+v, %v", text, l, err)
		}
	}
}

func TestFindPTXFaults(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.cu"), "int a;")
	for path, want := range map[string]string{
		dir:                          "has no .ptx file in it",
		filepath.Join(dir, "a.cu"):   "is no PTX",
		filepath.Join(dir, "absent"): "absent",
	} {
		if _, err := FindPTX(path, func(string) bool { return true }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

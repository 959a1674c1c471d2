package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

const styles = testdata + "/source/styles"

// compiledFor is the architecture in the name of a recorded file:
// edges-twin_a-rdc-sm_90.ptx.
func compiledFor(file string) string {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return base[strings.LastIndex(base, "-sm_")+1:]
}

// styleSources are the sources below testdata/source/styles.
func styleSources(t testing.TB) *Project {
	t.Helper()
	files, err := filepath.Glob(styles + "/*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		name, err := filepath.Rel(styles, f)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if !strings.HasPrefix(name, "compiled") {
			names = append(names, name)
		}
	}
	p, err := Scan(os.DirFS(styles), names, Options{Defines: map[string]string{"TPB": "320", "USE_BIG": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantUnresolved is what can't be read from these sources, and rightly so.
var wantUnresolved = map[string]string{
	"by_default":  "DEFAULT_TPB is what the build passes with -D, and that is not known; otherwise it is 128",
	"small":       `it depends on "defined(USE_SMALL)" at edges/defines.cu:10, which is not known: 32 or 64`,
	"split_head":  `it depends on "defined(USE_SMALL)" at edges/defines.cu:10, which is not known: 512 or 256`,
	"by_toolkit":  `it depends on "__CUDACC_VER_MAJOR__ >= 99" at edges/defines.cu:34, which is not known: 32 or 64`,
	"static_twin": "it is declared differently at edges/twin_a.cu:6 (128, 2) and at edges/twin_b.cu:6 (256, 4)",
}

// leftToPTX are the ends of the reasons for what the sources say by types,
// their members and functions: those are the compiler's to work out.
var leftToPTX = []string{" is not worked out", "since it has a call", "since it has template arguments", "bases are not followed", "is a template", "depends on the type"}

// TestStylesEqualPTX holds kernels in the style of public projects against what
// nvcc 13.0 made of them: every kernel is found, every one that is resolved
// has the bounds of its PTX, and the rest is what only the build knows.
func TestStylesEqualPTX(t *testing.T) {
	files, err := filepath.Glob(styles + "/compiled/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("nothing is recorded", err)
	}
	p := styleSources(t)
	for _, n := range p.Notes() {
		t.Errorf("%s: %s", n.Place.File, n.Text)
	}
	kernels, bounded, unresolved, left := 0, 0, 0, 0
	for _, file := range files {
		arch := compiledFor(file)
		for _, e := range readEntries(t, file) {
			kernels++
			if e.MaxThreads+e.Threads+e.MaxRegisters > 0 {
				bounded++
			}
			if equalsPTX(t, p, e, arch) {
				continue
			}
			a := p.Find(e.Name, arch)
			unresolved++
			if slices.ContainsFunc(leftToPTX, func(why string) bool { return strings.Contains(a.Unresolved, why) }) {
				left++
			} else if want := wantUnresolved[a.Name]; a.Unresolved != want {
				t.Errorf("%s: %s: unresolved: %s\nwant %s", filepath.Base(file), e.Name, a.Unresolved, want)
			}
		}
	}
	share := fmt.Sprintf("%d of %d kernels declare bounds, and %d of these are unresolved: %d by types, members and functions", bounded, kernels, unresolved, left)
	docs, err := os.ReadFile("../../docs/declarations.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), share) {
		t.Errorf("docs/declarations.md does not say: %s", share)
	}
}

// TestStylesResolvedWhenTold: with the build's side of it told, nothing is open.
func TestStylesResolvedWhenTold(t *testing.T) {
	p, err := Scan(os.DirFS(styles), []string{"edges/defines.cu"}, Options{
		Defines:   map[string]string{"TPB": "320", "USE_BIG": "1", "__CUDACC_VER_MAJOR__": "13"},
		Undefined: []string{"USE_SMALL", "DEFAULT_TPB"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"edges-defines"} {
		for _, arch := range []string{"sm_80", "sm_90"} {
			for _, e := range readEntries(t, styles+"/compiled/"+name+"-"+arch+".ptx") {
				if !equalsPTX(t, p, e, arch) {
					t.Errorf("%s is unresolved: %s", e.Name, p.Find(e.Name, arch).Unresolved)
				}
			}
		}
	}
}

// TestStylesLogs: the log of a compilation has the kernels of its PTX.
func TestStylesLogs(t *testing.T) {
	p := styleSources(t)
	files, err := filepath.Glob(styles + "/compiled/*.log")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		arch := compiledFor(file)
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		log := &parse.Log{}
		if err := log.Read(in, file); err != nil {
			t.Fatal(err)
		}
		_ = in.Close()
		var names, entries []string
		for _, kernel := range log.Kernels() {
			k := &kernel
			if k.Kind != parse.Entry {
				continue
			}
			names = append(names, k.Name)
			a := p.Find(k.Name, k.Arch)
			if a.Name == "" || k.Arch != arch {
				t.Errorf("%s: %s on %s is not found", filepath.Base(file), k.Name, k.Arch)
			}
		}
		for _, e := range readEntries(t, strings.TrimSuffix(file, ".log")+".ptx") {
			entries = append(entries, e.Name)
		}
		slices.Sort(names)
		slices.Sort(entries)
		if !slices.Equal(unhashed(names), unhashed(entries)) {
			t.Errorf("%s: kernels %v, PTX %v", filepath.Base(file), names, entries)
		}
	}
}

// unhashed drops names with an id of the compilation in it, which is another in
// each run of nvcc.
func unhashed(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(s string) bool { return strings.Contains(s, "_GLOBAL__N") || strings.Contains(s, "__nv_static") })
}

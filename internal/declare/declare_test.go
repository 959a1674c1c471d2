package declare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// repository writes files into a new directory and returns it. A file named
// .occlint.yml becomes the config of the inputs.
func repository(t testing.TB, files map[string]string) Inputs {
	t.Helper()
	root := t.TempDir()
	in := Inputs{Root: root, Dir: root}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == ".occlint.yml" {
			c, err := config.Load(path, config.Known{})
			if err != nil {
				t.Fatal(err)
			}
			in.Config = c
		}
	}
	return in
}

// logOf is a log of entries: "NAME ARCH".
func logOf(kernels ...string) *parse.Log {
	log := &parse.Log{}
	for i, k := range kernels {
		name, arch, _ := strings.Cut(k, " ")
		log.Add(parse.Kernel{Name: name, Place: parse.Place{File: "build.log", Line: i + 1}, Class: &parse.Class{
			Arch: arch, Kind: parse.Entry, Stage: parse.StagePtxas, Registers: parse.Some(32),
			SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0), StackBytes: parse.Some(0),
		}})
		log.Compilations = []parse.Compilation{{Arch: arch, Stage: parse.StagePtxas}}
	}
	return log
}

// merged is what the rules make of a policy: "KERNEL ARCH" to its declaration.
func merged(t *testing.T, in Inputs) map[string]*rules.Declaration {
	t.Helper()
	p, err := Policy(in)
	if err != nil {
		t.Fatal(err)
	}
	p.Archs = nil
	r, err := rules.Judge(given(in), p)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*rules.Declaration{}
	for _, k := range r.Kernels() {
		all[k.Kernel.Name+" "+k.Kernel.Arch] = k.Declared
	}
	return all
}

func bounds(f rules.Field[rules.Bounds]) string {
	if !f.Set {
		return "none"
	}
	p := f.Origin.Place
	return fmt.Sprintf("%d,%d %s %s:%d:%d %s", f.Value.Threads, f.Value.MinBlocks, f.Origin.From, p.File, p.Line, p.Column, f.Origin.Text)
}

// TestPrecedence: defaults, source, PTX, kernels; per field the later one wins
// and its place with it.
func TestPrecedence(t *testing.T) {
	in := repository(t, map[string]string{
		"ci/.occlint.yml": `version: 1
sources: ["../src/*.cu"]
ptx: ["../build/*.ptx"]
defaults:
  launch_bounds: 1024
  registers: 255
  by_arch: {sm_80: {registers: 128}}
kernels:
  - match: "config*"
    launch_bounds: [96, 5]
  - match: "config_by_arch"
    by_arch: {sm_90: {launch_bounds: [64, 1]}}
`,
		"src/k.cu": `// occlint: registers<=40
__global__ void __launch_bounds__(256, 2) source() {}
__global__ void __launch_bounds__(256, 2) ptx() {}
__global__ void __launch_bounds__(256, 2) agreed() {}
__global__ void __launch_bounds__(256, 2) config() {}
__global__ void __launch_bounds__(256, 2) config_by_arch() {}
__global__ void bare() { extern __shared__ int s[]; }
#if __CUDA_ARCH__ >= 900
#define B 3
#else
#define B 2
#endif
__global__ void __launch_bounds__(128, B) by_arch() {}
__global__ void __launch_bounds__(UNKNOWN) open() {}
`,
		"build/k.ptx": `.version 9.0
.target sm_80
.entry _Z3ptxv()
.maxntid 512
.minnctapersm 1
{}
.entry _Z6agreedv()
.maxntid 256
.minnctapersm 2
{}
.entry _Z6configv()
.maxntid 512
.maxnreg 48
{}
`,
	})
	in.Log = logOf("_Z6sourcev sm_80", "_Z6sourcev sm_90", "_Z3ptxv sm_86", "_Z6agreedv sm_90a", "_Z6configv sm_90", "_Z14config_by_archv sm_80", "_Z14config_by_archv sm_90",
		"_Z4barev sm_80", "_Z7by_archv sm_80", "_Z7by_archv sm_90", "_Z4openv sm_90", "_Z7unknownv sm_90")
	all := merged(t, in)
	for kernel, want := range map[string]string{
		"_Z6sourcev sm_80":          "256,2 source src/k.cu:2:17 __launch_bounds__(256, 2)",
		"_Z6sourcev sm_90":          "256,2 source src/k.cu:2:17 __launch_bounds__(256, 2)",
		"_Z3ptxv sm_86":             "512,1 ptx build/k.ptx:4:1 .maxntid 512 .minnctapersm 1",
		"_Z6agreedv sm_90a":         "256,2 source src/k.cu:4:17 __launch_bounds__(256, 2)",
		"_Z6configv sm_90":          "96,5 config ci/.occlint.yml:10:5 launch_bounds: [96, 5]",
		"_Z14config_by_archv sm_80": "96,5 config ci/.occlint.yml:10:5 launch_bounds: [96, 5]",
		"_Z14config_by_archv sm_90": "64,1 config ci/.occlint.yml:12:23 launch_bounds: [64, 1]",
		"_Z4barev sm_80":            "1024,0 defaults ci/.occlint.yml:5:3 launch_bounds: 1024",
		"_Z7by_archv sm_80":         "128,2 source src/k.cu:13:17 __launch_bounds__(128, B)",
		"_Z7by_archv sm_90":         "128,3 source src/k.cu:13:17 __launch_bounds__(128, B)",
		"_Z4openv sm_90":            "1024,0 defaults ci/.occlint.yml:5:3 launch_bounds: 1024",
		"_Z7unknownv sm_90":         "1024,0 defaults ci/.occlint.yml:5:3 launch_bounds: 1024",
	} {
		d := all[kernel]
		if d == nil {
			t.Errorf("%s is not judged", kernel)
			continue
		}
		if got := bounds(d.LaunchBounds); got != want {
			t.Errorf("%s: %s\nwant %s", kernel, got, want)
		}
	}
	registers := func(kernel string, value int64, from rules.OriginKind, line int) {
		t.Helper()
		f := all[kernel].Registers
		if !f.Set || f.Value != value || f.Origin.From != from || f.Origin.Place.Line != line {
			t.Errorf("%s: registers %+v", kernel, f)
		}
	}
	registers("_Z6sourcev sm_80", 40, rules.FromSource, 1)
	registers("_Z6sourcev sm_90", 40, rules.FromSource, 1)
	registers("_Z4barev sm_80", 128, rules.FromDefaults, 7)
	registers("_Z6configv sm_90", 255, rules.FromDefaults, 6)
	if f := all["_Z6configv sm_90"].MaxRegisters; f.Value != 48 || f.Origin.From != rules.FromPTX || f.Origin.Place.Line != 13 {
		t.Errorf("maxnreg %+v", f)
	}
	if d := all["_Z4barev sm_80"]; !d.DynamicSharedUsed.Value || d.Source.Value != (parse.Place{File: "src/k.cu", Line: 7, Column: 1}) {
		t.Errorf("bare: %+v", d)
	}
	if d := all["_Z4openv sm_90"]; d.Unresolved.Value != "UNKNOWN is not defined in the scanned files: --define UNKNOWN=… would settle it" || d.Unresolved.Origin.Text != "__launch_bounds__(UNKNOWN)" {
		t.Errorf("open: %+v", d.Unresolved)
	}
}

// TestPTXTargets: code for an architecture is made from PTX of the greatest
// target that is not above it; a and f targets serve their own alone.
func TestPTXTargets(t *testing.T) {
	ptx := func(target string, threads int) string {
		return fmt.Sprintf(".version 9.0\n.target %s\n.entry k()\n.maxntid %d\n{}\n", target, threads)
	}
	in := repository(t, map[string]string{
		"a.ptx": ptx("sm_80", 80), "b.ptx": ptx("sm_90", 90), "c.ptx": ptx("sm_90a", 99), "d.ptx": ptx("sm_100", 100),
	})
	in.PTX = []string{"*.ptx"}
	in.Log = logOf("k sm_75", "k sm_80", "k sm_86", "k sm_90", "k sm_90a", "k sm_100a", "k sm_120")
	all := merged(t, in)
	for arch, want := range map[string]int{"sm_75": 0, "sm_80": 80, "sm_86": 80, "sm_90": 90, "sm_90a": 99, "sm_100a": 100, "sm_120": 100} {
		if got := all["k "+arch].LaunchBounds.Value.Threads; got != want {
			t.Errorf("%s: %d threads, want %d", arch, got, want)
		}
	}
}

// TestSilentPTX: PTX without bounds contradicts a source that has some, and the
// compiler's word counts.
func TestSilentPTX(t *testing.T) {
	in := repository(t, map[string]string{
		"k.cu":  "__global__ void __launch_bounds__(256, 2) a() {}\n__global__ void b() {}\n__global__ void __launch_bounds__(256, 2) c() {}\n",
		"k.ptx": ".version 9.0\n.target sm_80\n.entry _Z1av() {}\n.entry _Z1bv() {}\n.entry _Z1cv() .maxntid 256 .minnctapersm 2 {}\n",
	})
	in.Sources, in.PTX = []string{"k.cu"}, []string{"k.ptx"}
	in.Log = logOf("_Z1av sm_80", "_Z1bv sm_80", "_Z1cv sm_80")
	p, err := Policy(in)
	if err != nil {
		t.Fatal(err)
	}
	var contradicted []string
	for _, d := range p.Declarations {
		if d.LaunchBounds.Set && d.LaunchBounds.Value == (rules.Bounds{}) {
			contradicted = append(contradicted, d.Names...)
		}
	}
	if len(contradicted) != 1 || contradicted[0] != "_Z1av" {
		t.Errorf("%v, want _Z1av alone", contradicted)
	}
	all := merged(t, in)
	if f := all["_Z1av sm_80"].LaunchBounds; f.Set {
		t.Errorf("judged by %v", f)
	}
	if f := all["_Z1cv sm_80"].LaunchBounds; f.Value != (rules.Bounds{Threads: 256, MinBlocks: 2}) || f.Origin.From != rules.FromSource {
		t.Errorf("judged by %v", f)
	}
}

// TestCauseOfConflict: the architecture or the macro that makes source and PTX
// differ is named, and nothing is where it is not known.
func TestCauseOfConflict(t *testing.T) {
	in := repository(t, map[string]string{
		"k.cu": `#if __CUDA_ARCH__ == 800
#define N 128
#else
#define N 256
#endif
__global__ void __launch_bounds__(N) arch() {}
__global__ void __launch_bounds__(TPB) macro() {}
__global__ void __launch_bounds__(64) edited() {}
__global__ void __launch_bounds__(64) same() {}
`,
		"k.ptx": ".version 8.4\n.target sm_80\n.entry _Z4archv() .maxntid 128, 1, 1 {}\n.entry _Z5macrov() .maxntid 512, 1, 1 {}\n.entry _Z6editedv() {}\n.entry _Z4samev() .maxntid 64, 1, 1 {}\n",
	})
	in.Sources, in.PTX, in.Defines = []string{"k.cu"}, []string{"k.ptx"}, []string{"TPB=256", "OTHER=1"}
	in.Log = logOf("_Z4archv sm_86", "_Z5macrov sm_86", "_Z6editedv sm_86", "_Z4samev sm_86")
	p, err := Policy(in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range p.Declarations {
		if d.Origin.From == rules.FromPTX {
			got[d.Match] = d.Cause
		}
	}
	want := map[string]string{
		"_Z4archv":   "the PTX is for sm_80, and by that __CUDA_ARCH__ the source says the same",
		"_Z5macrov":  "the source was read with TPB=256 (defines), and the build can pass another value",
		"_Z6editedv": "", "_Z4samev": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestIgnoresOfComments: a suppression names its kernels exactly, and one for a
// kernel that is not in the log names none.
func TestIgnoresOfComments(t *testing.T) {
	in := repository(t, map[string]string{"k.cu": `
// occlint:ignore spill-budget,stack-frame -- cold
template <int N> __global__ void t() {}
// occlint:ignore min-blocks -- gone
__global__ void gone() {}
`})
	in.Sources = []string{"k.cu"}
	in.Log = logOf("_Z1tILi1EEvv sm_80", "_Z1tILi2EEvv sm_80", "_Z1tILi2EEvv sm_90", "_Z5otherv sm_80")
	p, err := Policy(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ig := range p.Ignores {
		got = append(got, fmt.Sprintf("%s %s %q %v %s:%d", ig.Rule, ig.Match, ig.Reason, ig.Names, ig.Origin.Place.File, ig.Origin.Place.Line))
	}
	want := []string{
		`spill-budget t "cold" [_Z1tILi1EEvv _Z1tILi2EEvv] k.cu:2`,
		`stack-frame t "cold" [_Z1tILi1EEvv _Z1tILi2EEvv] k.cu:2`,
		`min-blocks gone "gone" [] k.cu:4`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, ig := range p.Ignores {
		if ig.Names == nil {
			t.Errorf("%s matches by pattern", ig.Rule)
		}
	}
}

// TestSettings: the parts of a config that are not about single kernels.
func TestSettings(t *testing.T) {
	in := repository(t, map[string]string{".occlint.yml": `version: 1
archs: [sm_90]
expect: {kernels: 7}
gpu: mine
rules: {stack-frame: error}
ignore:
  - {rule: spill-budget, match: "old::*", archs: [sm_80], reason: "gone soon", until: 2027-03-01}
custom_archs: {sm_131: {like: sm_130, warps_per_sm: 40}, sm_130: {like: sm_120, shared_per_sm: 256KiB}}
custom_gpus: {mine: {like: yours, arch: sm_130, sms: 7}, yours: {like: H100-SXM}}
`})
	p, err := Policy(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Archs) != 1 || p.Archs[0].Arch != "sm_90" || p.Archs[0].Origin.Place != (parse.Place{File: ".occlint.yml", Line: 2, Column: 9}) {
		t.Errorf("archs %+v", p.Archs)
	}
	if p.ExpectKernels != 7 || p.ExpectOrigin.Place.Line != 3 || p.GPU != "mine" || p.Severities["stack-frame"] != rules.Error {
		t.Errorf("%+v", p)
	}
	if ig := p.Ignores[0]; ig.Rule != "spill-budget" || ig.Match != "old::*" || ig.Archs[0] != "sm_80" || ig.Until.Year() != 2027 || ig.Names != nil {
		t.Errorf("%+v", ig)
	}
	sm, err := p.Table.Lookup("sm_130a")
	if err != nil || sm.SharedBytes != 256<<10 {
		t.Errorf("%+v %v", sm, err)
	}
	// An entry is like one further down.
	if sm, err = p.Table.Lookup("sm_131"); err != nil || sm.SharedBytes != 256<<10 || sm.WarpSlots != 40 {
		t.Errorf("%+v %v", sm, err)
	}
	if g, err := p.Table.GPU("mine"); err != nil || g.SMs != 7 || g.Arch != "sm_130" {
		t.Errorf("%+v %v", g, err)
	}
}

// TestFaults: everything that is wrong, at once, each with its place.
func TestFaults(t *testing.T) {
	in := repository(t, map[string]string{
		".occlint.yml": `version: 1
sources: ["src/*.cu", "srv/*.cu"]
ptx: ["*.ptx"]
gpu: H1000
custom_archs: {sm_130: {like: sm_999}, sm_131: {like: sm_132}, sm_132: {like: sm_131}}
custom_gpus:
  a: {like: b}
  b: {like: a}
`,
		"src/k.cu": "// occlint: registers=many block=0\n__global__ void k() {}\n// occlint:ignore no-such-rule -- why\n__global__ void l() {} // occlint: min_occupancy=25\n",
		"bad.ptx":  ".entry k\n.maxntid none\n{}",
	})
	in.Defines = []string{"=3", "!X=1"}
	_, err := Policy(in)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`.occlint.yml:2:23: the source glob "srv/*.cu" matches no file`,
		`.occlint.yml:4:1: unknown GPU "H1000"`,
		`.occlint.yml:5:16: custom architecture "sm_130": like: unknown architecture "sm_999"`,
		`.occlint.yml:5:40: custom architecture "sm_131": like: "sm_132" is, by way of its own like, like this entry again`,
		`.occlint.yml:5:64: custom architecture "sm_132": like: "sm_131" is, by way of`,
		`.occlint.yml:7:3: custom GPU "a": like: "b" is, by way of`,
		`.occlint.yml:8:3: custom GPU "b": like: "a" is, by way of`,
		`src/k.cu:1:1: registers is a number, not "many"`,
		`src/k.cu:1:1: block is the number of threads of a block, at least 1`,
		`src/k.cu:3:1: there is no rule "no-such-rule" (occlint rules lists them)`,
		`src/k.cu:4:24: min_occupancy is a percentage from 0% to 100%, not "25"`,
		`bad.ptx:2:1: .maxntid none of "k" is no number that PTX allows`,
		`--define "=3": want NAME=VALUE, NAME, or !NAME for what the build does not pass`,
		`--define "!X=1": want NAME=VALUE`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis not in\n%v", want, err)
		}
	}
}

// TestGlobs: patterns are relative to the config or to the working directory,
// and may leave the root.
func TestGlobs(t *testing.T) {
	in := repository(t, map[string]string{
		"repo[1]/conf/.occlint.yml": "version: 1\nsources: [\"../src/**/*.cu\"]\n",
		"repo[1]/src/a/b/deep.cu":   "__global__ void __launch_bounds__(32) deep() {}",
		"other/flag.cu":             "__global__ void __launch_bounds__(64) flag() {}",
	})
	outer := in.Root
	in.Root = filepath.Join(outer, "repo[1]")
	in.Dir = filepath.Join(in.Root, "src")
	in.Log = logOf("_Z4deepv sm_90", "_Z4flagv sm_90")
	all := merged(t, in)
	if got := bounds(all["_Z4deepv sm_90"].LaunchBounds); got != "32,0 source src/a/b/deep.cu:1:17 __launch_bounds__(32)" {
		t.Error(got)
	}
	in.Sources = []string{"../../other/*.cu"}
	all = merged(t, in)
	if got := bounds(all["_Z4deepv sm_90"].LaunchBounds); got != "32,0 source src/a/b/deep.cu:1:17 __launch_bounds__(32)" {
		t.Error(got)
	}
	want := fmt.Sprintf("64,0 source %s/other/flag.cu:1:17 __launch_bounds__(64)", filepath.ToSlash(outer))
	if got := bounds(all["_Z4flagv sm_90"].LaunchBounds); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOddFilesUnderPatterns: links to nothing, editors' lock files among them,
// and pipes are left out of a pattern with a note; nothing waits for a pipe.
func TestOddFilesUnderPatterns(t *testing.T) {
	in := repository(t, map[string]string{
		"src/k.cu":     "__global__ void __launch_bounds__(64) k() {}",
		".occlint.yml": "version: 1\nsources: [\"src/**/*.cu\"]\n",
	})
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(in.Root, "src", name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	link("me@host.1234:5678", ".#k.cu")
	link("k.cu", "linked.cu")
	if mkfifo != nil {
		if err := mkfifo(filepath.Join(in.Root, "src", "pipe.cu")); err != nil {
			t.Fatal(err)
		}
	}
	var notes []string
	in.Note = func(text string) { notes = append(notes, text) }
	in.Log = logOf("_Z1kv sm_90")
	if got := bounds(merged(t, in)["_Z1kv sm_90"].LaunchBounds); got != "64,0 source src/k.cu:1:17 __launch_bounds__(64)" {
		t.Error(got)
	}
	want := []string{`src/.#k.cu is a link to a file that is not there, and is left out of "src/**/*.cu"`}
	if mkfifo != nil {
		want = append(want, `src/pipe.cu is no regular file, and is left out of "src/**/*.cu"`)
	}
	if strings.Join(notes, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", notes, want)
	}
}

// BenchmarkPolicy joins a log of the size of a large framework's with sources:
// a few kernels with very many instantiations, for two architectures.
func BenchmarkPolicy(b *testing.B) {
	const kernels = 471_000
	in := repository(b, map[string]string{"k.cu": `
template <int N, typename T> struct Traits { static constexpr int threads = N % 8 * 32 + 32; };
template <typename T> __global__ void __launch_bounds__(128, 4) plain(T) {}
template <int N, typename T> __global__ void __launch_bounds__(N > 500 ? 256 : 128) value(T) {}
template <typename X> __global__ void __launch_bounds__(X::threads) traits(X) {}
`})
	in.Sources = []string{"k.cu"}
	in.Log = &parse.Log{}
	for i := range kernels {
		name := fmt.Sprintf("_Z5plainI3Op%05dEvT_", i%100_000)
		switch i % 3 {
		case 1:
			name = fmt.Sprintf("_Z5valueILi%dE4Op%02dEvT0_", i, i%100)
		case 2:
			name = fmt.Sprintf("_Z6traitsI6TraitsILi%dEfEEvT_", i)
		}
		given(in).Add(parse.Kernel{Name: name, Class: &parse.Class{Arch: "sm_90", Kind: parse.Entry}})
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := Policy(in)
		if err != nil {
			b.Fatal(err)
		}
		if len(p.Declarations) > 100 {
			b.Fatal(len(p.Declarations), "declarations")
		}
	}
	b.ReportMetric(float64(kernels)*float64(b.N)/b.Elapsed().Seconds(), "kernels/s")
}

func given(in Inputs) *parse.Log { return in.Log.(*parse.Log) }

//go:build unix

package capture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// units makes a project of the 16 units of eight kernels whose logs were
// recorded one by one, with a Makefile that compiles them through wrap.
func units(t *testing.T) (dir string, names []string) {
	t.Helper()
	tools(t)
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	logs, err := filepath.Abs("../../testdata/ptxas/parallel-nvcc12.4/units")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(logs, "u*.log"))
	if err != nil || len(paths) != 16 {
		t.Fatalf("%d recorded units, %v", len(paths), err)
	}
	t.Setenv("FAKENVCC_LOGS", logs)
	dir = t.TempDir()
	var objects []string
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".log")
		names = append(names, name)
		objects = append(objects, name+".o")
		writeFile(t, filepath.Join(dir, name+".cu"), "// "+name+"\n")
	}
	writeFile(t, filepath.Join(dir, "Makefile"), "all: "+strings.Join(objects, " ")+"\n%.o: %.cu\n\t@wrap nvcc -arch=sm_90 -c $< -o $@\n")
	return dir, names
}

// entries are the kernels of a log without the functions that they call: eight
// in each unit.
func entries(log *parse.Log) []parse.Kernel {
	var list []parse.Kernel
	for _, k := range log.Kernels() {
		if k.Kind == parse.Entry {
			list = append(list, k)
		}
	}
	return list
}

// kernelLines states each kernel of a log with its source and numbers, sorted.
func kernelLines(log *parse.Log) []string {
	var lines []string
	for _, k := range log.Kernels() {
		source := ""
		if k.Compilation >= 0 {
			source = log.Compilations[k.Compilation].Source
		}
		lines = append(lines, fmt.Sprintf("%s %s of %q: %+v, %s µs", source, k.Name, k.Parent, *k.Class, k.CompileMicros))
	}
	slices.Sort(lines)
	return lines
}

// TestParallelBuild: sixteen jobs at a time, each message a write of its own
// with a pause before it and noise in between, give the kernels that the logs
// of the single units state: none lost, none mixed.
func TestParallelBuild(t *testing.T) {
	dir, names := units(t)
	alone := &parse.Log{}
	for _, name := range names {
		text := readFile(t, filepath.Join(os.Getenv("FAKENVCC_LOGS"), name+".log"))
		if err := alone.Read(strings.NewReader(text), ""); err != nil {
			t.Fatal(err)
		}
		for i := range alone.Compilations {
			if alone.Compilations[i].Source == "" {
				alone.Compilations[i].Source = name + ".cu"
			}
		}
	}
	t.Setenv("FAKENVCC_DELAY", "500us")
	t.Setenv("FAKENVCC_NOISE", "3")
	c := Command{Args: []string{"make", "-j16"}, Dir: dir}
	var out strings.Builder
	if status, err := c.direct(&out, &out); err != nil || status.ExitCode() != 0 {
		t.Fatalf("%v %v\n%s", status, err, out.String())
	}
	if got := strings.Count(out.String(), "warning: unused variable"); got != 16*3 || strings.Contains(out.String(), "ptxas info") {
		t.Errorf("%d of 48 warnings were shown, or resource lines were", got)
	}
	log, _ := load(t, dir, dir)
	if diff := cmp.Diff(kernelLines(alone), kernelLines(log)); diff != "" || len(log.Faults) != 0 || len(entries(log)) != 128 {
		t.Errorf("%d kernels, faults %s (-alone +parallel):\n%s", len(entries(log)), faults(log), diff)
	}
}

// TestIncrementalBuild: after one file is edited the set is whole again with
// one compilation.
func TestIncrementalBuild(t *testing.T) {
	dir, _ := units(t)
	build := Command{Args: []string{"make", "-s", "-j16"}, Dir: dir}
	if _, err := build.direct(nil, nil); err != nil {
		t.Fatal(err)
	}
	before, _ := load(t, dir, dir)
	writeFile(t, filepath.Join(dir, "u07.cu"), "// edited\n")
	if log, _ := load(t, dir, dir); faults(log) != "u07.cu: the record of u07.o is stale: u07.cu changed since; build again" {
		t.Errorf("before the build: %s", faults(log))
	}
	var out strings.Builder
	again := Command{Args: []string{"make"}, Dir: dir}
	if _, err := again.direct(&out, &out); err != nil {
		t.Fatal(err)
	}
	after, _ := load(t, dir, dir)
	if diff := cmp.Diff(kernelLines(before), kernelLines(after)); diff != "" || len(after.Faults) != 0 {
		t.Errorf("faults %s\n%s", faults(after), diff)
	}
}

// TestKilledBuild kills a build and everything in it at a random moment, many
// times. Each time the records that are there are whole, and what check says
// of the others lets nothing pass: each unit has its record, or a fault names
// it, or it has no object.
func TestKilledBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir, names := units(t)
	first := Command{Args: []string{"make", "-s", "-j8"}, Dir: dir}
	if status, err := first.direct(nil, nil); err != nil || status.ExitCode() != 0 {
		t.Fatal(status, err)
	}
	t.Setenv("FAKENVCC_DELAY", "200us")
	named := 0
	for round := range 12 {
		for _, name := range names {
			writeFile(t, filepath.Join(dir, name+".cu"), fmt.Sprintf("// %s, round %d\n", name, round))
		}
		cmd := exec.Command("make", "-j8")
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		log, _ := load(t, dir, dir)
		text := faults(log)
		if strings.Contains(text, "can't be used") {
			t.Fatalf("round %d: a torn record: %s", round, text)
		}
		have := map[string]int{}
		for _, k := range entries(log) {
			have[log.Compilations[k.Compilation].Source]++
		}
		for _, name := range names {
			fault := strings.Contains(text, name+".o is ")
			whole := have[name+".cu"] == 8
			if fault {
				named++
			}
			if object := exists(filepath.Join(dir, name+".o")); object && !whole && !fault {
				t.Errorf("round %d: %s has an object and neither a record nor a fault", round, name)
			}
			if have[name+".cu"]%8 != 0 {
				t.Errorf("round %d: %s has %d kernels of 8", round, name, have[name+".cu"])
			}
		}
	}
	if named == 0 {
		t.Error("no kill left a fault: the test kills too late")
	}
	// An object whose record the kill took is up to date to make: check says
	// which to touch, and then the set is whole. (More than one try, since what
	// was killed may still be finishing a write.)
	t.Setenv("FAKENVCC_DELAY", "")
	log := &parse.Log{}
	for range 5 {
		build := Command{Args: []string{"make", "-j8"}, Dir: dir}
		if status, err := build.direct(nil, nil); err != nil || status.ExitCode() != 0 {
			t.Fatal(status, err)
		}
		if log, _ = load(t, dir, dir); len(log.Faults) == 0 {
			break
		}
		for _, name := range names {
			if strings.Contains(faults(log), "touch "+name+".cu and build again") {
				touch(t, filepath.Join(dir, name+".cu"), time.Now())
			}
		}
	}
	if len(log.Faults) != 0 || len(entries(log)) != 128 {
		t.Errorf("the build after the kills: %d kernels, %s", len(entries(log)), faults(log))
	}
}

// BenchmarkWrap runs the stand-in compiler alone and behind wrap, each a
// process of its own as in a build. The difference is what wrap costs a call;
// it must stay below 10 ms.
func BenchmarkWrap(b *testing.B) {
	dir := b.TempDir()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"wrap", "nvcc"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			b.Skip(err)
		}
	}
	for path, text := range map[string]string{"scale.cu": "\n", "replay/scale.log": scaleLog} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	run := func(args ...string) time.Duration {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return time.Since(start)
	}
	compile := words("nvcc -arch=sm_90 -Xptxas=-v -c scale.cu -o scale.o")
	run(append([]string{"wrap"}, compile...)...) // asks for the version once
	var alone, wrapped []time.Duration
	for b.Loop() {
		alone = append(alone, run(compile...))
		wrapped = append(wrapped, run(append([]string{"wrap"}, compile...)...))
	}
	slices.Sort(alone)
	slices.Sort(wrapped)
	median := func(d []time.Duration) float64 { return float64(d[len(d)/2].Microseconds()) / 1000 }
	b.ReportMetric(median(alone), "ms/alone")
	b.ReportMetric(median(wrapped)-median(alone), "ms/overhead")
}

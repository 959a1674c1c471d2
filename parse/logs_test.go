package parse_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// corpus holds the real logs; see its README.md.
const corpus = "../testdata/ptxas"

// logFiles lists the logs of the corpus, relative to it, with slashes.
func logFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(corpus, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".log") {
			rel, _ := filepath.Rel(corpus, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil || len(files) < 80 {
		t.Fatalf("found %d logs under %s (%v); the corpus has 80 at least", len(files), corpus, err)
	}
	return files
}

func readLog(t testing.TB, file string) *parse.Log {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var l parse.Log
	if err := l.Read(f, file); err != nil {
		t.Fatal(err)
	}
	return &l
}

// listed is one function of a .res file: cuobjdump's own reading of the
// binary that the log's command made.
type listed struct {
	arch, name               string
	registers, stack, shared string
	constant                 map[int]string
}

var (
	resArch     = regexp.MustCompile(`^arch = (sm_\S+)$`)
	resFunction = regexp.MustCompile(`^ Function (.*):$`)
	resData     = regexp.MustCompile(`^  REG:(\d+) STACK:(\w+) SHARED:(\d+) LOCAL:(\d+)(.*)$`)
	resConstant = regexp.MustCompile(`CONSTANT\[(\d+)\]:(\d+)`)
)

// readListing reads a .res file without the package under test.
func readListing(t *testing.T, path string) []listed {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []listed
	var arch, name string
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if m := resArch.FindStringSubmatch(line); m != nil {
			arch = m[1]
		} else if m := resFunction.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if m := resData.FindStringSubmatch(line); m != nil {
			l := listed{arch: arch, name: name, registers: m[1], stack: m[2], shared: m[3], constant: map[int]string{}}
			for _, c := range resConstant.FindAllStringSubmatch(m[5], -1) {
				bank, _ := strconv.Atoi(c[1])
				l.constant[bank] = c[2]
			}
			all = append(all, l)
		}
	}
	return all
}

// TestLogsAgreeWithBinaries compares every log that has a .res beside it with
// what cuobjdump read back from the binary.
func TestLogsAgreeWithBinaries(t *testing.T) {
	compared := 0
	for _, file := range logFiles(t) {
		res := strings.TrimSuffix(file, ".log") + ".res"
		if _, err := os.Stat(filepath.Join(corpus, res)); err != nil {
			continue
		}
		compared++
		t.Run(file, func(t *testing.T) {
			compareWithListing(t, readLog(t, file), readListing(t, filepath.Join(corpus, res)))
		})
	}
	if compared < 25 {
		t.Errorf("compared %d logs; 25 at least have a .res", compared)
	}
}

func compareWithListing(t *testing.T, l *parse.Log, want []listed) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("the .res lists nothing")
	}
	if len(l.Faults) > 0 {
		t.Errorf("faults in a whole log: %+v", l.Faults)
	}
	type key struct{ arch, name string }
	got := map[key]*parse.Kernel{}
	oneArch := map[string]bool{}
	for _, kernel := range l.Kernels() {
		k := &kernel
		if k.Kind == parse.Entry {
			oneArch[k.Arch] = true
			got[key{k.Arch, k.Name}] = k
		}
	}
	linked := false
	for _, k := range l.Kernels() {
		linked = linked || k.Stage == parse.StageNvlink
	}
	seen := 0
	for _, w := range want {
		k := got[key{w.arch, w.name}]
		if k == nil && len(oneArch) == 1 {
			for a := range oneArch {
				k = got[key{a, w.name}]
			}
		}
		if k == nil {
			if linked && len(w.constant) == 0 {
				continue // a device function: nvlink prints entries only
			}
			t.Errorf("%s %s is in the binary and not in the log", w.arch, w.name)
			continue
		}
		seen++
		compareKernel(t, k, w)
	}
	if seen != len(got) {
		t.Errorf("the log states %d entries, %d of them are in the binary", len(got), seen)
	}
}

func compareKernel(t *testing.T, k *parse.Kernel, w listed) {
	t.Helper()
	check := func(what string, got parse.Count, want string) {
		t.Helper()
		// ptxas leaves a zero field out of a whole Used line.
		if strconv.FormatInt(got.Or(0), 10) != want {
			t.Errorf("%s: %s = %v, the binary has %s", k.Name, what, got, want)
		}
	}
	check("registers", k.Registers, w.registers)
	if w.stack != "UNKNOWN" { // a recursive kernel
		check("stack", k.StackBytes, w.stack)
	}
	shared, _ := strconv.ParseInt(w.shared, 10, 64)
	version, _ := strconv.Atoi(strings.Trim(strings.TrimPrefix(k.Arch, "sm_"), "af"))
	if version >= 90 && shared > 0 {
		shared -= 1024 // reserved by the system
	}
	check("shared", k.SharedBytes, strconv.FormatInt(shared, 10))
	for bank, bytes := range k.ConstBytes.All() {
		if want := w.constant[bank]; strconv.FormatInt(bytes, 10) != want {
			t.Errorf("%s: constant bank %d = %d, the binary has %q", k.Name, bank, bytes, want)
		}
	}
}

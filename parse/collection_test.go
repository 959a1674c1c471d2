package parse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// Everything below reads testdata/ptxas/more and testdata/ptxas/public; their
// table is testdata/ptxas/COLLECTION.md.

// faultsOf names the logs of testdata/ptxas/more that can't be trusted as a
// whole, and why: the kind of fault and the lines, counted with grep -n. Every
// other log there has no fault.
var faultsOf = map[string]string{
	"failed/bad-arch.log":     "empty 0, build-failed 1",    // nvcc fatal
	"failed/bad-flag.log":     "empty 0, build-failed 1",    // nvcc fatal
	"failed/missing-file.log": "empty 0, build-failed 1, 2", // cc1plus: fatal error; compilation terminated.

	"flags/basics-dlto-c.log":     "empty 0",                       // -dlto -c prints nothing
	"flags/basics-warn-no-v.log":  "empty 0",                       // warnings alone
	"flags/basics-werror-all.log": "build-failed 1",                // a spill is an error; every record follows
	"flags/bounds-werror-all.log": "empty 0, build-failed 1, 2, 3", // two errors and the fatal line
	"kinds/variety-sm_80.log":     "empty 0, build-failed 1, 5",    // FILE(N): error, and their count
	"linked/rdc-undefined.log":    "build-failed 22",               // nvlink, after its unit's records
	"linked/toobig-rdc.log":       "build-failed 7",                // nvlink; its records follow

	// FILE(N): error, three `At end of source: error:`, their count, and make
	// and ninja. make -k ends with `not remade because of errors`.
	"make/make-failed-j16.log": "build-failed 17, 21, 23, 25, 27, 28, 29",
	"make/make-failed-k.log":   "build-failed 15, 19, 21, 23, 25, 26, 389",
	"ninja/ninja-failed.log":   "build-failed 481, 483, 487, 489, 491, 493, 790",
	"ninja/ninja-again.log":    "empty 0", // no work to do

	"driver/link-rdc-undefined.log": "truncated 3, 4", // and the error log follows on the line
	"driver/nvrtc-plain.log":        "empty 0",        // NVRTC without -v: warnings alone
}

// moreLogs lists the logs of testdata/ptxas/more, relative to it.
func moreLogs(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, f := range logFiles(t) {
		if rel, ok := strings.CutPrefix(f, "more/"); ok {
			files = append(files, rel)
		}
	}
	if len(files) < 85 {
		t.Fatalf("found %d logs; there are 89", len(files))
	}
	return files
}

// TestCollectionMade compares every log that was made for the collection with
// a second reading of it, line by line, and with the binary where there is a
// listing of it.
func TestCollectionMade(t *testing.T) {
	for _, file := range moreLogs(t) {
		t.Run(file, func(t *testing.T) {
			l := readLog(t, "more/"+file)
			if got := faultLines(l); got != faultsOf[file] {
				t.Errorf("faults are %q, want %q", got, faultsOf[file])
			}
			var got []string
			for _, k := range l.Kernels() {
				got = append(got, numbersOf(&k))
			}
			want := readPlainly(readText(t, "more/"+file))
			sort.Strings(got)
			sort.Strings(want)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got)\n%s", firstLines(d, 40))
			}
			res := filepath.Join(corpus, "more", strings.TrimSuffix(file, ".log")+".res")
			if _, err := os.Stat(res); err == nil {
				compareWithListing(t, l, readListing(t, res))
			}
		})
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// faultLines names the faults by kind and line: "build-failed 3, 4".
func faultLines(l *parse.Log) string {
	var out strings.Builder
	last := ""
	for i := range l.Faults {
		if i > 0 {
			out.WriteString(", ")
		}
		if kind := l.Faults[i].Kind.String(); kind != last {
			out.WriteString(kind + " ")
			last = kind
		}
		fmt.Fprint(&out, l.Faults[i].Place.Line)
	}
	return out.String()
}

// TestCollectionParallel compares the builds that ran many jobs at a time with
// the logs of the same units, compiled one after the other.
func TestCollectionParallel(t *testing.T) {
	truth := separate(t, "more/units/unit*.log")
	if len(truth) != 146 {
		t.Fatalf("the units have %d kernels and functions, want 146", len(truth))
	}
	for _, test := range []struct {
		log     string
		records int // of sm_90; the broken unit of a failed build has none
	}{
		{"make/make-j16-pipe.log", 146},
		{"make/make-j16-output-sync.log", 146},
		{"make/make-j16-multiarch.log", 146},
		{"make/make-j8-threads4.log", 146},
		{"make/make-failed-j16.log", 75},
		{"make/make-failed-k.log", 71},
		{"ninja/ninja.log", 146},
		{"ninja/ninja-failed.log", 146},
	} {
		t.Run(test.log, func(t *testing.T) {
			l := readLog(t, "more/"+test.log)
			records := 0
			for _, kernel := range l.Kernels() {
				k := &kernel
				if k.Arch == "sm_80" {
					continue // the units were compiled for sm_90
				}
				records++
				if got := numbersOf(k); got != truth[k.Name] {
					t.Errorf("%s:\n got %s\nwant %s", k.Name, got, truth[k.Name])
				}
			}
			if records != test.records {
				t.Errorf("%d records, want %d", records, test.records)
			}
			checkUnits(t, l)
		})
	}
}

var unitOf = regexp.MustCompile(`unit\d\d`)

// checkUnits checks that the kernels of each unit, which name it, are in one
// compilation for each architecture, that no other unit's are, and that a
// remark which names a kernel is in a compilation of that kernel's unit.
func checkUnits(t *testing.T, l *parse.Log) {
	t.Helper()
	unit := map[int]string{}        // by compilation
	compilation := map[string]int{} // by unit and architecture
	for _, kernel := range l.Kernels() {
		k := &kernel
		u := unitOf.FindString(k.Name)
		if was, ok := unit[k.Compilation]; ok && was != u {
			t.Errorf("compilation %d is of %s and of %s", k.Compilation, was, u)
		}
		if was, ok := compilation[u+k.Arch]; ok && was != k.Compilation {
			t.Errorf("%s for %s is in the compilations %d and %d", u, k.Arch, was, k.Compilation)
		}
		unit[k.Compilation], compilation[u+k.Arch] = u, k.Compilation
	}
	named := 0
	for i := range l.Remarks {
		r := &l.Remarks[i]
		if r.Kernel == "" {
			continue
		}
		if r.Compilation < 0 {
			t.Errorf("a remark on %s is in no compilation", r.Kernel)
			continue
		}
		named++
		if u := unitOf.FindString(r.Kernel); unit[r.Compilation] != u {
			t.Errorf("a remark on %s is in a compilation of %s", r.Kernel, unit[r.Compilation])
		}
	}
	t.Logf("%d of %d remarks are in a compilation", named, len(l.Remarks))
}

// TestCollectionLinked compares what nvlink prints with what cuobjdump lists of
// the linked file (.listing, not .res, since ptxas printed other numbers for
// the same kernels above).
func TestCollectionLinked(t *testing.T) {
	for log, entries := range map[string]int{"kinds/variety-rdc-link": 4, "linked/rdc-link-multiarch": 2} {
		t.Run(log, func(t *testing.T) {
			l := readLog(t, "more/"+log+".log")
			listing := map[string]listed{}
			for _, w := range readListing(t, filepath.Join(corpus, "more", log+".listing")) {
				listing[w.name+w.arch] = w
				listing[w.name] = w // where one architecture is linked, nvlink names none
			}
			seen := 0
			for _, kernel := range l.Kernels() {
				k := &kernel
				if k.Stage != parse.StageNvlink {
					continue
				}
				seen++
				w := listing[k.Name+k.Arch]
				c0, _ := k.ConstBytes.Bytes(0)
				got := fmt.Sprint(k.Registers, k.StackBytes, k.SharedBytes, c0)
				if want := strings.Join([]string{w.registers, w.stack, w.shared, w.constant[0]}, " "); got != want {
					t.Errorf("%s: registers, stack, shared and constant bytes are %s, in the binary %s", k.Name, got, want)
				}
			}
			if seen != entries {
				t.Errorf("nvlink has %d entries, want %d", seen, entries)
			}
		})
	}
}

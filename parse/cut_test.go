package parse_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// cutLogs are cut everywhere by TestCutLogs.
var cutLogs = []string{
	"nvcc13.0/bounds-sm_90.log",
	"nvcc13.0/basics-sm_75.log",
	"nvcc13.0/debug-G.log",
	"nvcc13.0/rdc-b.log",
	"nvcc13.0/multi-arch.log",
	"nvcc12.4/basics-sm_90.log",
	"nvcc11.8/basics-sm_35.log",
	"linked/cloned-callee-11.8.log",
	"linked/rdc-multiarch-ok-link-11.8.log",
	"cmake/cmake-make-j8-sep-append-nvlink-12.4.log",
	"parallel-nvcc12.4/interleaved-j8.log",
	"ptxas-blackwell12.9/bounds-sm_100.log",
}

// facts is what each record of a log states, with and without its
// architecture, since that can be one that another line tells.
func facts(l *parse.Log) map[string]bool {
	set := map[string]bool{}
	for _, kernel := range l.Kernels() {
		set[numbersOf(&kernel)] = true
		class := *kernel.Class
		class.Arch, kernel.Class = "", &class
		set[numbersOf(&kernel)] = true
	}
	return set
}

// TestCutLogs cuts real logs inside every line of their last three records
// and after every line. What a cut log says is what the whole log says: each
// record is whole, or has a defect, or is not there. A cut inside a line or a
// record makes the log incomplete.
func TestCutLogs(t *testing.T) {
	for _, file := range cutLogs {
		t.Run(file, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(file)))
			if err != nil {
				t.Fatal(err)
			}
			text := string(b)
			whole := facts(parseText(t, text))
			cuts := map[int]bool{}
			for i := range text {
				if text[i] == '\n' {
					cuts[i+1] = true
				}
			}
			from := len(text)
			for range 3 {
				from = max(strings.LastIndex(text[:from], "Function properties"), 0)
			}
			from = max(strings.LastIndex(text[:from], "\n"), 0)
			for i := from; i < len(text); i++ {
				cuts[i] = true
			}
			for n := range cuts {
				checkCut(t, text[:n], whole)
			}
		})
	}
}

// lineEnds matches lines that nothing can follow but their newline.
var lineEnds = regexp.MustCompile(`(\d bytes spill loads|Compile time = \d+\.\d+ ms|\d bytes lmem \(target: sm_\d+\))$`)

func checkCut(t *testing.T, text string, whole map[string]bool) {
	t.Helper()
	l := parseText(t, text)
	last := text[strings.LastIndex(text, "\n")+1:]
	if strings.TrimSpace(last) != "" && !lineEnds.MatchString(last) && l.Summary().Complete {
		t.Errorf("cut at byte %d, inside a line: the log is taken for complete", len(text))
	}
	for _, kernel := range l.Kernels() {
		k := &kernel
		if k.Defect != 0 {
			if l.Summary().Complete {
				t.Errorf("cut at byte %d: %s is %s and the log complete", len(text), k.Name, k.Defect)
			}
			continue
		}
		if !whole[numbersOf(k)] {
			t.Errorf("cut at byte %d: %+v is in the whole log otherwise", len(text), *k)
		}
	}
}

// TestCutHeads cuts real logs at every line from the front: a record whose
// first lines are gone is unnamed or marked, and the others are right.
func TestCutHeads(t *testing.T) {
	for _, file := range cutLogs {
		t.Run(file, func(t *testing.T) {
			lines := readLines(t, file)
			whole := facts(parseText(t, strings.Join(lines, "\n")+"\n"))
			for n := range lines {
				l := parseText(t, strings.Join(lines[n:], "\n")+"\n")
				for _, kernel := range l.Kernels() {
					if k := &kernel; k.Defect == 0 && k.Kind == parse.Entry && !whole[numbersOf(k)] {
						t.Errorf("without the first %d lines: %+v is in the whole log otherwise", n, *k)
					}
				}
			}
		})
	}
}

// TestLostLines takes each line out of real logs in turn. No record may then
// state a number that the whole log does not, unless it is marked.
func TestLostLines(t *testing.T) {
	for _, file := range append(cutLogs, "parallel-nvcc12.4/make-j16-delay3000us.log") {
		t.Run(file, func(t *testing.T) {
			lines := readLines(t, file)
			whole := facts(parseText(t, strings.Join(lines, "\n")+"\n"))
			for n := range lines {
				rest := append(append([]string{}, lines[:n]...), lines[n+1:]...)
				l := parseText(t, strings.Join(rest, "\n")+"\n")
				for _, kernel := range l.Kernels() {
					k := &kernel
					if k.Defect == 0 && k.Kind == parse.Entry && k.Name != "" && !whole[numbersOf(k)] {
						t.Errorf("without line %d (%s): %+v is in the whole log otherwise", n+1, lines[n], *k)
					}
				}
			}
		})
	}
}

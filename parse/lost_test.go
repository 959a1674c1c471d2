package parse_test

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// lostFrom are the logs of one project's kinds of build that TestLostPairs and
// TestWrappedLosses take lines from: every log that is whole, but for those
// pasted in public, which mostly are cut themselves.
func lostFrom(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, file := range logFiles(t) {
		if !strings.HasPrefix(file, "public/") && !strings.ContainsRune(readText(t, file), 0) {
			files = append(files, file)
		}
	}
	return files
}

// TestLostPairs takes lines, and pairs of lines that stand together, out of
// real logs of every kind. A log that is then still taken for complete states
// of every named record what the whole log states of it.
func TestLostPairs(t *testing.T) {
	tried := 0
	for _, file := range lostFrom(t) {
		text := readText(t, file)
		whole := parseText(t, text)
		if !whole.Summary().Complete {
			continue
		}
		lines := strings.SplitAfter(text, "\n")
		known := facts(whole)
		// Each loss costs a reading of the log, so that a log's share is the
		// same whatever its size.
		every := len(text)/(4<<10)*(len(text)/(4<<10)) + 1
		for n := range lines {
			for many := 1; many <= 2 && n+many <= len(lines); many++ {
				if !sampled(file, n*2+many, every) || isRecordOfTwo(lines[n:n+many]) {
					continue
				}
				tried++
				rest := strings.Join(lines[:n], "") + strings.Join(lines[n+many:], "")
				if what := wrong(parseText(t, rest), known); what != "" {
					t.Errorf("%s without lines %d to %d:\n%s%s", file, n+1, n+many, strings.Join(lines[n:n+many], ""), what)
				}
			}
		}
	}
	t.Logf("%d losses", tried)
	if tried < 5000 {
		t.Errorf("tried %d losses, want 5000 at least", tried)
	}
}

// isRecordOfTwo reports the last line of one record of two lines and the first
// of the next: a log of such records, nvlink's or of functions, looks whole
// without them.
func isRecordOfTwo(lines []string) bool {
	if len(lines) != 2 || !strings.Contains(lines[1], "Function properties for ") {
		return false
	}
	return strings.Contains(lines[0], ": used ") || strings.Contains(lines[0], " bytes stack frame")
}

// sampled picks one place of every so many, always the same.
func sampled(key string, place, every int) bool {
	h := fnv.New32a()
	fmt.Fprint(h, key, place)
	return h.Sum32()%uint32(every) == 0
}

// wrong returns a named record of a complete log that states what the whole
// log does not.
func wrong(l *parse.Log, known map[string]bool) string {
	if !l.Summary().Complete {
		return ""
	}
	for _, kernel := range l.Kernels() {
		k := &kernel
		if k.Kind == parse.Function {
			k.Arch = "" // that of its compilation, whose module line can be the one that is lost
		}
		if k.Name != "" && k.Defect == 0 && !known[numbersOf(k)] {
			return "the log is complete, and has " + numbersOf(k)
		}
	}
	return ""
}

// TestWrappedLosses cuts the heads of real logs off, and takes lines out of
// them, behind wrappers of all kinds. What is not complete without a wrapper is
// not complete in one, and no record states what the whole log does not.
func TestWrappedLosses(t *testing.T) {
	tried := 0
	for w := range wrappers {
		if wrappers[w].moved || strings.HasPrefix(wrappers[w].name, "gzip") {
			continue // not line by line, or the same text as another
		}
		for _, file := range lostFrom(t) {
			if len(readText(t, file)) > 24<<10 || !sampled(file, w, 60) {
				continue
			}
			lines := readLines(t, file)
			whole := parseText(t, strings.Join(lines, "\n")+"\n")
			if !whole.Summary().Complete {
				continue
			}
			known := facts(whole)
			for n := 1; n < len(lines); n++ {
				if !sampled(file+wrappers[w].name, n, 3) {
					continue
				}
				tried++
				checkLoss(t, file, &wrappers[w], lines[n:], known, fmt.Sprintf("without the first %d lines", n))
				lost := append(append([]string{}, lines[:n-1]...), lines[n:]...)
				checkLoss(t, file, &wrappers[w], lost, known, fmt.Sprintf("without line %d", n))
			}
		}
	}
	t.Logf("%d losses", tried)
	if tried < 1000 {
		t.Errorf("tried %d losses, want 1000 at least", tried)
	}
}

func checkLoss(t *testing.T, file string, w *wrapper, lines []string, known map[string]bool, what string) {
	t.Helper()
	plain := parseText(t, strings.Join(lines, "\n")+"\n").Summary().Complete
	l := parseText(t, w.wrap(lines))
	if l.Summary().Complete && !plain {
		t.Errorf("%s, %s: %s: complete in the wrapper and not without", w.name, file, what)
	}
	if !strings.HasPrefix(w.name, "renamed") {
		if is := wrong(l, known); is != "" {
			t.Errorf("%s, %s: %s: %s", w.name, file, what, is)
		}
	}
}

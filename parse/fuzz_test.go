package parse

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse/internal/logtext"
)

// realLogs returns the text of the corpus's logs up to a size.
func realLogs(tb testing.TB, largest int64) map[string]string {
	tb.Helper()
	logs := map[string]string{}
	root := filepath.FromSlash("../testdata/ptxas")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".log") {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > largest {
			return err
		}
		b, err := os.ReadFile(path)
		logs[path] = string(b)
		return err
	})
	if err != nil || len(logs) == 0 {
		tb.Fatalf("no logs under %s: %v", root, err)
	}
	return logs
}

// listedLog is a Log with its kernels listed, to be compared.
type listedLog struct {
	Kernels      []Kernel
	Compilations []Compilation
	Remarks      []Remark
	Faults       []Fault
}

// For the tests of the package's callers.
type ListedLog = listedLog

var Listed = listed

func listed(l *Log) *listedLog {
	list := &listedLog{Compilations: l.Compilations, Remarks: l.Remarks, Faults: l.Faults}
	for _, k := range l.Kernels() {
		list.Kernels = append(list.Kernels, k)
	}
	return list
}

// readWith reads text through r, line by line if asked, and returns the log
// and the raw lines with their classes.
func readWith(tb testing.TB, r io.Reader, lineByLine bool) (*listedLog, string) {
	tb.Helper()
	var raw strings.Builder
	log := &Log{}
	rd := newReader(r, log, "x.log", []Option{OnLine(func(line Line) { fmt.Fprintf(&raw, "%d%s", line.Class, line.Raw) })})
	rd.lineByLine = lineByLine
	rd.readAll()
	if rd.err != nil {
		tb.Fatal(rd.err)
	}
	return listed(log), raw.String()
}

// TestWholeRecords checks that records taken as a whole are what the lexer
// and the assembler make of them line by line.
func TestWholeRecords(t *testing.T) {
	for path, text := range realLogs(t, 1<<20) {
		for name, wrap := range map[string]func(string) string{
			"plain":  func(s string) string { return s },
			"crlf":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"time":   func(s string) string { return "12:00:07 " + strings.ReplaceAll(s, "\n", "\n12:00:07 ") },
			"colour": func(s string) string { return strings.ReplaceAll(s, "ptxas info", "\x1b[1mptxas\x1b[0m info") },
			"both":   func(s string) string { return strings.ReplaceAll(s, "\n", "\x1b[0m\r\n\x1b[36m") },
		} {
			whole, raw := readWith(t, strings.NewReader(wrap(text)), false)
			lines, rawLines := readWith(t, strings.NewReader(wrap(text)), true)
			if d := cmp.Diff(lines, whole); d != "" {
				t.Errorf("%s, %s: (-line by line +whole)\n%s", path, name, d)
			}
			if raw != rawLines {
				t.Errorf("%s, %s: OnLine differs", path, name)
			}
		}
	}
}

// pieces reads as a pipe does: a few bytes at a time.
type pieces struct {
	r    io.Reader
	next uint32
}

func (p *pieces) Read(b []byte) (int, error) {
	p.next = p.next*1664525 + 1013904223
	return p.r.Read(b[:min(len(b), 1+int(p.next>>24)%97)])
}

// statedNumbers lists every number of a log with what it is.
func statedNumbers(l *listedLog) map[string]int64 {
	all := map[string]int64{}
	for i := range l.Kernels {
		k := &l.Kernels[i]
		for _, c := range [...]Count{
			k.Registers, k.Barriers, k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes,
			k.CumulativeStackBytes, k.Textures, k.Surfaces, k.Samplers,
		} {
			if n, ok := c.Value(); ok {
				all[fmt.Sprintf("a number of %q", k.Name)+strconv.FormatInt(n, 10)] = n
			}
		}
		for _, bytes := range k.ConstBytes.All() {
			all[fmt.Sprintf("a bank of %q", k.Name)+strconv.FormatInt(bytes, 10)] = bytes
		}
	}
	return all
}

// digitsOf is a text without what can stand inside a number that a terminal
// or a web page broke, and without leading zeros.
func digitsOf(text string) string {
	var p logtext.Plainer
	var digits strings.Builder
	for line := range strings.Lines(text) { // as the reader does: what a line leaves open ends with it
		plain, _ := p.Text([]byte(line))
		digits.Write(plain)
	}
	return strings.NewReplacer("\n", "", "\r", "", "\x00", "", " ", "", "\t", "").Replace(digits.String())
}

// FuzzRead feeds any bytes to the reader. It must not panic; reading in
// pieces and reading as a whole agree; places never go back; raw lines come
// through whole; and no number or name is stated that the text does not have.
func FuzzRead(f *testing.F) {
	for _, text := range realLogs(f, 2500) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, raw := readWith(t, bytes.NewReader(text), false)
		lines, rawLines := readWith(t, &pieces{r: bytes.NewReader(text)}, true)
		if d := cmp.Diff(lines, whole); d != "" {
			t.Fatalf("(-in pieces +whole)\n%s", d)
		}
		if raw != rawLines {
			t.Fatal("OnLine differs between reading in pieces and whole")
		}
		checkPlaces(t, whole)
		if len(text) > 1 && (text[0] == 0 || text[1] == 0 || text[0] >= 0xfe || text[0] == 0x1f || text[0] == 0xef) {
			return // another encoding: the text is not in the bytes
		}
		digits := digitsOf(string(text))
		for what, n := range statedNumbers(whole) {
			if !strings.Contains(digits, strconv.FormatInt(n, 10)) {
				t.Fatalf("%s is stated as %d, which is not in the text", what, n)
			}
		}
		var pieces []string
		for line := range strings.Lines(string(text)) {
			pieces = append(pieces, digitsOf(line))
		}
		for i := range whole.Kernels {
			name := digitsOf(whole.Kernels[i].Name)
			if !strings.Contains(digits, name) && !inPieces(pieces, name) {
				t.Fatalf("the name %q is not in the text", whole.Kernels[i].Name)
			}
		}
	})
}

// inPieces reports whether name stands in lines, broken over lines that follow
// each other: what each line but the last ends with, and what a later line has
// behind its wrapper.
func inPieces(lines []string, name string) bool {
	for i, line := range lines {
		if strings.Contains(line, name) {
			return true
		}
		for n := 1; n < len(name) && i+1 < len(lines); n++ {
			if strings.HasSuffix(line, name[:n]) && inPieces(lines[i+1:i+2], name[n:]) {
				return true
			}
		}
	}
	return false
}

func checkPlaces(t *testing.T, l *listedLog) {
	t.Helper()
	line := 0
	for i := range l.Kernels {
		if n := l.Kernels[i].Place.Line; n < line {
			t.Fatalf("kernel %d is at line %d, the one before at %d", i, n, line)
		} else {
			line = n
		}
	}
	line = 0
	for i := range l.Remarks {
		if n := l.Remarks[i].Place.Line; n < line {
			t.Fatalf("remark %d is at line %d, the one before at %d", i, n, line)
		} else {
			line = n
		}
	}
	for i := range l.Kernels {
		if c := l.Kernels[i].Compilation; c < -1 || c >= len(l.Compilations) {
			t.Fatalf("kernel %d is of compilation %d of %d", i, c, len(l.Compilations))
		}
	}
}

// FuzzWrap puts any text in front of every line of a real log, as a wrapper
// does. The log reads the same, unless that text is more than a wrapper's.
func FuzzWrap(f *testing.F) {
	for _, p := range []string{
		"", "1>", "1>  ", "  ", "\t", "// ", " * ", "    419 ", "2025-11-02T10:20:30.1234567Z ", "#12 34.56 ",
		"service-12.8  |     ", "(EngineCore_0 pid=9492) ", "\x1b[36m", "\r", "[ 40%] ",
	} {
		f.Add(p)
	}
	log, err := os.ReadFile(filepath.FromSlash("../testdata/ptxas/linked/cloned-callee-11.8.log"))
	if err != nil {
		f.Fatal(err)
	}
	want, _ := readWith(f, bytes.NewReader(log), true)
	f.Fuzz(func(t *testing.T, prefix string) {
		if !isWrapper(prefix) {
			return
		}
		text := prefix + strings.ReplaceAll(strings.TrimSuffix(string(log), "\n"), "\n", "\n"+prefix) + "\n"
		got, _ := readWith(t, strings.NewReader(text), false)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("behind %q the log reads otherwise (-plain +wrapped)\n%s", prefix, d)
		}
	})
}

// isWrapper reports text that a wrapper can put in front of a line: one line
// that ends where a word can begin, and that is no message, escape or entity
// itself.
func isWrapper(p string) bool {
	if p == "" {
		return true
	}
	if strings.ContainsAny(p, "\n\x1b&<\x00") || strings.Contains(p, "CategoryInfo") {
		return false
	}
	for _, word := range []string{"ptxas", "nvlink", "nvcc", "info", "warn", "error", "fatal", "bytes", "***", "FAILED", "Function", "REG:", "GLOBAL", "arch"} {
		if strings.Contains(p, word) {
			return false
		}
	}
	for _, c := range []byte(p) {
		if c >= 0x7f || c < ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	last := p[len(p)-1]
	return last == ' ' || last == '\t' || last == '>' || last == '|' || last == '\r'
}

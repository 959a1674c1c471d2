package parse_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// TestTornLogs reads what several jobs of ptxas wrote under a C library that
// tears messages. No record without a defect says anything that the units' own
// logs don't, no name is pieced together from two, and most records of the
// quick build are whole.
func TestTornLogs(t *testing.T) {
	read := func(name string) (*parse.Log, string) {
		text, err := os.ReadFile(filepath.Join("testdata", "torn", name))
		if err != nil {
			t.Fatal(err)
		}
		return parseText(t, string(text)), string(text)
	}
	apart, _ := read("apart.log")
	truth, names := map[string]bool{}, map[string]bool{}
	for _, k := range apart.Kernels() {
		names[k.Name] = true
		// Whose a function is, and for what it was compiled, is not certain in a mix.
		k.Parent = ""
		truth[numbersOf(&k)] = true
		if k.Kind == parse.Function {
			c := *k.Class
			c.Arch = ""
			k.Class = &c
			truth[numbersOf(&k)] = true
		}
	}
	for _, test := range []struct {
		log         string
		torn, whole int // at least so many torn messages, and records without a defect
	}{
		{"quick.log", 2, 114},
		{"delayed.log", 60, 27},
	} {
		log, text := read(test.log)
		torn := 0
		for line := range strings.Lines(text) {
			if strings.LastIndex(line, "ptxas info    : ") > 0 {
				torn++
			}
		}
		whole := 0
		for _, k := range log.Kernels() {
			k.Parent = ""
			switch {
			case k.Name != "" && !names[k.Name]:
				t.Errorf("%s: the name %q is in no unit's log", test.log, k.Name)
			case k.Defect != 0:
			case !truth[numbersOf(&k)]:
				t.Errorf("%s: no unit's log states %s", test.log, numbersOf(&k))
			default:
				whole++
			}
		}
		if torn < test.torn || whole < test.whole {
			t.Errorf("%s: %d torn messages and %d whole records, want %d and %d", test.log, torn, whole, test.torn, test.whole)
		}
	}
}

// TestTornMessages has tears one by one: what is certain is joined, what is not
// is marked, and nothing else is.
func TestTornMessages(t *testing.T) {
	// A Compiling line is 42 bytes, its name and 12 more, so a name of 90 bytes
	// is torn behind its 86th: 128 - 42.
	name := "_Z90" + strings.Repeat("a", 82) + "tail"
	head := "ptxas info    : Compiling entry function '" + name[:86]
	if len(head) != 128 {
		t.Fatalf("the head is %d bytes", len(head))
	}
	const other = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'b' for 'sm_80'\n" +
		"ptxas info    : Function properties for b\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
		"ptxas info    : Used 8 registers\n"
	end := "ptxas info    : Function properties for " + name + "\n    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n" +
		"ptxas info    : Used 30 registers, 16 bytes cumulative stack size\n"
	got := render(parseText(t, "ptxas info    : 0 bytes gmem\n"+head+other+name[86:]+"' for 'sm_80'\n"+end))
	for _, want := range []string{
		"entry b for sm_80 ptxas regs=8 stack=0 stores=0 loads=0\n",
		"entry " + name + " for sm_80 ptxas regs=30 stack=16 stores=8 loads=4 cumulative=16\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "fault") {
		t.Errorf("nothing of it is uncertain:\n%s", got)
	}
}

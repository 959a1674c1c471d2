package parse_test

import (
	"strings"
	"testing"
)

// TestUnknownCompilations: two modules have a static kernel of one name each, in
// a log where two jobs overlapped. Whose compilation a record is of is not known
// then, so their numbers contradict nothing.
func TestUnknownCompilations(t *testing.T) {
	const module = "ptxas info    : 0 bytes gmem\n"
	entry := func(name string) string {
		return "ptxas info    : Compiling entry function '" + name + "' for 'sm_80'\n"
	}
	rest := func(name, used string) string {
		return "ptxas info    : Function properties for " + name +
			"\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used " + used + " registers, 360 bytes cmem[0]\n"
	}
	overlap := module + entry("x") + module + entry("y") + rest("x", "10") + rest("y", "12")
	got := render(parseText(t, overlap+module+entry("k")+rest("k", "10")+module+entry("k")+rest("k", "20")))
	if strings.Contains(got, "fault") || !strings.Contains(got, "entry k for sm_80 ptxas regs=10") || !strings.Contains(got, "entry k for sm_80 ptxas regs=20") {
		t.Errorf("want both kernels, and no fault:\n%s", got)
	}
}

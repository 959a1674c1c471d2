package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/term"
)

func TestTable(t *testing.T) {
	table := &Table{
		Columns: []Column{{Title: "kernel", Key: "kernel", Flex: true}, {Title: "regs", Key: "registers", Right: true}, {Title: "note", Key: "note"}},
		Rows:    [][]string{{"lin::sgemm<float, 32>", "64", "=1+1"}, {"名前", "8", absent}},
	}
	var b bytes.Buffer
	if err := table.WriteText(&b, term.Plain()); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"kernel                 regs  note\n" +
		"lin::sgemm<float, 32>    64  =1+1\n" +
		"名前                      8  -\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	b.Reset()
	if err := table.WriteText(&b, &term.Style{Unicode: true, Width: 26}); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if term.Width(line) > 26 {
			t.Errorf("%d columns: %q", term.Width(line), line)
		}
	}
	if table.Fits(&term.Style{Width: 26}) || !table.Fits(&term.Style{Width: 40}) {
		t.Error("Fits")
	}
	b.Reset()
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "kernel,registers,note\n\"lin::sgemm<float, 32>\",64,'=1+1\n名前,8,-\n"; b.String() != want {
		t.Errorf("csv: %q", b.String())
	}
}

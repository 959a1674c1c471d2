package table

import (
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/term"
)

// Four kernels that differ in the middle, which a narrow terminal cuts.
func TestNamesStayDistinct(t *testing.T) {
	table := &Table{Columns: []Column{{Title: "kernel", Flex: true}, {Title: "registers", Right: true}}}
	for _, middle := range []string{"float", "double", "half", "double", "int8"} {
		table.Rows = append(table.Rows, []string{"blas::gemm_kernel<128, 64, " + middle + ", tensor_layout_row>", "64"})
	}
	table.Rows = append(table.Rows, []string{"tile", "8"})
	var b strings.Builder
	if err := table.WriteText(&b, &term.Style{Unicode: true, Width: 40}); err != nil {
		t.Fatal(err)
	}
	// 40 columns less the gap and the 9 of the numbers are 29, and a number
	// takes 3 of them: 13 in front of the ellipsis and 12 behind it.
	want := `kernel                         registers
blas::gemm_ke…_layout_row> #1         64
blas::gemm_ke…_layout_row> #2         64
blas::gemm_ke…_layout_row> #3         64
blas::gemm_ke…_layout_row> #2         64
blas::gemm_ke…_layout_row> #4         64
tile                                   8
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

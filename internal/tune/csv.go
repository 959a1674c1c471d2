package tune

import (
	"io"
	"strconv"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
)

// WriteCSV writes one row for each variant of each kernel. An empty cell is
// what is not known.
func (f *File) WriteCSV(w io.Writer) error {
	t := &table.Table{}
	for _, key := range []string{
		"kernel", "arch", "variant", "threads", "cap", "registers", "stack_bytes", "spill_store_bytes", "spill_load_bytes", "loop_spill_bytes", "shared_bytes", "barriers",
		"blocks", "warps", "percent", "limiters", "today", "frontier", "same_as", "time_ms", "time_min_ms", "time_max_ms", "error",
	} {
		t.Columns = append(t.Columns, table.Column{Key: key})
	}
	for i := range f.Kernels {
		k := &f.Kernels[i]
		for j := range k.Rows {
			t.Rows = append(t.Rows, k.Rows[j].csv(k))
		}
	}
	return t.WriteCSV(w)
}

func (r *FileRow) csv(k *FileKernel) []string {
	row := []string{name.Escape(k.Name), name.Escape(k.Arch), name.Escape(r.Variant), strconv.Itoa(r.Threads), strconv.Itoa(r.Cap)}
	for _, n := range []*int{r.Registers, r.StackBytes, r.SpillStoreBytes, r.SpillLoadBytes, r.LoopSpillBytes, r.SharedBytes, r.Barriers, r.Blocks, r.Warps} {
		row = append(row, optional(n))
	}
	percent := ""
	if r.Percent != nil {
		percent = decimal(*r.Percent)
	}
	row = append(row, percent, r.limitedBy(), flag(r.Today), flag(r.Frontier), name.Escape(text(r.SameAs)))
	if t := r.TimeMillis; t != nil {
		row = append(row, decimal(t.Median), decimal(t.Min), decimal(t.Max))
	} else {
		row = append(row, "", "", "")
	}
	return append(row, name.Escape(text(r.Error)))
}

func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return ""
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

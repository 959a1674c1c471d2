package report

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/parse"
)

// showTable makes the cells for people. The compact form, for a narrow
// terminal, leaves out how many blocks of how many threads an occupancy is.
func (in *Input) showTable(rows []row, compact bool) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "kernel", Flex: true}, {Title: "arch"}, {Title: "registers", Right: true},
		{Title: "spills", Right: true}, {Title: "stack", Right: true}, {Title: "shared", Right: true},
		{Title: "barriers", Right: true}, {Title: "occupancy", Right: true}, {Title: "limited by"},
	}}
	if compact {
		t.Columns[2].Title, t.Columns[6].Title, t.Columns[7].Title, t.Columns[8].Title = "regs", "bar", "occ", "limit"
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, in.showRow(&r, compact))
	}
	return t
}

func (in *Input) showRow(r *row, compact bool) []string {
	k := r.kernel
	name := in.shortName(k.Name)
	if k.Variant != "" {
		name += " [" + escaped(k.Variant) + "]"
	}
	if k.Kind == parse.Function {
		name = "  " + name
		if k.Parent != "" {
			name += " in " + in.shortName(k.Parent)
		}
	}
	spilled, occupancy, limit := spillCell(&k), absent, absent
	if o := r.occupancy; o != nil {
		occupancy, limit = percent(o.Percent()), o.Limiters.String()
		if !compact {
			occupancy += fmt.Sprintf(", %d × %d", o.Blocks, r.threads)
		}
	}
	if compact {
		spilled = strings.ReplaceAll(spilled, " ", "")
	}
	if d := r.record.Defect; d != 0 {
		name, limit = "! "+name, "! "+d.String()
	}
	return []string{name, orAbsent(escaped(k.Arch)), k.Registers.String(), spilled,
		k.StackBytes.String(), zeroWhere(&k, k.SharedBytes), k.Barriers.String(), occupancy, limit}
}

func (in *Input) showTableCSV(rows []row) *table.Table {
	t := &table.Table{}
	for _, key := range []string{"kernel", "demangled", "kind", "parent", "arch", "stage", "registers",
		"spill_store_bytes", "spill_load_bytes", "stack_bytes", "shared_bytes", "barriers", "threads",
		"blocks_per_sm", "occupancy_percent", "limiters", "compile_ms", "defects", "file", "line"} {
		t.Columns = append(t.Columns, table.Column{Title: key, Key: key})
	}
	for _, r := range rows {
		k := r.kernel
		threads, blocks, pct, limiters := absent, absent, absent, absent
		if o := r.occupancy; o != nil {
			threads, blocks, pct = itoa(r.threads), itoa(o.Blocks), number(o.Percent())
			limiters = strings.Join(o.Limiters.Names(), " ")
		}
		ms := absent
		if us, ok := k.CompileMicros.Value(); ok {
			ms = fmt.Sprintf("%d.%03d", us/1000, us%1000)
		}
		demangled := ""
		if k.Name != "" {
			demangled = in.demangled(k.Name)
		}
		t.Rows = append(t.Rows, []string{escaped(k.Name), escaped(demangled), k.Kind.String(), escaped(k.Parent),
			escaped(k.Arch), k.Stage.String(), k.Registers.String(), k.SpillStoreBytes.String(), k.SpillLoadBytes.String(),
			k.StackBytes.String(), zeroWhere(&k, k.SharedBytes), k.Barriers.String(), threads, blocks, pct, limiters, ms,
			strings.ReplaceAll(r.record.Defect.String(), ",", " "), escaped(r.record.Place.File), itoa(r.record.Place.Line)})
	}
	return t
}

// spillCell shows bytes of stores and loads: "196 + 228".
func spillCell(k *parse.Kernel) string {
	st, stated := k.SpillStoreBytes.Value()
	ld, both := k.SpillLoadBytes.Value()
	switch {
	case !stated || !both:
		return absent
	case st == 0 && ld == 0:
		return "0"
	}
	return fmt.Sprintf("%d + %d", st, ld)
}

// absent marks a number that the log does not state.
const absent = "-"

// zeroWhere shows a size that a whole Used line leaves out when it is 0.
func zeroWhere(k *parse.Kernel, c parse.Count) string {
	if !c.Stated() && k.Registers.Stated() && k.Defect == 0 {
		return "0"
	}
	return c.String()
}

func orAbsent(s string) string {
	if s == "" {
		return absent
	}
	return s
}

package calc

import (
	"errors"
	"io"
	"strconv"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
)

// ErrOneTable says that a CSV file holds one table.
var ErrOneTable = errors.New("CSV has room for one table: ask for one sweep alone, for the block sizes alone, or for neither, " +
	"with launch bounds, bytes in flight and a grid")

// WriteCSV writes one table: the sweep's points if one sweep was asked for,
// the block sizes if those were, else one row for each answer. It is
// ErrOneTable where that leaves out anything that was asked.
func WriteCSV(w io.Writer, answers []Answer) error {
	if len(answers) == 0 {
		return nil
	}
	first := &answers[0]
	switch {
	case len(first.Sweeps) > 1, len(first.Sweeps) == 1 && first.Suggest != nil,
		(len(first.Sweeps) == 1 || first.Suggest != nil) && (first.Bounds != nil || first.Memory != nil):
		return ErrOneTable
	case len(first.Sweeps) == 1:
		return csvOf(answers, func(a *Answer) *table.Table { return sweepCSV(&a.Sweeps[0]) }).WriteCSV(w)
	case first.Suggest != nil:
		return csvOf(answers, func(a *Answer) *table.Table { return suggestTable(a.Suggest) }).WriteCSV(w)
	}
	return csvAnswers(answers).WriteCSV(w)
}

// csvOf joins one table of each answer, with the subject before each row.
func csvOf(answers []Answer, of func(*Answer) *table.Table) *table.Table {
	out := &table.Table{}
	for i := range answers {
		a := &answers[i]
		t := of(a)
		if i == 0 {
			out.Columns = append([]table.Column{{Key: "kernel"}, {Key: "arch"}}, t.Columns...)
		}
		for _, row := range t.Rows {
			out.Rows = append(out.Rows, append([]string{name.Escape(a.Kernel), a.Arch}, row...))
		}
	}
	return out
}

func sweepCSV(s *Sweep) *table.Table {
	t := sweepTable(s)
	for i := range t.Rows {
		// A flag instead of the mark for people.
		last := len(t.Rows[i]) - 1
		if t.Rows[i][last] != "" {
			t.Rows[i][last] = "1"
		}
	}
	t.Columns = append([]table.Column{{Key: "of"}}, t.Columns...)
	for i := range t.Rows {
		t.Rows[i] = append([]string{SweepName(s.Of)}, t.Rows[i]...)
	}
	return t
}

func csvAnswers(answers []Answer) *table.Table {
	t := &table.Table{}
	for _, key := range []string{
		"kernel", "arch", "threads", "registers", "shared_bytes", "barriers", "blocks", "warps", "warp_slots", "percent", "limiters",
		"limit_warps", "limit_blocks", "limit_registers", "limit_shared", "limit_barriers", "registers_per_block", "shared_bytes_per_block",
		"registers_fewer", "registers_gain_to_blocks", "registers_free", "shared_bytes_fewer", "shared_gain_to_blocks", "shared_bytes_free",
		"register_cap", "bounds_honoured", "needed_bytes_per_sm", "bytes_per_sm", "waves", "idle_percent",
	} {
		t.Columns = append(t.Columns, table.Column{Key: key})
	}
	for i := range answers {
		t.Rows = append(t.Rows, csvRow(&answers[i]))
	}
	return t
}

// csvRow leaves what was not asked for empty; "-" is a limit or number that
// does not apply.
func csvRow(a *Answer) []string {
	l := &a.Launch
	registers := l.Registers
	if registers <= 0 {
		registers = arch.Unknown
	}
	row := []string{
		name.Escape(a.Kernel), a.Arch, strconv.Itoa(l.Threads), number(registers), strconv.Itoa(l.SharedBytes), number(max(l.Barriers, arch.Unknown)),
		strconv.Itoa(a.Blocks), strconv.Itoa(a.Warps), strconv.Itoa(a.WarpSlots), percent(a.Percent()), a.Limiters.String(),
	}
	for r := range arch.AllResources() {
		row = append(row, number(a.Limits[r]))
	}
	row = append(row, number(a.registersPerBlock()), strconv.Itoa(a.SharedBytesPerBlock))
	for _, of := range []arch.Resource{arch.Registers, arch.Shared} {
		row = append(row, stepCells(a, of)...)
	}
	bounds, memory := []string{"", ""}, []string{"", "", "", ""}
	if b := a.Bounds; b != nil {
		bounds = []string{strconv.Itoa(b.Registers), strconv.FormatBool(b.Honoured)}
	}
	if m := a.Memory; m != nil && m.Flight != nil {
		memory[0], memory[1] = decimals(m.Flight.Need), decimals(m.Flight.Have)
	}
	if m := a.Memory; m != nil && m.Waves != nil {
		memory[2], memory[3] = strconv.FormatInt(m.Waves.Count(), 10), percent(m.Waves.IdlePercent())
	}
	return append(append(row, bounds...), memory...)
}

func stepCells(a *Answer, of arch.Resource) []string {
	for _, s := range a.Steps {
		if s.Resource == of {
			return []string{strconv.Itoa(s.Fewer), strconv.Itoa(s.GainTo), strconv.Itoa(s.Free)}
		}
	}
	return []string{"-", "-", "-"}
}

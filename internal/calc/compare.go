package calc

import (
	"fmt"
	"strconv"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
)

// comparison is the table of several answers: what differs between them, and
// the limits.
func comparison(answers []Answer) *table.Table {
	kernels := false
	for i := range answers {
		kernels = kernels || answers[i].Kernel != ""
	}
	t := &table.Table{}
	right := func(title, key string) {
		t.Columns = append(t.Columns, table.Column{Title: title, Key: key, Right: true})
	}
	if kernels {
		t.Columns = append(t.Columns, table.Column{Title: "kernel", Key: "kernel", Flex: true})
	}
	t.Columns = append(t.Columns, table.Column{Title: "arch", Key: "arch"})
	right("threads", "threads")
	right("regs", "registers")
	right("shared", "shared_bytes")
	right("barriers", "barriers")
	right("blocks", "blocks")
	right("warps", "warps")
	right("%", "percent")
	t.Columns = append(t.Columns, table.Column{Title: "limited by", Key: "limiters"})
	for r := range arch.AllResources() {
		right("by "+r.String(), "limit_"+r.String())
	}
	t.Columns = append(t.Columns, table.Column{Title: "registers: fewer/free", Key: "register_steps"})
	for i := range answers {
		t.Rows = append(t.Rows, comparisonRow(&answers[i], kernels))
	}
	return t
}

func comparisonRow(a *Answer, kernels bool) []string {
	var row []string
	if kernels {
		row = append(row, name.Escape(name.Qualified(a.Kernel)))
	}
	l := &a.Launch
	registers := "-"
	if l.Registers > 0 {
		registers = strconv.Itoa(l.Registers)
	}
	row = append(row, a.Arch, strconv.Itoa(l.Threads), registers, strconv.Itoa(l.SharedBytes), number(max(l.Barriers, arch.Unknown)),
		strconv.Itoa(a.Blocks), fmt.Sprintf("%d/%d", a.Warps, a.WarpSlots), percent(a.Percent()), a.Limiters.String())
	for r := range arch.AllResources() {
		row = append(row, number(a.Limits[r]))
	}
	return append(row, shortStep(a))
}

// shortStep is the register step in a cell: "-8 (8 blocks) / +0".
func shortStep(a *Answer) string {
	for _, s := range a.Steps {
		if s.Resource != arch.Registers {
			continue
		}
		down := "-"
		if s.Fewer > 0 {
			down = fmt.Sprintf("-%d (%s)", s.Fewer, plural(s.GainTo, "block"))
		}
		return fmt.Sprintf("%s / +%d", down, s.Free)
	}
	return "-"
}

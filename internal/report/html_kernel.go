package report

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// target is the occupancy that is declared, in percent: by a minimum of blocks
// at the declared block size, or by a minimum of occupancy; 0 for none.
func target(sm *arch.SM, j *rules.Judgement) float64 {
	if j.Declared == nil {
		return 0
	}
	percent := 0.0
	if b := j.Declared.LaunchBounds; b.Set && b.Value.MinBlocks > 0 {
		percent = min(100, 100*float64(b.Value.MinBlocks*arch.WarpsPerBlock(b.Value.Threads))/float64(sm.WarpSlots))
	}
	if m := j.Declared.MinOccupancy; m.Set {
		percent = max(percent, m.Value)
	}
	return round1(percent)
}

// limitRows says for each resource what one block takes, what the SM has and
// how many blocks fit.
func limitRows(sm *arch.SM, l arch.Launch, o *arch.Occupancy) [][5]any {
	var rows [][5]any
	for r := range arch.AllResources() {
		limit := o.Limits[r]
		if limit == arch.Unknown {
			continue
		}
		var takes, has string
		switch r {
		case arch.Warps:
			takes, has = plural(o.WarpsPerBlock, "warp"), plural(sm.WarpSlots, "warp")
		case arch.Blocks:
			takes, has = "1 block", plural(sm.BlockSlots, "block")
		case arch.Registers:
			takes, has = plural(o.RegistersPerBlock, "register"), plural(sm.Registers, "register")
		case arch.Shared:
			takes, has = plural(o.SharedBytesPerBlock, "byte"), plural(sm.SharedBytes, "byte")
		case arch.Barriers:
			takes, has = plural(l.Barriers, "barrier"), plural(sm.Barriers, "barrier")
		}
		rows = append(rows, [5]any{r.String(), takes, has, itoa(limit), o.Limiters.Has(r)})
	}
	return rows
}

// declarations lists what is declared for a kernel and where.
func declarations(d *rules.Declaration) [][3]string {
	if d == nil {
		return nil
	}
	var rows [][3]string
	add := func(set bool, what, value string, o rules.Origin) {
		if set {
			rows = append(rows, [3]string{what, brief(value), originWords(o)})
		}
	}
	if b := d.LaunchBounds; b.Set {
		value := plural(b.Value.Threads, "thread")
		if b.Value.MinBlocks > 0 {
			value += ", at least " + plural(b.Value.MinBlocks, "block") + " per SM"
		}
		add(true, "launch bounds", value, b.Origin)
	}
	bytes := func(n int64) string { return fmt.Sprintf("%d bytes", n) }
	add(d.Block.Set, "block", plural(d.Block.Value, "thread"), d.Block.Origin)
	add(d.DynamicShared.Set, "dynamic shared memory", bytes(d.DynamicShared.Value), d.DynamicShared.Origin)
	add(d.MaxRegisters.Set, "maxnreg", plural(d.MaxRegisters.Value, "register"), d.MaxRegisters.Origin)
	for _, b := range rules.Budgets() {
		f := b.Declared(d)
		value := b.Number(f.Value)
		switch {
		case b.Unit == "%":
			value = percent(f.Value)
		case b.Unit == "bytes" && !b.AtLeast:
			value += " bytes"
		}
		add(f.Set, b.Title, value, f.Origin)
	}
	add(d.Message.Set, "message", d.Message.Value, d.Message.Origin)
	return rows
}

func originWords(o rules.Origin) string {
	if p := place(o.Place); p != "" {
		return p
	}
	return string(o.From)
}

// declaredWords says what a finding's limit is and where it was declared;
// empty where there is none.
func declaredWords(o rules.Origin) string {
	switch {
	case o.From == "":
		return ""
	case o.Text == "":
		return "at " + originWords(o)
	}
	return brief(o.Text) + " at " + originWords(o)
}

// logLines rebuilds what the log says about a record, with its place.
func logLines(k *parse.Kernel) [][2]string {
	at := place(k.Place)
	var lines [][2]string
	if k.StackBytes.Stated() || k.SpillStoreBytes.Stated() {
		lines = append(lines, [2]string{at, fmt.Sprintf("%s bytes stack frame, %s bytes spill stores, %s bytes spill loads",
			k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes)})
	}
	if k.Registers.Stated() {
		lines = append(lines, [2]string{at, usedLine(k)})
	}
	return lines
}

// usedLine rebuilds what follows the tool's name in a Used line.
func usedLine(k *parse.Kernel) string {
	var b strings.Builder
	b.WriteString("Used " + k.Registers.String() + " registers")
	for _, f := range []struct {
		c           parse.Count
		before, end string
	}{
		{k.Barriers, ", used ", " barriers"}, {k.CumulativeStackBytes, ", ", " bytes cumulative stack size"},
		{k.SharedBytes, ", ", " bytes smem"}, {k.LocalBytes, ", ", " bytes lmem"}, {k.Textures, ", ", " textures"},
		{k.Surfaces, ", ", " surfaces"}, {k.Samplers, ", ", " samplers"},
	} {
		if f.c.Stated() {
			b.WriteString(f.before + f.c.String() + f.end)
		}
	}
	for bank, bytes := range k.ConstBytes.All() {
		fmt.Fprintf(&b, ", %d bytes cmem[%d]", bytes, bank)
	}
	return b.String()
}

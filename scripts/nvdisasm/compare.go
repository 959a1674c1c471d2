package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/code"
	"github.com/occlint/occlint/internal/where"
)

// file compares one cubin with the texts beside it.
func (t *tally) file(base string) error {
	sections, err := units(base + ".cubin")
	if err != nil {
		return err
	}
	g, err := open(base + ".g")
	if err != nil {
		return err
	}
	defer g.Close() //nolint:errcheck // nothing was written
	texts, err := listings(g)
	if err != nil {
		return err
	}
	var graphs []*flow
	if b, err := open(base + ".bbcfg"); err == nil {
		defer b.Close() //nolint:errcheck // nothing was written
		if graphs, err = flows(b); err != nil {
			return err
		}
	}
	owners := map[string]*listing{}
	for _, l := range texts {
		for name := range l.labels {
			owners[name] = l
		}
	}
	codes := map[string]*code.Code{}
	for _, u := range sections {
		l := texts[strings.TrimPrefix(u.Section, ".text.")]
		if l == nil {
			return fmt.Errorf("no listing of %s", u.Section)
		}
		c, err := code.Read(code.Section{SM: u.SM, Text: u.Text, Functions: u.Functions, Tables: u.Tables})
		if err != nil {
			return err
		}
		codes[l.section] = c
		t.functions += len(u.Functions)
		t.positions(base, l, c, u.SM)
		t.places(base, l, c, u)
	}
	if err := t.spills(base, sections); err != nil {
		return err
	}
	for _, f := range graphs {
		l := owners[f.name]
		if l == nil || codes[l.section] == nil {
			return fmt.Errorf("no section holds %s", f.name)
		}
		t.flow(base, f, l, codes[l.section])
	}
	return nil
}

// positions compares every instruction that matters.
func (t *tally) positions(base string, l *listing, c *code.Code, sm int) {
	fault := func(o uint32, format string, args ...any) {
		t.wrong++
		if t.wrong < 60 {
			fmt.Printf("  %s %s 0x%x: %s\n", base, l.section, o, fmt.Sprintf(format, args...))
		}
	}
	ours := map[uint32]code.Inst{}
	for _, i := range c.Insts {
		if i.Kind == code.StackRead {
			continue
		}
		ours[i.Offset] = i
		if _, ok := l.at[i.Offset]; !ok {
			fault(i.Offset, "%v where the listing has no instruction", i.Kind)
		}
	}
	for _, i := range l.insts {
		o, found := ours[i.offset]
		kind := i.kind(sm)
		if kind == code.Other {
			if found {
				fault(i.offset, "read as %v: %s %s", o.Kind, i.opcode, i.rest)
			}
			continue
		}
		if !found || o.Kind != kind {
			fault(i.offset, "%s %s read as %v", i.opcode, i.rest, o.Kind)
			continue
		}
		t.insts++
		if kind.Memory() {
			b, d := i.address()
			if o.Base != b || o.Disp != d || o.Uniform != strings.Contains(i.rest, "UR") || o.Bytes != i.bytes() {
				fault(i.offset, "%s %s read as R%d%+d, %d bytes", i.opcode, i.rest, o.Base, o.Disp, o.Bytes)
			}
		}
		if to, ok := l.target(i); ok && kind != code.IndirectCall && kind != code.Return && kind != code.IndirectBranch && kind != code.WarpSync && kind != code.Jump {
			t.targets++
			if o.Target != to && (c.Width != 8 || o.Target+8 != to) {
				fault(i.offset, "%s %s (0x%x) read as 0x%x", i.opcode, i.rest, to, o.Target)
			}
		}
	}
}

// places compares the line of every local access; of text with inlined calls
// (-gi) that of every instruction, with its chain.
func (t *tally) places(base string, l *listing, c *code.Code, u *where.Unit) {
	chains := slices.ContainsFunc(l.insts, func(i line) bool { return len(i.inlined) > 0 })
	access := map[uint32]bool{}
	for _, i := range c.Insts {
		access[i.Offset] = i.Kind.Memory()
	}
	for _, want := range l.insts {
		if !chains && !access[want.offset] {
			continue
		}
		i := code.Inst{Offset: want.offset}
		got, calls, known := u.Lines.At(u.Section, uint64(i.Offset))
		if !known && want.file == "" {
			continue
		}
		t.lines++
		same := got.Line == want.line && path.Clean(got.File) == path.Clean(want.file)
		if len(want.inlined) > 0 {
			same = same && len(calls) == len(want.inlined)
			for n := range min(len(calls), len(want.inlined)) {
				same = same && path.Clean(want.inlined[n]) == fmt.Sprintf("%s:%d", calls[n].From.File, calls[n].From.Line)
			}
		}
		if !same {
			t.wrong++
			if t.wrong < 60 {
				fmt.Printf("  %s %s 0x%x: line %v %v, nvdisasm says %s:%d %v\n", base, l.section, i.Offset, got, calls, want.file, want.line, want.inlined)
			}
		}
	}
}

// flow compares the depth of every instruction of a function.
func (t *tally) flow(base string, f *flow, _ *listing, c *code.Code) {
	theirs := f.depths()
	first := true
	for _, o := range sortedOffsets(theirs) {
		t.depths++
		d := c.Depth(o)
		if d.Known && d.Depth == theirs[o] {
			continue
		}
		t.deeper++
		if first {
			fmt.Printf("  %s %s 0x%x: depth %d (known: %v), nvdisasm draws %d\n", base, f.name, o, d.Depth, d.Known, theirs[o])
			first = false
		}
	}
}

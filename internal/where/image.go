package where

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/code"
	"github.com/occlint/occlint/internal/lines"
)

// Units takes the text sections out of an image. file is the binary's name in
// reports. The error is of the line table alone: the units are whole without it.
func Units(f *cubin.File, file string) ([]*Unit, error) {
	table, err := lineTable(f)
	var units []*Unit
	for first := 0; first < len(f.Functions); {
		end := first + 1
		for end < len(f.Functions) && f.Functions[end].Section == f.Functions[first].Section {
			end++
		}
		if u := newUnit(f, f.Functions[first:end]); u != nil {
			u.File, u.Lines = file, table
			units = append(units, u)
		}
		first = end
	}
	return units, err
}

// newUnit takes one section, with the functions in it by offset; nil where it
// holds no code.
func newUnit(f *cubin.File, functions []cubin.Function) *Unit {
	section := &f.Sections[functions[0].Section]
	owner := &functions[0]
	for i := range functions {
		if functions[i].Entry {
			owner = &functions[i]
			break
		}
	}
	if len(section.Data) == 0 || len(section.Data) > math.MaxInt32 {
		return nil
	}
	u := &Unit{
		Arch: f.Arch, SM: f.SM, Kernel: owner.Name, Entry: owner.Entry, Toolkit: f.Toolkit, Unlinked: f.Relocatable,
		Text: section.Data, Listed: f.ABI >= 8 && !f.Debug, Debug: f.Debug, Proven: proven(f), Section: section.Name,
	}
	for i := range functions {
		fn := &functions[i]
		if fn.Offset < uint64(len(section.Data)) {
			u.Functions = append(u.Functions, code.Function{
				Name: fn.Name, Start: uint32(fn.Offset), End: uint32(min(fn.Offset+fn.Size, uint64(len(section.Data)))), Entry: fn.Entry,
			})
		}
	}
	for s := range f.Spills(owner) {
		if s.Offset < uint64(len(section.Data)) {
			u.Spills = append(u.Spills, uint32(s.Offset))
		}
	}
	if owner.Info > 0 && owner.Info < len(f.Sections) {
		for a := range f.Sections[owner.Info].Attributes() {
			if a.Code == cubin.CodeBranchTables {
				u.Tables = append(u.Tables, branchTables(a.Payload)...)
			}
		}
	}
	return u
}

// branchTables reads {offset u32, u16, u16, n u32, n targets u32} records.
func branchTables(b []byte) []code.Table {
	word := func(at int) uint32 {
		return uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 | uint32(b[at+3])<<24
	}
	var tables []code.Table
	for len(b) >= 12 {
		t := code.Table{At: word(0)}
		n := int64(word(8))
		b = b[12:]
		if n > int64(len(b)/4) {
			return tables
		}
		for range n {
			t.Targets = append(t.Targets, word(0))
			b = b[4:]
		}
		tables = append(tables, t)
	}
	return tables
}

// proven reports whether telling spills without a list was compared with the
// logs of this compiler: it was for CUDA 11.8 and 12.4, and for code of 12.2
// and between. Later ones mark no last uses.
func proven(f *cubin.File) bool {
	major, minor, _ := strings.Cut(f.Toolkit, ".")
	a, err := strconv.Atoi(major)
	if err != nil {
		return false
	}
	b, _ := strconv.Atoi(minor)
	return a == 11 && b >= 8 || a == 12 && b <= 4
}

// lineTable reads the image's line table; nil where there is none.
func lineTable(f *cubin.File) (*lines.Table, error) {
	at := slices.IndexFunc(f.Sections, func(s cubin.Section) bool { return s.Name == ".debug_line" })
	if at < 0 || len(f.Sections[at].Data) == 0 {
		return nil, nil
	}
	in := lines.Input{Line: f.Sections[at].Data, Relocs: map[uint64]lines.Address{}}
	if s := f.SectionNamed(".debug_str"); s != nil {
		in.Strings = s.Data
	}
	for r := range f.Relocations(at) {
		if r.Symbol < 0 || r.Symbol >= len(f.Symbols) {
			continue
		}
		y := &f.Symbols[r.Symbol]
		if y.Section <= 0 || y.Section >= len(f.Sections) {
			continue
		}
		in.Relocs[r.Offset] = lines.Address{Section: f.Sections[y.Section].Name, Offset: y.Value + uint64(r.Addend)}
	}
	return lines.Read(in)
}

package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"strings"

	"github.com/occlint/occlint/internal/code"
	"github.com/occlint/occlint/internal/lines"
)

type text struct {
	name    string
	entry   bool
	section code.Section
	spills  []uint32
	listed  bool
	debug   bool
}

func table(f *elf.File, syms []elf.Symbol) (*lines.Table, error) {
	s := f.Section(".debug_line")
	if s == nil {
		return nil, nil
	}
	in := lines.Input{Relocs: map[uint64]lines.Address{}}
	in.Line, _ = s.Data()
	if d := f.Section(".debug_str"); d != nil {
		in.Strings, _ = d.Data()
	}
	for _, name := range []string{".rel.debug_line", ".rela.debug_line"} {
		r := f.Section(name)
		if r == nil {
			continue
		}
		d, _ := r.Data()
		le := binary.LittleEndian
		n := 16
		if r.Type == elf.SHT_RELA {
			n = 24
		}
		for ; len(d) >= n; d = d[n:] {
			y := syms[le.Uint64(d[8:])>>32-1]
			a := lines.Address{Offset: y.Value}
			if n == 24 {
				a.Offset += le.Uint64(d[16:])
			}
			if int(y.Section) < len(f.Sections) {
				a.Section = strings.TrimPrefix(f.Sections[y.Section].Name, ".text.")
			}
			in.Relocs[le.Uint64(d)] = a
		}
	}
	return lines.Read(in)
}

func sections(path string) ([]text, *lines.Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	copy(data[20:24], []byte{1, 0, 0, 0})
	flags := binary.LittleEndian.Uint32(data[48:])
	sm, abi := int(flags&0xff), data[8]
	if abi == 8 {
		sm = int(flags >> 8 & 0xff)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	syms, err := f.Symbols()
	if err != nil {
		return nil, nil, err
	}
	var all []text
	for n, s := range f.Sections {
		name, ok := strings.CutPrefix(s.Name, ".text.")
		if !ok || s.Type != elf.SHT_PROGBITS {
			continue
		}
		d, err := s.Data()
		if err != nil {
			return nil, nil, err
		}
		t := text{name: name, section: code.Section{SM: sm, Text: d}}
		for _, y := range syms {
			if int(y.Section) == n && elf.ST_TYPE(y.Info) == elf.STT_FUNC {
				t.entry = t.entry || y.Name == name && y.Other&0x10 != 0
				t.section.Functions = append(t.section.Functions, code.Function{Name: y.Name, Start: uint32(y.Value), End: uint32(y.Value + y.Size)})
			}
		}
		if i := f.Section(".nv.info." + name); i != nil {
			d, _ := i.Data()
			t.section.Tables, t.spills = attributes(d)
		}
		t.listed, t.debug = abi == 8, f.Section(".debug_info") != nil
		all = append(all, t)
	}
	t, err := table(f, syms)
	return all, t, err
}

func attributes(d []byte) (all []code.Table, spills []uint32) {
	le := binary.LittleEndian
	for len(d) >= 4 {
		format, attr, size := d[0], d[1], int(le.Uint16(d[2:]))
		d = d[4:]
		if format != 4 {
			continue
		}
		p := d[:size]
		d = d[size:]
		for n := 0; attr == 0x55 && n+8 <= len(p); n += 8 {
			spills = append(spills, le.Uint32(p[n+4:]))
		}
		for attr == 0x34 && len(p) >= 12 {
			t := code.Table{At: le.Uint32(p)}
			n := int(le.Uint32(p[8:]))
			p = p[12:]
			for range n {
				t.Targets = append(t.Targets, le.Uint32(p))
				p = p[4:]
			}
			all = append(all, t)
		}
	}
	return all, spills
}

package main

import (
	"os"
	"slices"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/parse"
)

// records reads logs and binaries.
func (p *profiler) records(args []string) ([]judge.Record, error) {
	var records []judge.Record
	var logs []string
	for _, arg := range args {
		image, err := p.image(arg)
		switch {
		case err != nil:
			return nil, err
		case image == nil:
			logs = append(logs, arg)
		default:
			records = append(records, imageRecords(image, arg)...)
		}
	}
	if len(logs) == 0 {
		return records, nil
	}
	packed, err := p.readLogs(logs, forwardNone, p.root)
	if err != nil {
		return nil, err
	}
	return append(records, logRecords(packed.Log())...), nil
}

// image reads a cubin; nil for other files.
func (p *profiler) image(arg string) (*cubin.File, error) {
	info, err := os.Stat(p.path(arg))
	if err != nil || info.IsDir() {
		return nil, nil //nolint:nilerr // who reads it as a log says what is wrong
	}
	f, err := os.Open(p.path(arg))
	if err != nil {
		return nil, p.cannotOpen(arg, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	head := make([]byte, 64)
	if n, _ := f.Read(head); !cubin.IsImage(head[:n]) {
		return nil, nil
	}
	data, err := os.ReadFile(p.path(arg))
	if err != nil {
		return nil, p.cannotOpen(arg, err)
	}
	image, err := cubin.Parse(data)
	if image == nil {
		return nil, &exitError{exitUntrusted, err}
	}
	return image, nil
}

// imageRecords are the kernels of a device binary.
func imageRecords(f *cubin.File, file string) []judge.Record {
	var records []judge.Record
	for i := range f.Functions {
		k := &f.Functions[i]
		if !k.Entry {
			continue
		}
		records = append(records, judge.Record{
			Name: k.Name, Arch: f.Arch, Registers: numberOf(k.Registers), SharedBytes: numberOf(k.SharedBytes),
			// An image says nothing of barriers where there are none.
			Barriers: numberOf(k.Barriers), SpillStoreBytes: numberOf(k.SpillStoreBytes), SpillLoadBytes: numberOf(k.SpillLoadBytes),
			StackBytes: numberOf(k.StackBytes), Cap: capOf(k.RegisterCap), File: file, Binary: true,
		})
	}
	return records
}

func capOf(c parse.Count) int {
	if n := int(c.Or(0)); n < 255 {
		return n
	}
	return 0
}

func numberOf(c parse.Count) int {
	if n, ok := c.Value(); ok {
		return int(n)
	}
	return arch.Unknown
}

// logRecords are the kernels of a log. Of a kernel that was linked the
// linker's registers count, and the compiler's spills, which the linker
// doesn't print.
func logRecords(log *parse.Log) []judge.Record {
	spills := map[[2]string]*parse.Kernel{}
	for i := range log.Kernels {
		if k := &log.Kernels[i]; k.Stage == parse.StagePtxas && k.Kind != parse.Function {
			spills[[2]string{k.Name, k.Arch}] = k
		}
	}
	linked := map[[2]string]bool{}
	for i := range log.Kernels {
		if k := &log.Kernels[i]; k.Stage == parse.StageNvlink {
			linked[[2]string{k.Name, k.Arch}] = true
		}
	}
	var records []judge.Record
	for i := range log.Kernels {
		k := &log.Kernels[i]
		key := [2]string{k.Name, k.Arch}
		if k.Name == "" || k.Kind == parse.Function || k.Defect != 0 || k.Stage == parse.StagePtxas && linked[key] {
			continue
		}
		r := judge.Record{
			Name: k.Name, Arch: k.Arch, Registers: numberOf(k.Registers), SharedBytes: arch.Unknown, Linked: k.Stage == parse.StageNvlink,
			Barriers: numberOf(k.Barriers), SpillStoreBytes: numberOf(k.SpillStoreBytes), SpillLoadBytes: numberOf(k.SpillLoadBytes),
			StackBytes: numberOf(k.StackBytes), File: k.Place.File, Line: k.Place.Line,
		}
		if k.Registers.Stated() { // a whole Used line leaves out what is 0
			r.SharedBytes = int(k.SharedBytes.Or(0))
		}
		if c := spills[key]; c != nil && r.Linked {
			r.SpillStoreBytes, r.SpillLoadBytes, r.StackBytes = numberOf(c.SpillStoreBytes), numberOf(c.SpillLoadBytes), numberOf(c.StackBytes)
		}
		records = append(records, r)
	}
	return slices.Clip(records)
}

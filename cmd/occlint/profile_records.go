package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/parse"
)

// records reads logs and binaries.
func (p *profiler) records(args []string) ([]judge.Record, error) {
	var records []judge.Record
	var logs []string
	for _, arg := range args {
		own, known, err := p.binary(arg)
		switch {
		case err != nil:
			return nil, err
		case known:
			records = append(records, own...)
		default:
			logs = append(logs, arg)
		}
	}
	if len(logs) == 0 {
		return records, nil
	}
	log, err := p.readLogs(logs, forwardNone, p.root)
	if err != nil {
		return nil, err
	}
	return append(records, logRecords(log)...), nil
}

// binary reads the device code of a file, or of the files below a directory
// such as a cache of PyTorch's compiler; known is false for everything else.
func (p *profiler) binary(arg string) (records []judge.Record, known bool, err error) {
	root := p.path(arg)
	info, err := os.Stat(root)
	switch {
	case err != nil:
		return nil, false, nil //nolint:nilerr // who reads it as a log says what is wrong
	case !info.IsDir():
		return p.binaryFile(root, arg)
	}
	const most = 100_000 // files
	n := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if n++; err != nil || n > most {
			return fs.SkipAll
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		of, is, err := p.binaryFile(path, rootRelative(p.root, path, path))
		records, known = append(records, of...), known || is
		return err
	})
	return records, known, err
}

func (p *profiler) binaryFile(path, shown string) (records []judge.Record, known bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, false, p.cannotOpen(shown, err)
	}
	defer file.Close() //nolint:errcheck // nothing was written
	head := make([]byte, container.SniffLength)
	n, _ := io.ReadFull(file, head) // a short file is none
	switch container.Sniff(head[:n]) {
	case container.Unknown, container.Gzip, container.Zip, container.ThinArchive:
		return nil, false, nil
	default:
	}
	info, err := file.Stat()
	if err != nil {
		return nil, false, p.cannotOpen(shown, err)
	}
	found, faults, known := container.Read(file, info.Size(), func(e container.Entry, data []byte) []judge.Record {
		if e.Kind != container.Cubin {
			return nil
		}
		image, _ := cubin.Parse(data) // what could be read counts
		if image == nil {
			return nil
		}
		return imageRecords(image, memberName(shown, e.Member))
	})
	for _, f := range found {
		records = append(records, f.Value...)
	}
	for _, f := range faults {
		fmt.Fprintf(p.Stderr, "occlint: note: %s: %s\n", escapeLines(memberName(shown, f.Member)), escapeLines(f.Text))
	}
	return records, known, nil
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
	type key struct{ name, arch string }
	compiled, linked := map[key]*parse.Class{}, map[key]bool{}
	for _, k := range log.Kernels() {
		switch at := (key{k.Name, k.Arch}); {
		case k.Kind == parse.Function:
		case k.Stage == parse.StageNvlink:
			linked[at] = true
		case k.Stage == parse.StagePtxas:
			compiled[at] = k.Class
		}
	}
	var records []judge.Record
	for _, k := range log.Kernels() {
		at := key{k.Name, k.Arch}
		if k.Name == "" || k.Kind == parse.Function || k.Defect != 0 || k.Stage == parse.StagePtxas && linked[at] {
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
		if c := compiled[at]; c != nil && r.Linked {
			r.SpillStoreBytes, r.SpillLoadBytes, r.StackBytes = numberOf(c.SpillStoreBytes), numberOf(c.SpillLoadBytes), numberOf(c.StackBytes)
		}
		records = append(records, r)
	}
	return records
}

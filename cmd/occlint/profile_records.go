package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// records reads logs and binaries.
func (p *profiler) records(args []string) ([]judge.Record, error) {
	if len(args) == 0 {
		return nil, nil
	}
	log, err := p.readLogs(args, forwardNone, p.root)
	if err != nil {
		return nil, err
	}
	if !log.Summary().Complete {
		p.torn = !p.policy.partial
		fmt.Fprintf(p.Stderr, "occlint: note: what was given beside the report can't be trusted as a whole; occlint check %s says why\n", escapeLines(strings.Join(args, " ")))
	}
	return logRecords(log), nil
}

// otherArchs says that no record is of a device's architecture, where that is
// why nothing was joined.
func otherArchs(records []judge.Record, devices []string) string {
	var archs []string
	for i := range records {
		a := records[i].Arch
		if slices.Contains(devices, arch.Base(a)) {
			return ""
		}
		if !slices.Contains(archs, a) && len(archs) < 8 {
			archs = append(archs, a)
		}
	}
	if len(archs) == 0 || len(devices) == 0 {
		return ""
	}
	return fmt.Sprintf(" (the records are of %s, the report of %s)", escapeLines(strings.Join(archs, ", ")), escapeLines(strings.Join(devices, ", ")))
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

// calleeSpills are the bytes of spill stores and loads of the functions that
// were compiled for each kernel and architecture. Where several compilations
// have the kernel, those of the one with the most count: in a log of two builds
// which one ran is told by the registers, and that some spill is what matters.
func calleeSpills(log *parse.Log) map[[2]string][2]int {
	type unit struct {
		kernel      [2]string
		compilation int
	}
	sums, most := map[unit][2]int{}, map[[2]string][2]int{}
	for _, k := range log.Kernels() {
		if k.Kind != parse.Function || k.Parent == "" || k.Stage != parse.StagePtxas {
			continue
		}
		u := unit{[2]string{k.Parent, k.Arch}, k.Compilation}
		s := sums[u]
		s[0] += int(k.SpillStoreBytes.Or(0))
		s[1] += int(k.SpillLoadBytes.Or(0))
		sums[u] = s
		if m := most[u.kernel]; s[0]+s[1] > m[0]+m[1] {
			most[u.kernel] = s
		}
	}
	return most
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
	callees := calleeSpills(log)
	var records []judge.Record
	for _, k := range log.Kernels() {
		at := key{k.Name, k.Arch}
		if k.Name == "" || k.Kind == parse.Function || k.Defect != 0 || k.Stage == parse.StagePtxas && linked[at] {
			continue
		}
		r := judge.Record{
			Name: k.Name, Arch: k.Arch, Registers: numberOf(k.Registers), SharedBytes: arch.Unknown,
			Cap: capOf(k.RegisterCap), Binary: k.Stage == parse.StageBinary,
			Barriers: numberOf(k.Barriers), SpillStoreBytes: numberOf(k.SpillStoreBytes), SpillLoadBytes: numberOf(k.SpillLoadBytes),
			StackBytes: numberOf(k.StackBytes), File: k.Place.File, Line: k.Place.Line,
		}
		if k.Registers.Stated() { // a whole Used line leaves out what is 0
			r.SharedBytes = int(rules.StaticShared(k.Class, k.Arch))
		}
		s := callees[[2]string{k.Name, k.Arch}]
		r.CalleeStoreBytes, r.CalleeLoadBytes = s[0], s[1]
		if c := compiled[at]; c != nil && k.Stage == parse.StageNvlink {
			r.SpillStoreBytes, r.SpillLoadBytes, r.StackBytes = numberOf(c.SpillStoreBytes), numberOf(c.SpillLoadBytes), numberOf(c.StackBytes)
		}
		records = append(records, r)
	}
	return records
}

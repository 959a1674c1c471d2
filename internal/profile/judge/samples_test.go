package judge

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/parse"
)

// samples is the folder of reports; its README.md says where they come from.
const samples = "../../../testdata/profile"

func open(t testing.TB, name string) io.Reader {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return bytes.NewReader(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// recordsOf reads a log as the command does, for kernels that were not linked.
func recordsOf(t testing.TB, name string) []Record {
	t.Helper()
	if name == "" {
		return nil
	}
	var log parse.Log
	if err := log.Read(open(t, name), name); err != nil {
		t.Fatal(err)
	}
	var list []Record
	for _, k := range log.Kernels() {
		list = append(list, Record{
			Name: k.Name, Arch: k.Arch, Registers: int(k.Registers.Or(arch.Unknown)), SharedBytes: int(k.SharedBytes.Or(0)),
			Barriers: int(k.Barriers.Or(arch.Unknown)), SpillStoreBytes: int(k.SpillStoreBytes.Or(arch.Unknown)),
			SpillLoadBytes: int(k.SpillLoadBytes.Or(arch.Unknown)), StackBytes: int(k.StackBytes.Or(arch.Unknown)),
			File: k.Place.File, Line: k.Place.Line,
		})
	}
	if len(list) == 0 {
		t.Fatalf("%s has no kernels", name)
	}
	return list
}

// judged judges a sample, launch by launch, by their IDs or places.
func judged(t testing.TB, report, log string) *Result {
	t.Helper()
	j := New(recordsOf(t, log), Options{Table: arch.Builtin(), Thresholds: Defaults()})
	if _, err := profile.Read(open(t, report), report, j.Add, nil); err != nil {
		t.Fatal(err)
	}
	return j.Result()
}

// byID finds the entry of a launch.
func byID(t testing.TB, r *Result, id string) *Kernel {
	t.Helper()
	for i := range r.Kernels {
		for _, have := range r.Kernels[i].IDs {
			if have == id {
				return &r.Kernels[i]
			}
		}
	}
	t.Fatalf("no launch %s", id)
	return nil
}

// judgedLaunch makes the verdict of one made-up launch.
func judgedLaunch(t testing.TB, l *profile.Launch, records ...Record) Kernel {
	t.Helper()
	j := New(records, Options{Table: arch.Builtin(), Thresholds: Defaults()})
	if err := j.Add(l); err != nil {
		t.Fatal(err)
	}
	return j.Result().Kernels[0]
}

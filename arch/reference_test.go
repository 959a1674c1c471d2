package arch_test

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/occlint/occlint/arch"
)

// rows reads a CSV of testdata/occupancy as one map a row, with "line" added.
func rows(t testing.TB, file string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "occupancy", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	header, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		line, _ := r.FieldPos(0)
		row := map[string]string{"line": strconv.Itoa(line)}
		for i, name := range header {
			row[name] = record[i]
		}
		out = append(out, row)
	}
}

// number reads one cell; "-" is a limit that does not apply.
func number(t testing.TB, row map[string]string, column string) int {
	t.Helper()
	cell, ok := row[column]
	if !ok {
		t.Fatalf("no column %q", column)
	}
	if cell == "-" {
		return arch.Unknown
	}
	n, err := strconv.Atoi(cell)
	if err != nil {
		t.Fatalf("line %s: %s: %v", row["line"], column, err)
	}
	return n
}

// TestReference holds the model against the vendor's own calculator: blocks,
// every limit, and what is allocated, on 23 architectures.
func TestReference(t *testing.T) {
	table := arch.Builtin()
	reference := rows(t, "reference-sample.csv")
	if len(reference) != 9200 {
		t.Fatalf("read %d rows, want 9200", len(reference))
	}
	seen := map[string]bool{}
	for _, row := range reference {
		sm, err := table.Lookup(row["arch"])
		if err != nil {
			t.Fatal(err)
		}
		seen[sm.Name] = true
		got := sm.Occupancy(arch.Launch{
			Threads:     number(t, row, "threads"),
			Registers:   number(t, row, "registers"),
			SharedBytes: number(t, row, "shared_bytes"),
			Barriers:    number(t, row, "barriers"),
		})
		for _, c := range []struct {
			column string
			got    int
		}{
			{"blocks", got.Blocks},
			{"limit_warps", got.Limits[arch.Warps]},
			{"limit_blocks", got.Limits[arch.Blocks]},
			{"limit_registers", got.Limits[arch.Registers]},
			{"limit_shared", got.Limits[arch.Shared]},
			{"limit_barriers", got.Limits[arch.Barriers]},
			{"registers_per_block", got.RegistersPerBlock},
			{"shared_bytes_per_block", got.SharedBytesPerBlock},
		} {
			if want := number(t, row, c.column); c.got != want {
				t.Errorf("line %s: %s = %d, want %d: %v", row["line"], c.column, c.got, want, row)
			}
		}
	}
	for _, sm := range table.All() {
		if !seen[sm.Name] {
			t.Errorf("%s is in the table and has no reference", sm.Name)
		}
	}
}

// TestDriver holds the model against what an H200's driver answered.
func TestDriver(t *testing.T) {
	sm := lookup(t, "sm_90")
	answers := rows(t, "driver-h200-sample.csv")
	if len(answers) != 1500 {
		t.Fatalf("read %d rows, want 1500", len(answers))
	}
	for _, row := range answers {
		got := sm.Occupancy(arch.Launch{
			Threads:     number(t, row, "threads"),
			Registers:   number(t, row, "registers"),
			SharedBytes: number(t, row, "shared_bytes"),
			Barriers:    number(t, row, "barriers"),
		})
		if want := number(t, row, "blocks"); got.Blocks != want {
			t.Errorf("line %s: blocks = %d, want %d: %v", row["line"], got.Blocks, want, row)
		}
	}
}

func lookup(t testing.TB, name string) *arch.SM {
	t.Helper()
	sm, err := arch.Builtin().Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sm
}

package arch_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
)

var updateDocs = flag.Bool("update", false, "write the tables of docs/occupancy.md anew")

// document compares what stands between two marks in docs/occupancy.md with
// what the code says today.
func document(t *testing.T, mark, want string) {
	t.Helper()
	path := filepath.Join("..", "docs", "occupancy.md")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	begin, end := "<!-- "+mark+" -->\n", "<!-- end -->"
	from := strings.Index(text, begin)
	if from < 0 {
		t.Fatalf("%s has no mark %q", path, begin)
	}
	from += len(begin)
	to := strings.Index(text[from:], end)
	if to < 0 {
		t.Fatalf("%s: %q has no end", path, begin)
	}
	if *updateDocs {
		if err := os.WriteFile(path, []byte(text[:from]+want+text[from+to:]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(text[from:from+to], want); diff != "" {
		t.Errorf("%s shows what is not so (-shown +is; -update rewrites it):\n%s", path, diff)
	}
}

func TestDocsArchitectures(t *testing.T) {
	var b strings.Builder
	b.WriteString("| | warps | blocks | registers | per block | per thread | parts | shared | per block | reserved | unit | barriers |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, s := range arch.Builtin().All() {
		barriers := "-"
		if s.Barriers > 0 {
			barriers = strconv.Itoa(s.Barriers)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s |\n", s.Name, s.WarpSlots, s.BlockSlots, s.Registers,
			s.RegistersPerBlock, s.RegistersPerThread, s.Partitions, s.SharedBytes, s.SharedBytesPerBlock, s.SharedReservedBytes,
			s.SharedAllocationBytes, barriers)
	}
	document(t, "architectures", b.String())
}

// TestDocsBytesInFlight holds the law of bytes in flight against what an H200
// did, and writes down how far off it is.
func TestDocsBytesInFlight(t *testing.T) {
	g := gpu(t, "H200")
	sm := lookup(t, g.Arch)
	var b strings.Builder
	b.WriteString("| loads | blocks | bytes in flight | of what is needed | the law says, GB/s | measured, GB/s | measured ÷ law |\n")
	b.WriteString("|--:|--:|--:|--:|--:|--:|--:|\n")
	least := map[bool]float64{true: math.Inf(1), false: math.Inf(1)}
	most := map[bool]float64{}
	best, sixteen := 0.0, 0.0
	lowFar, highFar := math.Inf(1), 0.0 // shares of the bandwidth far above the line
	for _, row := range rows(t, "bytes-in-flight-h200.csv") {
		loads, blocks := number(t, row, "loads"), number(t, row, "blocks_per_sm")
		measured := float64(number(t, row, "GB_per_s"))
		f := g.Flight(arch.Occupancy{Blocks: blocks, WarpSlots: sm.WarpSlots}, 256, 4*loads)
		if want := number(t, row, "bytes_in_flight_per_sm"); f.Have != float64(want) {
			t.Errorf("line %s: %v bytes in flight, the measurement says %d", row["line"], f.Have, want)
		}
		law := f.BandwidthShare() * g.BandwidthBytesPerSec / 1e9
		ratio := measured / law
		best = max(best, measured)
		if loads == 16 {
			sixteen = max(sixteen, ratio)
			continue // the compiler did not keep them in flight
		}
		if f.Have >= 1.9*f.Need {
			share := measured * 1e9 / g.BandwidthBytesPerSec
			lowFar, highFar = min(lowFar, share), max(highFar, share)
		}
		least[f.Enough()], most[f.Enough()] = min(least[f.Enough()], ratio), max(most[f.Enough()], ratio)
		fmt.Fprintf(&b, "| %d | %d | %.0f | %.0f %% | %.0f | %.0f | %.0f %% |\n", loads, blocks, f.Have, 100*f.Have/f.Need, law, measured, 100*ratio)
	}
	for name, ratio := range map[string]float64{
		"below the line": most[false], "above it": most[true], "with 16 loads": sixteen,
	} {
		if ratio > 1 {
			t.Errorf("%s the law is beaten: %v; it is meant as the most there can be", name, ratio)
		}
	}
	fmt.Fprintf(&b, "\nBelow the line the kernel gets %.0f to %.0f %% of what the law says, above it %.0f to %.0f %% of the specified\n"+
		"bandwidth; the best run moved %.0f GB/s, %.0f %% of the specification.\n",
		100*least[false], 100*most[false], 100*least[true], 100*most[true], best, 100*best*1e9/g.BandwidthBytesPerSec)
	document(t, "bytes in flight", b.String())
	far := fmt.Sprintf("at 1.9 times the line and above the runs got %.0f to %.0f %% of the specified bandwidth", 100*lowFar, 100*highFar)
	text, err := os.ReadFile(filepath.Join("..", "docs", "occupancy.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), far) {
		t.Errorf("docs/occupancy.md does not say: %s", far)
	}
}

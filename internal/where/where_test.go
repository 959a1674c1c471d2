package where

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/occlint/occlint/cubin"
)

// read reads one of the images in testdata/cubin.
func read(t testing.TB, name string) []*Kernel {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "cubin", name+".cubin.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := cubin.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	units, err := Units(parsed, name+".cubin")
	if err != nil {
		t.Fatal(err)
	}
	var all []*Kernel
	for _, u := range units {
		kernels, err := Read(u)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, kernels...)
	}
	return all
}

func named(t testing.TB, kernels []*Kernel, name string) *Kernel {
	t.Helper()
	for _, k := range kernels {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no kernel %s", name)
	return nil
}

// images are places.cu by CUDA 13.0 and 12.4; spills says on which of them
// 256 threads in 8 blocks leave too few registers: the others run fewer threads,
// and their compiler ignores the 8.
var images = []struct {
	name   string
	spills bool
}{
	{"places-130-sm_75", false},
	{"places-130-sm_80", true},
	{"places-130-sm_90", true},
	{"places-130-sm_100", true},
	{"places-130-sm_120", false},
	{"places-124-sm_50", true},
	{"places-124-sm_86", false},
}

// TestPlaces checks what the comments of places.cu say of each kernel. How many
// bytes each spills is compared with the logs by TestLogs.
func TestPlaces(t *testing.T) {
	for _, image := range images {
		t.Run(image.name, func(t *testing.T) {
			kernels := read(t, image.name)
			capped := []*Kernel{named(t, kernels, "parked"), named(t, kernels, "inner"), named(t, kernels, "outer"), named(t, kernels, "both")}
			for _, k := range capped {
				if got := k.SpillBytes() > 0; got != image.spills {
					t.Errorf("%s spills: %v", k.Name, got)
				}
			}
			if image.spills {
				parked(t, capped[0])
				inner(t, capped[1])
				outer(t, capped[2])
				both(t, capped[3])
			}
			indexed(t, named(t, kernels, "indexed"))
			calls(t, named(t, kernels, "calls"), named(t, kernels, "_Z5apartfPKfi"))
			wide(t, named(t, kernels, "wide"))
			if k := named(t, kernels, "paths"); len(k.Sites) > 0 || len(k.Loops) == 0 {
				t.Errorf("paths: %s", k.Headline())
			}
		})
	}
}

// "They can be parked outside of it": spilled before the loop of lines 11-12,
// loaded again behind it.
func parked(t *testing.T, k *Kernel) {
	if k.LoopSpillBytes() > 0 || len(k.Loops) != 1 || k.Loops[0].Depth != 1 {
		t.Errorf("parked: %s, %d loops", k.Headline(), len(k.Loops))
	}
	if l := k.Loops[0]; path.Base(l.Place.File) != "places.cu" || l.Place.Line != 12 {
		t.Errorf("parked: %s", l.Label())
	}
}

// "All accumulators are live in the inner loop: spills must land in it." The
// loop is lines 26-34, the accumulators' line is 33.
func inner(t *testing.T, k *Kernel) {
	// Outside of it they are stored once before and loaded once after.
	if 5*k.LoopSpillBytes() < 2*k.SpillBytes() || k.DeepestSpill() != 1 {
		t.Errorf("inner: %s", k.Headline())
	}
	worst := Lines([]*Kernel{k})[0]
	if path.Base(worst.File) != "places.cu" || worst.Line < 29 || worst.Line > 33 || worst.Depth != 1 {
		t.Errorf("inner: the worst line is %s at depth %d", worst.Text(), worst.Depth)
	}
	var most Loop
	for _, l := range k.Loops {
		if l.OwnSpillStoreBytes+l.OwnSpillLoadBytes > most.OwnSpillStoreBytes+most.OwnSpillLoadBytes {
			most = l
		}
	}
	if most.Place.Line < 26 || most.LastLine > 34 || most.Instructions < 64 { // 64 multiplications
		t.Errorf("inner: %s, %d instructions", most.Label(), most.Instructions)
	}
}

// "Two loops, one inside the other, with the pressure in the outer body": lines
// 48-54 with the inner loop on lines 50-51.
func outer(t *testing.T, k *Kernel) {
	deepest := 0
	for _, l := range k.Loops {
		deepest = max(deepest, l.Depth)
		if l.Depth == 2 && (l.SpillStoreBytes+l.SpillLoadBytes > 0 || l.Place.Line != 51 || k.Loops[l.Parent].Depth != 1) {
			t.Errorf("outer: the inner loop is %+v", l)
		}
		if own := l.OwnSpillStoreBytes + l.OwnSpillLoadBytes; own > 0 && (l.Depth != 1 || l.Place.Line != 48) {
			t.Errorf("outer: %d bytes in %s", own, l.Label())
		}
	}
	if deepest != 2 || k.DeepestSpill() != 1 || 2*k.LoopSpillBytes() < k.SpillBytes() {
		t.Errorf("outer: %s, loops down to depth %d", k.Headline(), deepest)
	}
}

// "Both: a dynamically indexed array and spills." Without a list the compiler
// must not be taken at its word, unless it kept the array in registers.
func both(t *testing.T, k *Kernel) {
	if k.LoopSpillBytes() == 0 || k.DeepestSpill() != 1 {
		t.Errorf("both: %s", k.Headline())
	}
	for _, s := range k.Sites {
		// The array's elements are read on line 76, one by a number from memory.
		if !s.Spill && s.Load && s.Depth == 1 && s.Place.Line != 76 {
			t.Errorf("both: an array is read on line %d", s.Place.Line)
		}
	}
}

// "Local memory, no spill": the array is written on line 62 and read in the
// loop of line 64.
func indexed(t *testing.T, k *Kernel) {
	if k.SpillBytes() > 0 || k.ArrayStoreBytes != 32*4 || k.ArrayLoadBytes == 0 {
		t.Errorf("indexed: %s", k.Headline())
	}
	for _, s := range k.Sites {
		if s.Load && s.Place.Line != 64 || !s.Load && s.Place.Line != 62 {
			t.Errorf("indexed: %+v", s)
		}
	}
}

// "A function that is not inlined is called in a loop", on line 87.
func calls(t *testing.T, k, apart *Kernel) {
	if apart.Parent != "calls" || apart.Entry || apart.CalledDepth != 1 {
		t.Errorf("calls: %+v", apart)
	}
	if len(k.Calls) == 0 || k.Calls[0].Name != "_Z5apartfPKfi" || k.Calls[0].Depth != 1 || k.Calls[0].Place.Line != 87 {
		t.Errorf("calls: %+v", k.Calls)
	}
}

// "Wide spills: 64-bit and 128-bit values", in the loop of lines 119-121.
func wide(t *testing.T, k *Kernel) {
	if k.SpillBytes() == 0 || k.LoopSpillBytes() == 0 {
		t.Errorf("wide: %s", k.Headline())
	}
	sizes := map[int]int{}
	for _, s := range k.Sites {
		if s.Spill {
			sizes[s.Bytes]++
		}
		if s.Depth > 0 && (s.Place.Line < 119 || s.Place.Line > 121) {
			t.Errorf("wide: %+v", s)
		}
	}
	if sizes[8]+sizes[16] == 0 {
		t.Errorf("wide: bytes of spills are %v", sizes)
	}
}

var stated = regexp.MustCompile(`(?m)(?:Function properties for (\S+)\n)\s+\d+ bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)

// TestLogs compares the bytes of all kernels with what the compiler printed.
func TestLogs(t *testing.T) {
	compared := 0
	for _, image := range images {
		log, err := os.ReadFile(filepath.Join("..", "..", "testdata", "cubin", image.name+".log"))
		if err != nil {
			t.Fatal(err)
		}
		kernels := read(t, image.name)
		for _, m := range stated.FindAllStringSubmatch(string(log), -1) {
			k := named(t, kernels, m[1])
			got := fmt.Sprintf("%d %d", k.SpillStoreBytes, k.SpillLoadBytes)
			if want := m[2] + " " + m[3]; got != want {
				t.Errorf("%s %s: %s bytes, the log has %s", image.name, k.Name, got, want)
			}
			compared++
		}
	}
	if want := 9 * len(images); compared != want {
		t.Errorf("compared %d functions, want %d", compared, want)
	}
}

package parse

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPacked reads all real logs into one Packed and one Log: what the two list
// must be the same.
func TestPacked(t *testing.T) {
	logs := realLogs(t, 64<<10)
	packed, listed := &Packed{}, &Log{}
	for _, path := range slices.Sorted(maps.Keys(logs)) {
		if err := packed.Read(strings.NewReader(logs[path]), path); err != nil {
			t.Fatal(err)
		}
		if err := listed.Read(strings.NewReader(logs[path]), path); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(listed, packed.Log()); d != "" {
		t.Fatalf("(-Log +Packed)\n%.3000s", d)
	}
	plain := 0
	for i := range listed.Kernels {
		k := &listed.Kernels[i]
		if got := packed.Kernel(i); !reflect.DeepEqual(got, *k) {
			t.Fatalf("record %d: %+v, want %+v", i, got, *k)
		}
		if packed.Compilation(i) != k.Compilation {
			t.Fatalf("record %d is of compilation %d, want %d", i, packed.Compilation(i), k.Compilation)
		}
		name, class, ok := packed.Plain(i)
		if !ok {
			if !reflect.DeepEqual(packed.Own(i), k) {
				t.Fatalf("record %d: %+v, want %+v", i, packed.Own(i), k)
			}
			continue
		}
		plain++
		c := packed.Class(class)
		if k.Defect != 0 || k.Compilation < 0 || packed.Name(name) != k.Name || c.Arch != k.Arch || c.Kind != k.Kind || c.Registers != k.Registers {
			t.Fatalf("record %d is plain as %q, %+v: %+v", i, packed.Name(name), c, k)
		}
		if n, found := packed.FindName(k.Name); !found || n != name {
			t.Fatalf("%q is name %d, want %d", k.Name, n, name)
		}
	}
	if plain < 500 {
		t.Errorf("%d plain records of %d", plain, len(listed.Kernels))
	}
	if _, found := packed.FindName("no such kernel"); found {
		t.Error("a name that no log has was found")
	}
	entries := func(each func(func(string, string) bool)) (list []string) {
		for name, arch := range each {
			list = append(list, name+" "+arch)
		}
		return list
	}
	if got, want := entries(packed.Entries()), entries(listed.Entries()); !slices.Equal(got, want) {
		t.Errorf("%d entries, want %d", len(got), len(want))
	}
	if n := len(slices.Collect(packed.AllNames())); n < len(entries(listed.Entries())) {
		t.Errorf("%d names of %d records", n, packed.Len())
	}
}

// TestAppend appends logs to each other: the indexes of compilations move.
func TestAppend(t *testing.T) {
	const text = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'k' for 'sm_90'\n" +
		"ptxas info    : Function properties for k\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
		"ptxas info    : Used 8 registers, used 0 barriers\nptxas warning : something about entry k\n"
	var want Log
	all := &Packed{}
	for i := range 3 {
		file := fmt.Sprint("log", i)
		if err := want.Read(strings.NewReader(text), file); err != nil {
			t.Fatal(err)
		}
		var l Log
		if err := l.Read(strings.NewReader(text), file); err != nil {
			t.Fatal(err)
		}
		all.Append(&l)
	}
	if d := cmp.Diff(&want, all.Log()); d != "" {
		t.Errorf("(-read +appended)\n%s", d)
	}
	if all.Log().Kernels[2].Compilation != 2 || all.Compilations[2].Index != 2 {
		t.Errorf("the third log's kernel is of compilation %d, its compilation has index %d", all.Log().Kernels[2].Compilation, all.Compilations[2].Index)
	}
}

// TestWholeBesideLines has logs in which a record that is taken whole leaves
// something behind for the lines that are not: its wrapper, and how long its
// longest line is. The answer must be that of the lexer and the assembler.
func TestWholeBesideLines(t *testing.T) {
	entry := func(wrap, name string) string {
		return wrap + "ptxas info    : Compiling entry function '" + name + "' for 'sm_90'\n" + wrap + "ptxas info    : Function properties for " + name + "\n" +
			"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" + wrap + "ptxas info    : Used 32 registers\n"
	}
	function := func(wrap, name string) string {
		return wrap + "ptxas info    : Function properties for " + name + "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
	}
	const module = "ptxas info    : 0 bytes gmem\n"
	long := "_Z" + strings.Repeat("x", 60)
	broken := "ptxas info    : Function properties for _Z" + strings.Repeat("y", 60) + "\nzz\n    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
	for name, text := range map[string]string{
		"wrapper of a function": "aa " + module + entry("aa ", "a") + "bb " + module + entry("bb ", "b") + function("bb ", "f") + entry("bb ", "c") +
			"bb " + module + "bb     16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" + entry("bb ", "d") + strings.Repeat("bb "+module, 4),
		"wrapper of an entry": "aa " + module + entry("aa ", "a") + "bb " + module + entry("bb ", "c") + entry("bb ", "d") +
			"bb " + module + "bb     16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" + entry("bb ", "e") + strings.Repeat("bb "+module, 4),
		"width of a function": module + entry("", "a") + entry("", "a2") + function("", long) + entry("", "b") + module + broken + module + entry("", "c"),
		"width of an entry":   module + entry("", "a") + entry("", long[:48]) + entry("", "b") + module + broken + module + entry("", "c"),
		"width of a time": module + entry("", "a") + "ptxas info    : Compile time = 1." + strings.Repeat("0", 70) + " ms\n" + entry("", "b") +
			module + broken + module + entry("", "c"),
	} {
		for _, end := range []string{"\n", "\r\n"} {
			log := strings.ReplaceAll(text, "\n", end)
			lines, _ := readWith(t, strings.NewReader(log), true)
			whole, _ := readWith(t, strings.NewReader(log), false)
			if d := cmp.Diff(lines, whole); d != "" {
				t.Errorf("%s, %q: (-line by line +whole)\n%.2000s", name, end, d)
			}
		}
	}
}

// TestNameTable stores names one by one and in adopted texts, twice each, and
// expects each to keep its number and its bytes.
func TestNameTable(t *testing.T) {
	table := newNameTable()
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"k", strings.Repeat("x", longestName)}
	for i := range 20000 {
		names = append(names, fmt.Sprintf("_Z%d%s", i, strings.Repeat("a", random.IntN(200))))
	}
	for round := range 2 {
		for at := 0; at < len(names); {
			batch := names[at:min(len(names), at+1+random.IntN(500))]
			var found []foundRecord
			for _, name := range batch {
				var f foundRecord
				f.hash = table.hash([]byte(name))
				found = append(found, f)
			}
			if n := table.fetch(found); round == 1 && n > len(batch)*7/8+1 || round == 0 && n < len(batch)/2 {
				t.Errorf("round %d: %d of %d names are unknown", round, n, len(batch))
			}
			var place namePlace
			text := strings.Join(batch, "")
			if round == 0 && at%2 == 0 && len(text) < 1<<offsetBits {
				place = table.adopt([]byte(text))
			}
			offset := 0
			for i, name := range batch {
				p := place
				if p != 0 {
					p = p.at(offset, len(name))
				}
				offset += len(name)
				n := table.number([]byte(name), found[i].hash, p)
				if n != int32(at+i) || table.name(n) != name || table.find(name) != n {
					t.Fatalf("round %d: name %d has number %d and is %.40q", round, at+i, n, table.name(n))
				}
			}
			at += len(batch)
		}
	}
	if int(table.places.n) != len(names) || table.find("none") != -1 {
		t.Errorf("%d names, want %d", table.places.n, len(names))
	}
}

// TestManyClasses reads a log whose records all differ: it has more classes
// than are kept, and every number is still the record's own.
func TestManyClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large log")
	}
	const records = mostClasses + 500
	var text strings.Builder
	text.WriteString("ptxas info    : 0 bytes gmem\n")
	for i := range records {
		fmt.Fprintf(&text, "ptxas info    : Compiling entry function 'k%d' for 'sm_90'\nptxas info    : Function properties for k%d\n"+
			"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 8 registers, used 0 barriers, %d bytes smem\n", i, i, i)
	}
	packed := &Packed{}
	if err := packed.Read(strings.NewReader(text.String()), "log"); err != nil {
		t.Fatal(err)
	}
	if packed.Len() != records || packed.Classes() > mostClasses || packed.Classes() < mostClasses/2 {
		t.Errorf("%d records, %d classes", packed.Len(), packed.Classes())
	}
	for i := range records {
		if k := packed.Kernel(i); k.Name != fmt.Sprint("k", i) || k.SharedBytes != Some(int64(i)) {
			t.Fatalf("record %d is %s with %s bytes", i, k.Name, k.SharedBytes)
		}
	}
}

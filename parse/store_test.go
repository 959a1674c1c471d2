package parse

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// TestStore reads all real logs into one Log: records are the same by index,
// by iterating and by their names, and have one class exactly when they say the
// same.
func TestStore(t *testing.T) {
	logs := realLogs(t, 64<<10)
	log := &Log{}
	var apart []Kernel
	for _, path := range slices.Sorted(maps.Keys(logs)) {
		if err := log.Read(strings.NewReader(logs[path]), path); err != nil {
			t.Fatal(err)
		}
		one, err := Read(strings.NewReader(logs[path]), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range one.Kernels() {
			apart = append(apart, k)
		}
	}
	if log.Len() != len(apart) || log.Len() < 500 {
		t.Fatalf("%d records together, %d apart", log.Len(), len(apart))
	}
	classes := map[Class]*Class{}
	var entries, names []string
	for i, k := range log.Kernels() {
		if got := log.Kernel(i); got != k {
			t.Fatalf("record %d: %+v by index, %+v by iterating", i, got, k)
		}
		one := apart[i]
		if one.Compilation = k.Compilation; *k.Class != *one.Class {
			t.Fatalf("record %d: class %+v together, %+v apart", i, k.Class, one.Class)
		}
		if one.Class = k.Class; k != one {
			t.Fatalf("record %d: %+v together, %+v apart", i, k, one)
		}
		if first := classes[*k.Class]; first != nil && first != k.Class {
			t.Fatalf("record %d: two classes say %+v", i, *first)
		}
		classes[*k.Class] = k.Class
		if k.Name != "" {
			names = append(names, k.Name)
			if k.Kind != Function {
				entries = append(entries, k.Name+" "+k.Arch)
			}
		}
	}
	if len(classes) < 100 || len(classes) > log.Len()/2 {
		t.Errorf("%d classes of %d records", len(classes), log.Len())
	}
	var gotEntries []string
	for name, arch := range log.Entries() {
		gotEntries = append(gotEntries, name+" "+arch)
	}
	if !slices.Equal(gotEntries, entries) || !slices.Equal(slices.Collect(log.Names()), names) {
		t.Errorf("%d entries, want %d; names as iterated: %v", len(gotEntries), len(entries), slices.Equal(slices.Collect(log.Names()), names))
	}
}

// TestClassHasEverything holds that every number of a record is in its class,
// and that what is not has a reason.
func TestClassHasEverything(t *testing.T) {
	outside := map[string]string{
		"Class":         "the class itself",
		"Name":          "who the record is of",
		"Parent":        "who it was compiled for",
		"CompileMicros": "differs from build to build; no verdict rests on it",
		"Compilation":   "where it stands",
		"Place":         "where it stands",
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Kernel]()) {
		if len(f.Index) > 1 {
			if f.Tag.Get("json") == "" {
				t.Errorf("%s has no key", f.Name)
			}
			continue
		}
		if outside[f.Name] == "" {
			t.Errorf("%s is outside the class, for no reason that is known here", f.Name)
		}
	}
}

// TestConflicts has one kernel twice in one compilation: each number that
// differs makes both records Conflicting, whichever way they come.
func TestConflicts(t *testing.T) {
	record := func(used string) string {
		return "ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Function properties for k\n" +
			"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 8 registers" + used + "\n"
	}
	const module, end = "ptxas info    : 0 bytes gmem\n", "ptxas info    : 0 bytes gmem\n"
	tests := map[string]struct {
		text        string
		conflicting bool
	}{
		"the same":           {module + record(", 8 bytes cmem[0]") + record(", 8 bytes cmem[0]") + end, false},
		"lmem":               {module + record(", 8 bytes lmem") + record(", 16 bytes lmem") + end, true},
		"cmem":               {module + record(", 8 bytes cmem[0]") + record(", 16 bytes cmem[0]") + end, true},
		"textures":           {module + record(", 1 textures") + record(", 2 textures") + end, true},
		"other compilations": {module + record(", 8 bytes lmem") + module + record(", 16 bytes lmem") + end, false},
		"one of three":       {module + record("") + record("") + record(", 1 samplers") + end, true},
	}
	for name, test := range tests {
		for _, lines := range []bool{true, false} {
			l, _ := readWith(t, strings.NewReader(test.text), lines)
			conflicting := 0
			for _, k := range l.Kernels {
				if k.Defect.Has(Conflicting) {
					conflicting++
				}
			}
			want := 0
			if test.conflicting {
				want = 2
			}
			if faults := len(l.Faults); conflicting != want || faults != want {
				t.Errorf("%s, line by line %v: %d conflicting, %d faults, want %d", name, lines, conflicting, faults, want)
			}
			var added Log
			for i := range l.Kernels {
				c := *l.Kernels[i].Class
				c.Defect = 0
				l.Kernels[i].Class = &c
			}
			if added.Add(l.Kernels...); (added.Kernel(0).Defect != 0) != test.conflicting {
				t.Errorf("%s: the first added record has defects %q", name, added.Kernel(0).Defect)
			}
		}
	}
}

// TestAppend appends logs to each other: the indexes of compilations move.
func TestAppend(t *testing.T) {
	const text = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'k' for 'sm_90'\n" +
		"ptxas info    : Function properties for k\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
		"ptxas info    : Used 8 registers, used 0 barriers\nptxas warning : something about entry k\n"
	var want, all Log
	for i := range 3 {
		file := fmt.Sprint("log", i)
		if err := want.Read(strings.NewReader(text), file); err != nil {
			t.Fatal(err)
		}
		l, err := Read(strings.NewReader(text), file)
		if err != nil {
			t.Fatal(err)
		}
		all.Append(l)
	}
	if d := cmp.Diff(listed(&want), listed(&all)); d != "" {
		t.Errorf("(-read +appended)\n%s", d)
	}
	if all.Kernel(2).Compilation != 2 || all.Compilations[2].Index != 2 {
		t.Errorf("the third log's kernel is of compilation %d, its compilation has index %d", all.Kernel(2).Compilation, all.Compilations[2].Index)
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
	names := []string{"k", strings.Repeat("x", wholeChunk), strings.Repeat("y", 3*wholeChunk)}
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

// TestManyClasses reads a log whose records all differ: it has more wordings
// than are kept, and every number is still the record's own.
func TestManyClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large log")
	}
	const records = mostWordings + 500
	var text strings.Builder
	text.WriteString("ptxas info    : 0 bytes gmem\n")
	for i := range records {
		fmt.Fprintf(&text, "ptxas info    : Compiling entry function 'k%d' for 'sm_90'\nptxas info    : Function properties for k%d\n"+
			"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 8 registers, used 0 barriers, %d bytes smem\n", i, i, i)
	}
	log, err := Read(strings.NewReader(text.String()), "log")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(log.records.wordings.byText); log.Len() != records || len(log.records.classes) != records || n > mostWordings || n < mostWordings/2 {
		t.Errorf("%d records, %d classes, %d wordings", log.Len(), len(log.records.classes), n)
	}
	for i := range records {
		if k := log.Kernel(i); k.Name != fmt.Sprint("k", i) || k.SharedBytes != Some(int64(i)) {
			t.Fatalf("record %d is %s with %s bytes", i, k.Name, k.SharedBytes)
		}
	}
}

// TestNamesStandOnce: equal names of a log are one piece of memory, however
// they came into it; rules tell names apart by where they stand.
func TestNamesStandOnce(t *testing.T) {
	log := &Log{}
	for path, text := range realLogs(t, 64<<10) {
		if err := log.Read(strings.NewReader(text), path); err != nil {
			t.Fatal(err)
		}
	}
	again := &Log{}
	again.Append(log)
	again.Append(log)
	for _, k := range log.Kernels() {
		again.Add(Kernel{Name: strings.Clone(k.Name), Parent: strings.Clone(k.Parent), Class: k.Class, Compilation: -1})
	}
	for what, log := range map[string]*Log{"read": log, "appended and added": again} {
		at := map[string]*byte{}
		for i, k := range log.Kernels() {
			for _, name := range []string{k.Name, k.Parent} {
				if name == "" {
					continue
				}
				have, here := at[name], unsafe.StringData(name)
				if have != nil && have != here {
					t.Fatalf("%s: record %d: %q stands twice", what, i, name)
				}
				at[strings.Clone(name)] = here
			}
		}
		if len(at) < 300 {
			t.Errorf("%s: %d names", what, len(at))
		}
	}
}

package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// repeated reads a text so many times over, and then the end.
type repeated struct {
	head, text, tail string
	n                int
	left             string
	state            int
}

func (r *repeated) Read(p []byte) (int, error) {
	for r.left == "" {
		switch {
		case r.state == 0:
			r.left, r.state = r.head, 1
		case r.n > 0:
			r.left = r.text
			r.n--
		case r.state == 1:
			r.left, r.state = r.tail, 2
		default:
			return 0, io.EOF
		}
		if r.left == "" && r.state == 2 {
			return 0, io.EOF
		}
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// mostHeap is what one hostile report may cost beside what the sink keeps.
const mostHeap = 128 << 20

// within reads a report and fails when the heap grew by more than mostHeap.
func within(t *testing.T, r io.Reader) (*Report, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := uint64(0)
	n := 0
	report, err := Read(r, "hostile", func(*Launch) error {
		if n++; n%100000 == 0 {
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc)
		}
		return nil
	}, func(*Binary) {})
	runtime.ReadMemStats(&after)
	most = max(most, after.HeapAlloc)
	if most > before.HeapAlloc+mostHeap {
		t.Errorf("the heap grew from %d to %d MB", before.HeapAlloc>>20, most>>20)
	}
	return report, err
}

func TestHostileTraces(t *testing.T) {
	const event = `{"ph":"X","cat":"kernel","name":"k","dur":2.5,"args":{"grid":[2,1,1],"block":[32,1,1]}},` + "\n"
	head := `{"schemaVersion":1,"traceEvents":[`
	for _, c := range []struct {
		name     string
		r        *repeated
		launches int
		fails    bool
	}{
		{"a million launches", &repeated{head: head, text: event, n: 1_000_000, tail: "]}"}, 1_000_000, false},
		{"nested 10^6 deep", &repeated{head: head + event + `{"args":`, text: "[", n: 1_000_000}, 1, false},
		{"nested 10^6 deep and closed", &repeated{head: `{"schemaVersion":1,"x":` + strings.Repeat("[", 1_000_000), text: "]", n: 1_000_000, tail: `,"traceEvents":[` + event + "]}"}, 1, false},
		{"a name of 100 MB", &repeated{head: head + `{"cat":"kernel","name":"`, text: strings.Repeat("x", 1000), n: 100_000, tail: `","dur":1,"args":{"block":[1,1,1]}}]}`}, 1, false},
		{"a number of 100 MB", &repeated{head: head + `{"cat":"kernel","dur":`, text: strings.Repeat("1", 1000), n: 100_000, tail: "}]}"}, 0, true},
	} {
		r, err := within(t, c.r)
		if r.Launches != c.launches || (err != nil) != c.fails {
			t.Errorf("%s: %d launches, error %v", c.name, r.Launches, err)
		}
	}
}

func TestHostileTables(t *testing.T) {
	header, row, _ := strings.Cut(detailsOf("117.34"), "\n")
	rest := strings.TrimPrefix(row, `"0"`)
	_ = rest
	const raw = "\"ID\",\"Process ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"\",\"ns\"\n"
	for _, c := range []struct {
		name     string
		r        *repeated
		launches int
		fails    bool
	}{
		{"a million launches", &repeated{head: raw, text: "\"0\",\"1\",\"k\",\"12.50\"\n", n: 1_000_000}, 1_000_000, false},
		{"launches without evidence", &repeated{head: raw, text: "\"0\",\"1\",\"k\",\"12,500\"\n", n: 1_000_000}, 0, true},
		{"a line of 100 MB", &repeated{head: header + "\n" + row + `"0","1","`, text: strings.Repeat("x", 1000), n: 100_000, tail: "\"\n"}, 1, false},
		{"100 MB of quotes", &repeated{head: header + "\n" + row, text: strings.Repeat(`"`, 1000), n: 100_000}, 1, false},
		{"100 MB of commas", &repeated{head: header + "\n" + row, text: strings.Repeat(",", 1000), n: 100_000}, 1, false},
		{"a million bad rows", &repeated{head: header + "\n" + row, text: "\"0\",\"1\n", n: 1_000_000}, 1, false},
	} {
		r, err := within(t, c.r)
		if r.Launches != c.launches || (err != nil) != c.fails {
			t.Errorf("%s: %d launches, error %v", c.name, r.Launches, err)
		}
		if len(r.Problems) > mostProblems {
			t.Errorf("%s: %d problems are listed", c.name, len(r.Problems))
		}
	}
}

// Lengths that lie cost what the file has, not what they promise.
func TestHostileReports(t *testing.T) {
	length := func(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }
	file := repMagic + length(2) + "\x08\x07"
	for name, text := range map[string]string{
		"a header of 4 GB":                  repMagic + length(0xffffffff),
		"a header that isn't there":         repMagic + length(1<<20),
		"a block of 60 MB that isn't there": file + length(60<<20) + "\x08\x01",
		"4 billion sources":                 file + length(10) + "\x08\xff\xff\xff\xff\x0f\x28\x80\x80\x01",
		"a source of 400 MB":                file + length(6) + "\x08\x01\x28\x80\x80\x01" + length(400<<20) + "\x22",
		"no protobuf":                       file + length(4) + "\xff\xff\xff\xff",
		"a payload behind the end":          file + length(5) + "\x28\xff\xff\xff\x0f",
		"cut in a length":                   file + "\x01",
		"only its magic":                    repMagic,
	} {
		_, err := within(t, strings.NewReader(text))
		var known *Error
		if !errors.As(err, &known) || !strings.Contains(known.Help, "ncu -i") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A result nested 10^6 groups deep is a fault of that result alone.
func TestDeepGroups(t *testing.T) {
	deep := bytes.Repeat([]byte{0x0b}, 1_000_000) // start of group 1
	if fields(deep, func(field) {}) {
		t.Error("unclosed groups pass")
	}
}

package parse_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/occlint/occlint/parse"
)

// endless gives head once, then fill over and over up to size bytes, and
// watches the heap while it is read.
type endless struct {
	head, fill []byte
	left       int
	reads      int
	peak       uint64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.reads++; e.reads%64 == 1 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		e.peak = max(e.peak, m.HeapInuse)
	}
	if len(e.head) > 0 {
		n := copy(b, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	if e.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(b) && n < e.left {
		n += copy(b[n:min(len(b), e.left)], e.fill)
	}
	e.left -= n
	return n, nil
}

// TestLongLines reads lines that are longer than the memory they may take.
func TestLongLines(t *testing.T) {
	size := 320 << 20
	if testing.Short() {
		size = 64 << 20
	}
	const whole = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'k' for 'sm_80'\n" +
		"ptxas info    : Function properties for k\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
		"ptxas info    : Used 8 registers\n"
	for _, test := range []struct{ name, head, fill, faults string }{
		{"letters", whole, "AAAAAAAAAAAAAAAA", "truncated"},
		{"NUL bytes", whole, "\x00\x00\x00\x00", "truncated"},
		{"a name", whole + "ptxas info    : Compiling entry function '", "_Z1kPf", "truncated"},
		{"an unquoted name", whole + "ptxas info    : Function properties for ", "_Z1kPf", "truncated"},
		{"fields", whole + "ptxas info    : Used 8 registers", ", 8 bytes smem", "truncated"},
		{"a remark", whole + "ptxas warning : ", "word ", "truncated"},
		{"heads without messages", whole, "info : x ", "truncated"},
		{"line-level heads", whole, ", line 1; error : ", "truncated"},
		{"errors", whole, "error: ", "truncated"},
		{"errors in places", whole, "x(1): error:", "truncated"},
		{"linkers", whole, "ld: cannot ", "truncated"},
		{"references", whole, "x: undefined reference to ", "truncated"},
		{"shells", whole, "sh: 1: nvcc: cannot execute", "truncated"},
		{"go files", whole, "x.go:", "truncated"},
		{"memory", whole, "a: out of memory", "truncated"},
		{"escapes", whole, "\x1b[1", "truncated"},
		{"entities", whole, "&lt;", "truncated"},
		{"quotes", whole + "ptxas info    : Compiling entry function '", "' for '", "truncated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := size
			if test.name != "letters" {
				n = size / 32 // the slower searches; the memory shows at once
			}
			runtime.GC()
			in := &endless{head: []byte(test.head), fill: []byte(test.fill), left: n}
			var l parse.Log
			start := time.Now()
			if err := l.Read(in, "x.log"); err != nil {
				t.Fatal(err)
			}
			const most = 128 << 20
			if in.peak > most {
				t.Errorf("%d MiB of heap for a line of %d MiB", in.peak>>20, n>>20)
			}
			if l.Len() == 0 || l.Kernel(0).Name != "k" || l.Kernel(0).Defect != 0 {
				t.Errorf("the record before the line is lost: %+v", parse.Listed(&l).Kernels)
			}
			if l.Summary().Complete {
				t.Error("the log is taken for complete")
			}
			t.Logf("%d MiB in %v", n>>20, time.Since(start))
		})
	}
}

// TestLongLineSigns has lines of which not all is read: what a tool can have
// written there is not passed over, and other text is.
func TestLongLineSigns(t *testing.T) {
	const whole = "ptxas info    : 0 bytes gmem\n"
	const window = 4 << 20
	for _, test := range []struct {
		sign     string
		complete bool
	}{
		{"] returned non-zero exit status 1.", false},
		{": error: expected a declaration", false},
		{" make: *** [all] Error 1", false},
		{"ptxas info    : Used 8 registers", false},
		{" collect2: fatal", true},
		{" -lfoo -lbar", true},
	} {
		for _, before := range []int{window + 100, window - len(test.sign)/2, 2*window - 10, 2 * window, 9 << 20} {
			text := whole + "Command [" + strings.Repeat("x", before) + test.sign + strings.Repeat("x", window) + "\n" + whole
			l := parseText(t, text)
			if l.Summary().Complete != test.complete || len(l.Compilations) != 2 {
				t.Errorf("%q behind %d bytes: complete is %v, with %d modules and the faults %v", test.sign, before,
					l.Summary().Complete, len(l.Compilations), l.Faults)
			}
		}
	}
}

// TestProgressBars reads a log whose lines end in carriage returns only.
func TestProgressBars(t *testing.T) {
	var b strings.Builder
	kernels := 0
	for b.Len() < 9<<20 { // more than the reader's window
		fmt.Fprintf(&b, "\rptxas info    : Compiling entry function 'k%d' for 'sm_80'\rptxas info    : Function properties for k%d\r"+
			"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\rptxas info    : Used %d registers", kernels, kernels, 1+kernels%255)
		kernels++
	}
	l := parseText(t, "ptxas info    : 0 bytes gmem\n"+b.String()+"\n")
	if l.Len() != kernels || len(l.Faults) > 0 {
		t.Fatalf("%d of %d kernels, faults %v", l.Len(), kernels, l.Faults)
	}
	for i, k := range l.Kernels() {
		if n, _ := k.Registers.Value(); n != int64(1+i%255) {
			t.Fatalf("kernel %d has %d registers", i, n)
		}
	}
}

// shapes are logs that could make a careless reader quadratic. Each returns
// about n records.
var shapes = map[string]func(n int) string{
	"remarks": func(n int) string {
		return many(n, func(i int) string {
			return fmt.Sprintf("ptxas warning : Value of threads per SM for entry k%d is out of range. .minnctapersm will be ignored\n", i)
		}) + "ptxas info    : 0 bytes gmem\n"
	},
	"modules": func(n int) string {
		return many(n, func(int) string { return "ptxas info    : 0 bytes gmem\n" })
	},
	"entries that never end": func(n int) string {
		return "ptxas info    : 0 bytes gmem\nptxas info    : 0 bytes gmem\n" + many(n, func(i int) string {
			return fmt.Sprintf("ptxas info    : Compiling entry function 'k%d' for 'sm_80'\n", i)
		})
	},
	"all opened, then all ended": func(n int) string {
		return "ptxas info    : 0 bytes gmem\nptxas info    : 0 bytes gmem\n" + many(n, func(i int) string {
			return fmt.Sprintf("ptxas info    : Compiling entry function 'k%d' for 'sm_80'\n", i)
		}) + many(n, func(i int) string {
			return fmt.Sprintf("ptxas info    : Function properties for k%d\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", i)
		}) + many(n, func(i int) string { return fmt.Sprintf("ptxas info    : Used %d registers\n", 1+i%200) })
	},
	"one entry open for ever": func(n int) string {
		return "ptxas info    : 0 bytes gmem\nptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'x' for 'sm_80'\n" +
			many(n, wholeKernel)
	},
	"one name": func(n int) string {
		return "ptxas info    : 0 bytes gmem\nptxas info    : 0 bytes gmem\n" + many(n, func(int) string {
			return "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
		}) + many(n, func(int) string { return "ptxas info    : Function properties for k\n" })
	},
	"functions": func(n int) string {
		return "ptxas info    : 0 bytes gmem\n" + many(n, func(i int) string {
			return fmt.Sprintf("ptxas info    : Function properties for f%d\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", i)
		})
	},
	"kernels": func(n int) string { return "ptxas info    : 0 bytes gmem\n" + many(n, wholeKernel) },
	"stack lines": func(n int) string {
		return many(n, func(int) string { return "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" })
	},
	"one kernel in many compilations, each with a remark": func(n int) string {
		return many(n, func(i int) string {
			return "ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored\n" +
				"ptxas info    : 0 bytes gmem\n" + strings.ReplaceAll(wholeKernel(i), fmt.Sprintf("k%d", i), "k")
		})
	},
	"one kernel in many compilations, and remarks far away": func(n int) string {
		return many(n, func(i int) string {
			return fmt.Sprintf("ptxas warning : Local memory used for function 'k', size of stack frame: %d bytes\n", i)
		}) + many(n, func(i int) string {
			return "ptxas info    : 0 bytes gmem\n" + strings.ReplaceAll(wholeKernel(i), fmt.Sprintf("k%d", i), "k")
		})
	},
	"functions behind the last of two entries": func(n int) string {
		return "ptxas info    : 0 bytes gmem\n" + wholeKernel(1) + wholeKernel(2) + many(n, func(i int) string {
			return fmt.Sprintf("ptxas info    : Function properties for f%d\n    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", i)
		}) + "ptxas info    : 0 bytes gmem\n"
	},
	"one function behind each kernel": func(n int) string {
		return "ptxas info    : 0 bytes gmem\n" + many(n, func(i int) string {
			return wholeKernel(i) + "ptxas info    : Function properties for f\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
		})
	},
	"functions behind the last entry of each compilation": func(n int) string {
		return many(n, func(i int) string {
			return "ptxas info    : 0 bytes gmem\n" + wholeKernel(2*i) + wholeKernel(2*i+1) +
				"ptxas info    : Function properties for f\n    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
		})
	},
	"remarks that go on": func(n int) string {
		return many(n, func(int) string { return "ptxas warning : Value of threads per SM for entry\nk\nm\n" })
	},
	"broken lines": func(n int) string {
		return many(n, func(int) string { return "ptxas info    : Compiling entry function '_Z\nk\nl\nm\nn\n" })
	},
}

func wholeKernel(i int) string {
	return fmt.Sprintf("ptxas info    : Compiling entry function 'k%d' for 'sm_80'\nptxas info    : Function properties for k%d\n"+
		"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used %d registers\n", i, i, 1+i%200)
}

func many(n int, f func(int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// BenchmarkGrowth reads each shape at doubling sizes: the time per record
// stays the same.
func BenchmarkGrowth(b *testing.B) {
	for name, shape := range shapes {
		for _, n := range []int{10_000, 20_000, 40_000, 80_000} {
			text := []byte(shape(n))
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for range b.N {
					var l parse.Log
					if err := l.Read(bytes.NewReader(text), "x.log"); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
			})
		}
	}
}

// TestLinearTime guards against the quadratic: sixteen times the records may
// take a hundred times as long and no more, which leaves room for a busy
// machine. A quadratic reader takes 256 times as long.
func TestLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			elapsed := func(n int) time.Duration {
				text := []byte(shape(n))
				start := time.Now()
				var l parse.Log
				if err := l.Read(bytes.NewReader(text), "x.log"); err != nil {
					t.Fatal(err)
				}
				return time.Since(start)
			}
			few, many := elapsed(2_000), elapsed(32_000)
			for range 2 { // perhaps the machine did something else
				if many <= 100*few || many <= time.Second/2 {
					return
				}
				few, many = min(few, elapsed(2_000)), min(many, elapsed(32_000))
			}
			if many > 100*few && many > time.Second/2 {
				t.Errorf("2,000 records take %v, 32,000 take %v", few, many)
			}
		})
	}
}

// TestBytesPerRecord holds the memory of a log to what docs/log-forms.md
// says: what is kept, and what reading takes at most.
func TestBytesPerRecord(t *testing.T) {
	const n = 200_000
	for _, test := range []struct {
		shape      string
		kept, peak uint64 // bytes per record, its name or text of up to 100 bytes included
	}{
		{"kernels", 260, 700},
		{"remarks", 420, 1500},
	} {
		text := []byte(shapes[test.shape](n))
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		in := &endless{head: text}
		var l parse.Log
		if err := l.Read(in, "x.log"); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		kept := (after.HeapAlloc - before.HeapAlloc) / n
		peak := (in.peak - min(in.peak, before.HeapInuse)) / n
		t.Logf("%s: %d bytes kept per record, %d at most while reading", test.shape, kept, peak)
		if kept > test.kept || peak > test.peak {
			t.Errorf("%s: %d bytes kept per record and %d at most while reading, want %d and %d at most",
				test.shape, kept, peak, test.kept, test.peak)
		}
		runtime.KeepAlive(&l)
		runtime.KeepAlive(text)
	}
}

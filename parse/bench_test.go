package parse_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// A record of a real log, its name taken out, to make large logs of.
type template struct {
	lines [][]byte // "\x00" stands for the name
}

// templates cuts the entries of real logs apart, callees included.
func templates(tb testing.TB) []template {
	tb.Helper()
	var all []template
	for _, file := range []string{
		"nvcc13.0/bounds-sm_90.log", "nvcc13.0/basics-sm_80.log", "nvcc12.4/basics-sm_90.log",
		"projects-nvcc13.0/llmc_train_gpt2_fp32.cu.log", "parallel-nvcc12.4/attention_backward.log",
	} {
		b, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(file)))
		if err != nil {
			tb.Fatal(err)
		}
		const head = "ptxas info    : Compiling entry function '"
		for _, record := range strings.Split(string(b), head)[1:] {
			name, _, _ := strings.Cut(record, "'")
			var t template
			for line := range strings.Lines(head + record) {
				if strings.HasPrefix(line, "ptxas") || strings.HasPrefix(line, "    ") {
					t.lines = append(t.lines, []byte(strings.ReplaceAll(line, name, "\x00")))
				}
			}
			all = append(all, t)
		}
	}
	return all
}

// bigLog makes a log of at least size bytes of real records. distinct names,
// 0 for as many as there are records; perUnit records follow each module
// line; wrap does to each line what a wrapper would.
func bigLog(tb testing.TB, size, distinct, perUnit int, wrap func(dst, line []byte) []byte) (log []byte, kernels int) {
	tb.Helper()
	all := templates(tb)
	log = make([]byte, 0, size+64<<10)
	var line []byte
	for len(log) < size {
		if kernels%perUnit == 0 {
			log = wrap(log, []byte("ptxas info    : 4374 bytes gmem, 256 bytes cmem[3]\n"))
		}
		n := kernels
		if distinct > 0 {
			n %= distinct
		}
		name := strconv.AppendInt([]byte("_ZN7library6detail14generic_kernelINS_6policyILi"), int64(n), 10)
		name = append(name, "EEEfSaIfELb1EEEvT_PKT0_PS5_mmNS_6paramsIS5_EE"...)
		for _, l := range all[n%len(all)].lines {
			line = line[:0]
			for i, part := range bytes.Split(l, []byte{0}) {
				if i > 0 {
					line = append(line, name...)
				}
				line = append(line, part...)
			}
			log = wrap(log, line)
		}
		kernels++
	}
	return log, kernels
}

func noWrap(dst, line []byte) []byte { return append(dst, line...) }

func withTimestamp(dst, line []byte) []byte {
	n := len(dst)
	dst = fmt.Appendf(dst, "2025-11-02T10:%02d:%02d.%07dZ ", n/6000000%60, n/100000%60, n%10000000)
	return append(dst, line...)
}

func withColour(dst, line []byte) []byte {
	dst = append(dst, "\x1b[36m"...)
	dst = append(dst, bytes.TrimSuffix(line, []byte("\n"))...)
	return append(dst, "\x1b[0m\r\n"...)
}

// BenchmarkRead is the reader on the shapes that large builds print.
// allocs/kernel counts the slices of the result too.
func BenchmarkRead(b *testing.B) {
	for _, shape := range []struct {
		name     string
		distinct int
		perUnit  int
		wrap     func(dst, line []byte) []byte
	}{
		{"distinct", 0, 12, noWrap},
		{"repeated", 8000, 12, noWrap},
		{"timestamps", 0, 12, withTimestamp},
		{"colour-crlf", 0, 12, withColour},
	} {
		b.Run(shape.name, func(b *testing.B) {
			log, kernels := bigLog(b, 32<<20, shape.distinct, shape.perUnit, shape.wrap)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				var l parse.Log
				if err := l.Read(bytes.NewReader(log), "big.log"); err != nil {
					b.Fatal(err)
				}
				if entries := len(l.Kernels); entries < kernels || len(l.Faults) > 0 {
					b.Fatalf("%d records of %d kernels, faults %v", entries, kernels, l.Faults)
				}
			}
			b.ReportMetric(float64(testing.AllocsPerRun(1, func() {
				var l parse.Log
				_ = l.Read(bytes.NewReader(log), "big.log")
			}))/float64(kernels), "allocs/kernel")
		})
	}
}

// BenchmarkReadOther is the reader on text that is not the compiler's.
func BenchmarkReadOther(b *testing.B) {
	line := "[ 42%] Building CXX object src/CMakeFiles/core.dir/io/reader.cpp.o -DNDEBUG -O3 -I/usr/include/x\n" +
		"/src/io/reader.cpp:120:14: warning: unused variable 'count' [-Wunused-variable]\n" +
		"  120 |         int  count = 0;\n"
	log := []byte(strings.Repeat(line, (16<<20)/len(line)) + "ptxas info    : 0 bytes gmem\n")
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for range b.N {
		var l parse.Log
		if err := l.Read(bytes.NewReader(log), "other.log"); err != nil {
			b.Fatal(err)
		}
	}
}

package parse_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/biglog"
	"github.com/occlint/occlint/parse"
)

// BenchmarkRead is the reader on the shapes that large builds print, as a gate
// reads them. allocs/kernel counts the lists of the result too.
func BenchmarkRead(b *testing.B) {
	for _, shape := range biglog.Shapes {
		b.Run(string(shape), func(b *testing.B) {
			var log bytes.Buffer
			kernels, err := biglog.Write(&log, filepath.FromSlash(corpus), shape, 32<<20)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(log.Len()))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				l := &parse.Log{}
				if err := l.Read(bytes.NewReader(log.Bytes()), "big.log"); err != nil {
					b.Fatal(err)
				}
				if l.Len() < kernels || len(l.Faults) > 0 {
					b.Fatalf("%d records of %d kernels, faults %v", l.Len(), kernels, l.Faults)
				}
			}
			b.ReportMetric(float64(testing.AllocsPerRun(1, func() {
				_ = (&parse.Log{}).Read(bytes.NewReader(log.Bytes()), "big.log")
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

package where

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/code"
	"github.com/occlint/occlint/internal/term"
)

// BenchmarkRead takes images apart with their line tables; bytes are those of
// the images.
func BenchmarkRead(b *testing.B) {
	packed, err := os.ReadFile(filepath.Join("..", "..", "testdata", "cubin", "varied-124-sm_80.cubin.gz"))
	if err != nil {
		b.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := cubin.Parse(data)
		if err != nil {
			b.Fatal(err)
		}
		units, err := Units(f, "k.cubin")
		if err != nil {
			b.Fatal(err)
		}
		for _, u := range units {
			if _, err := Read(u); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// FuzzRead looks for code that breaks what is made of it: every byte of every
// site must be counted once, and every format must be written.
func FuzzRead(f *testing.F) {
	f.Add(byte(80), []byte("\x83y\x11\x01\x00\x24\x00\x00\x00\x08\x30\x00\x00\xa8\x1e\x00"), uint32(0), uint32(16), true)
	f.Add(byte(50), bytes.Repeat([]byte{0x10, 1, 0x47, 0, 0, 0, 0x54, 0xef}, 8), uint32(8), uint32(32), false)
	f.Fuzz(func(t *testing.T, sm byte, text []byte, start, end uint32, listed bool) {
		u := &Unit{File: "k\x1b.cubin", Arch: "sm_00", SM: int(sm), Kernel: "k", Entry: true, Text: text, Section: ".text.k", Listed: listed,
			Functions: []code.Function{{Name: "k", End: uint32(len(text))}, {Name: "$k$f", Start: start, End: end}}}
		if listed {
			u.Spills = []uint32{start, end}
		}
		kernels, err := Read(u)
		if err != nil {
			return
		}
		for _, k := range kernels {
			var all, told int64
			for i := range k.Sites {
				if s := &k.Sites[i]; s.Told {
					told += int64(s.Bytes)
				} else {
					all += int64(s.Bytes)
				}
			}
			if k.SpillBytes()+k.ArrayBytes() != told || k.Certainty != Unknown && all > 0 {
				t.Errorf("%d + %d bytes of %d", k.SpillBytes(), k.ArrayBytes(), told)
			}
			if k.LoopSpillBytes() > k.SpillBytes() {
				t.Errorf("%d bytes in loops of %d", k.LoopSpillBytes(), k.SpillBytes())
			}
			rows, _ := k.Tree()
			var sum int64
			for _, r := range rows {
				if r.Indent == 0 {
					sum += r.SpillStoreBytes + r.SpillLoadBytes
				}
			}
			if sum != k.SpillBytes() {
				t.Errorf("the rows have %d bytes of %d", sum, k.SpillBytes())
			}
		}
		Sort(kernels)
		r := &Report{Kernels: kernels, Lines: Lines(kernels)}
		for _, write := range []func(io.Writer, *Report) error{
			WriteJSON, WriteMarkdown, WriteHTML,
			func(w io.Writer, r *Report) error { return WriteText(w, term.Plain(), r) },
		} {
			var out bytes.Buffer
			if err := write(&out, r); err != nil || bytes.ContainsRune(out.Bytes(), '\x1b') {
				t.Errorf("%v: %q", err, &out)
			}
		}
	})
}

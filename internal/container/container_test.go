package container

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/cubin"
)

func sample(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// list reads a file and writes an entry a line: member, kind, and what its
// bytes say: the kernels of an image, the target of PTX.
func list(data []byte) (lines []string, faults []Fault, known bool) {
	found, faults, known := Read(bytes.NewReader(data), int64(len(data)), func(e Entry, b []byte) string {
		switch e.Kind {
		case Cubin:
			f, err := cubin.Parse(b)
			if err != nil {
				return err.Error()
			}
			names := []string{f.Arch}
			for _, fn := range f.Functions {
				names = append(names, fn.Name)
			}
			return strings.Join(names, " ")
		case PTX:
			_, target, _ := strings.Cut(string(b), "\n.target ")
			target, _, _ = strings.Cut(target, "\n")
			return "ptx " + target
		default:
		}
		return "not code: " + e.Arch
	}, nil)
	for _, f := range found {
		lines = append(lines, strings.TrimSpace(f.Member+" "+f.Value))
	}
	return lines, faults, known
}

// What stands in each file is what cuobjdump lists, in its order.
func TestRead(t *testing.T) {
	const kernel = "_Z4axpyfPKfPf"
	gz := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(data)
		_ = w.Close()
		return b.Bytes()
	}
	wheel := func(method uint16, members ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, m := range members {
			w, _ := z.CreateHeader(&zip.FileHeader{Name: "pkg/" + m, Method: method})
			_, _ = w.Write(sample(t, m))
		}
		_ = z.Close()
		return b.Bytes()
	}
	object := []string{"sm_80 " + kernel, "sm_90 " + kernel, "ptx sm_90"}
	inside := func(member string, lines []string) (all []string) {
		for _, l := range lines {
			all = append(all, member+" "+l)
		}
		return all
	}
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"object", sample(t, "axpy.o"), object},
		{"object, all compressed", sample(t, "axpy-all.o"), object},
		{"fat binary", sample(t, "axpy.fatbin"), object},
		{"object of -rdc", sample(t, "axpy-rdc.o"), []string{"sm_80 " + kernel, "ptx sm_80"}},
		{"object with zstd", sample(t, "separate-zstd.o"), []string{"sm_90 _Z6helperf _Z5otherf _Z11calls_otherPf", "ptx sm_90"}},
		{"LTO", sample(t, "axpy-lto.o"), []string{"ptx sm_80", "not code: sm_80"}},
		{"archive", archiveOf("axpy.o", sample(t, "axpy.o"), "a name that is longer than sixteen.o", sample(t, "axpy-rdc.o")),
			append(inside("axpy.o", object), inside("a name that is longer than sixteen.o", []string{"sm_80 " + kernel, "ptx sm_80"})...)},
		{"gzip", gz(sample(t, "axpy.o")), object},
		{"wheel", wheel(zip.Deflate, "README.md", "axpy.o"), inside("pkg/axpy.o", object)},
		{"stored wheel", wheel(zip.Store, "axpy.o"), inside("pkg/axpy.o", object)},
		{"archive in a gzip", gz(archiveOf("axpy.o", sample(t, "axpy.o"))), inside("axpy.o", object)},
		{"PE", peOf(".nv_fatb", sample(t, "axpy.fatbin")), object},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, faults, known := list(tt.data)
			if !known || len(faults) > 0 {
				t.Errorf("known %t, faults %v", known, faults)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	if _, _, known := list(sample(t, "axpy.cu")); known {
		t.Error("a source is taken for a binary")
	}
}

// archiveOf writes a GNU archive of pairs of name and data.
func archiveOf(pairs ...any) []byte {
	var long, body bytes.Buffer
	for i := 0; i < len(pairs); i += 2 {
		name, data := pairs[i].(string)+"/", pairs[i+1].([]byte)
		if len(name) > 16 {
			long.WriteString(name + "\n")
			name = fmt.Sprintf("/%d", long.Len()-len(name)-1)
		}
		fmt.Fprintf(&body, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o644, len(data))
		body.Write(data)
		if len(data)%2 == 1 {
			body.WriteByte('\n')
		}
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	if long.Len() > 0 {
		if long.Len()%2 == 1 {
			long.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%-16s%-12s%-6s%-6s%-8s%-10d`\n", "//", "", "", "", "", long.Len())
		b.Write(long.Bytes())
	}
	b.Write(body.Bytes())
	return b.Bytes()
}

// peOf writes the least of a PE executable with one section.
func peOf(name string, data []byte) []byte {
	const at, optional = 64, 0
	b := make([]byte, at+4+coffHeader+optional+coffSection)
	copy(b, "MZ")
	binary.LittleEndian.PutUint32(b[60:], at)
	copy(b[at:], "PE\x00\x00\x64\x86\x01\x00")
	s := b[at+4+coffHeader:]
	copy(s, name)
	binary.LittleEndian.PutUint32(s[16:], uint32(len(data)))
	binary.LittleEndian.PutUint32(s[20:], uint32(len(b)))
	return append(b, data...)
}

// A file cut anywhere is read as far as it goes, and says where it ends.
func TestCutFiles(t *testing.T) {
	for _, name := range []string{"axpy.o", "axpy.fatbin", "separate-zstd.o"} {
		whole := sample(t, name)
		for cut := SniffLength; cut < len(whole)-8; cut += 7 {
			if _, faults, known := list(whole[:cut]); known && len(faults) == 0 && !onlyPadding(whole, cut) {
				t.Errorf("%s cut at %d of %d: no fault", name, cut, len(whole))
			}
		}
	}
	archive := archiveOf("a.o", sample(t, "axpy.o"), "b.o", sample(t, "axpy-rdc.o"))
	lines, faults, _ := list(archive[:len(archive)-6000])
	if len(lines) < 3 || len(faults) == 0 || !strings.HasPrefix(lines[0], "a.o sm_80") {
		t.Errorf("of a cut archive: %q, faults %v", lines, faults)
	}
	if f := faults[len(faults)-1]; f.Member != "b.o" && f.Member != "" {
		t.Errorf("the fault is at %+v", f)
	}
}

// onlyPadding reports that nothing of a fat binary was lost: the cut took
// what is behind it. Only raw fat binaries end so.
func onlyPadding(whole []byte, cut int) bool {
	return len(bytes.Trim(whole[cut:], "\x00")) == 0
}

// Headers that promise 2^60 bytes cost no memory.
func TestPromisesAllocateNothing(t *testing.T) {
	fatbin, object := sample(t, "axpy.fatbin"), sample(t, "axpy-all.o")
	packed := bytes.Index(object, []byte("\x50\xed\x55\xba")) + containerHeader
	for _, tt := range []struct {
		name string
		data []byte
		at   int
	}{
		{"length of a container", fatbin, 8},
		{"length of an entry", fatbin, containerHeader + 8},
		{"unpacked length", object, packed + 56},
		{"section headers", object, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := bytes.Clone(tt.data)
			binary.LittleEndian.PutUint64(data[tt.at:], 1<<60)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, faults, _ := list(data)
			runtime.ReadMemStats(&after)
			if len(faults) == 0 {
				t.Error("no fault")
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
				t.Errorf("%d bytes allocated", n)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"axpy.fatbin", "axpy-all.o", "separate-zstd.o"} {
		f.Add(sample(f, name))
	}
	f.Add(archiveOf("a.o", sample(f, "axpy-rdc.o")))
	f.Add(peOf(".nv_fatb", sample(f, "axpy.fatbin")))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, faults, _ := Read(bytes.NewReader(data), int64(len(data)), func(_ Entry, b []byte) int {
			if len(b) > MaxEntry {
				t.Errorf("%d bytes in an entry", len(b))
			}
			return len(b)
		}, nil)
		if len(faults) > maxFaults+1 {
			t.Errorf("%d faults", len(faults))
		}
	})
}

// FuzzUnpack feeds the decompressors with bytes that no toolkit wrote.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("\x28\xb5\x2f\xfd\x04\x00\x09\x00\x00\x61"), int64(1), true)
	f.Add([]byte("\x10a"), int64(1), false)
	f.Fuzz(func(t *testing.T, packed []byte, unpacked int64, frame bool) {
		if unpacked < 0 || unpacked > 1<<20 {
			return
		}
		it := item{Entry: Entry{Size: int64(len(packed))}, src: bytes.NewReader(packed), method: lz4Block, unpacked: unpacked}
		if frame {
			it.method = zstdFrame
		}
		var b buffers
		defer b.close()
		if plain, err := b.unpack(&it); err == nil && int64(len(plain)) != unpacked {
			t.Errorf("%d bytes where %d were promised", len(plain), unpacked)
		}
	})
}

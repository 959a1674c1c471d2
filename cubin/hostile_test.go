package cubin_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/occlint/occlint/cubin"
)

// A file cut at any point, or with any word of its headers made huge, is
// either read or refused with a place inside it.
func TestCutAndBrokenImages(t *testing.T) {
	whole := unpack(t, samples+"/separate-124-sm_90.cubin.gz")
	for cut := range whole {
		if _, err := cubin.Parse(whole[:cut]); err == nil {
			t.Fatalf("cut at %d of %d: no error", cut, len(whole))
		}
	}
	for at := 0; at+8 <= len(whole); at += 4 {
		for _, word := range []uint64{1 << 60, 1<<64 - 1, 1 << 31} {
			broken := bytes.Clone(whole)
			binary.LittleEndian.PutUint64(broken[at:], word)
			_, err := cubin.Parse(broken)
			var format *cubin.FormatError
			if err != nil && (!errors.As(err, &format) || format.Offset < 0) {
				t.Fatalf("word %#x at %d: %v", word, at, err)
			}
		}
	}
}

// What is damaged costs only its own numbers.
func TestADamagedFunctionLeavesTheOthers(t *testing.T) {
	data := unpack(t, samples+"/features-124-sm_90a.cubin.gz")
	whole, err := cubin.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	info := whole.Sections[whole.Functions[0].Info]
	data[info.Offset] = 99 // no such format
	broken, err := cubin.Parse(data)
	var format *cubin.FormatError
	if !errors.As(err, &format) || format.Offset != int64(info.Offset) {
		t.Fatalf("error %v, want one at %d", err, info.Offset)
	}
	if len(broken.Functions) != len(whole.Functions) {
		t.Errorf("%d functions, want %d", len(broken.Functions), len(whole.Functions))
	}
	if last := len(whole.Functions) - 1; broken.Functions[last].Registers != whole.Functions[last].Registers {
		t.Error("an undamaged function lost its registers")
	}
}

// Headers that promise 2^60 of everything cost no memory: what is allocated
// stays below a few times the data.
func TestPromisesOfHugeCountsAllocateNothing(t *testing.T) {
	data := make([]byte, 256)
	copy(data, "\x7fELF\x02\x01\x01\x33\x07")
	binary.LittleEndian.PutUint16(data[16:], 2)
	binary.LittleEndian.PutUint16(data[18:], 190)
	binary.LittleEndian.PutUint64(data[40:], 64)    // section headers
	binary.LittleEndian.PutUint16(data[58:], 64)    // of 64 bytes
	binary.LittleEndian.PutUint64(data[96:], 1<<60) // their count: 0 above, so in the first header
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := cubin.Parse(data)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Error("no error")
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob(samples + "/separate*.cubin.gz")
	for _, path := range files {
		f.Add(unpack(f, path))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := cubin.Parse(data)
		if file == nil {
			if err == nil {
				t.Fatal("neither file nor error")
			}
			return
		}
		for i := range file.Functions {
			fn := &file.Functions[i]
			if text := &file.Sections[fn.Section]; fn.Offset > text.Size || fn.Size > text.Size-fn.Offset {
				t.Fatalf("%q reaches outside its section", fn.Name)
			}
			for range file.Spills(fn) {
			}
			for range file.Relocations(fn.Section) {
			}
		}
		for i := range file.Sections {
			for range file.Sections[i].Attributes() {
			}
		}
	})
}

// FuzzAttributes reads records that no toolkit wrote.
func FuzzAttributes(f *testing.F) {
	f.Add([]byte{4, 0x2f, 8, 0, 0x1e, 0, 0, 0, 0x20, 0, 0, 0, 3, 0x1b, 0xff, 0}) // registers of a symbol, and a cap
	f.Add([]byte{4, 0x55, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		section := cubin.Section{Data: data}
		read := 0
		for a := range section.Attributes() {
			read += 4 + len(a.Payload)
			if a.Format == 4 && a.Value != 0 || a.Format != 4 && a.Payload != nil {
				t.Fatalf("format %d with value %d and %d bytes", a.Format, a.Value, len(a.Payload))
			}
		}
		if read > len(data) {
			t.Fatalf("%d bytes of records in %d", read, len(data))
		}
	})
}

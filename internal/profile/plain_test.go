package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstdOf(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// A report says the same however it is packed, and a part of a packed one is
// refused: half of the launches would have wrong shares of the time.
func TestPackedReports(t *testing.T) {
	wide := func(e unicode.Endianness) func(*testing.T, []byte) []byte {
		return func(t *testing.T, data []byte) []byte {
			b, err := unicode.UTF16(e, unicode.UseBOM).NewEncoder().Bytes(data)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	for _, name := range []string{"own-small.ncu-rep.gz", "prof.raw.csv.gz", "fixtures/details-german.csv", "fixtures/nsys-gpu-trace.csv", "fixtures/trace.json", "own-small.details.txt.gz"} {
		data, err := io.ReadAll(open(t, name))
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := launchesOf(bytes.NewReader(data), name)
		if err != nil || len(want) == 0 {
			t.Fatal(name, len(want), err)
		}
		for _, c := range []struct {
			packed string
			pack   func(*testing.T, []byte) []byte
			text   bool // of text alone
			cut    bool // a part of it is known to be one
		}{
			{"gzip", gzipped, false, true}, {"zstd", zstdOf, false, true},
			{"UTF-16LE", wide(unicode.LittleEndian), true, false}, {"UTF-16BE", wide(unicode.BigEndian), true, false},
		} {
			if c.text && bytes.HasPrefix(data, []byte(repMagic)) {
				continue
			}
			packed := c.pack(t, data)
			if kind := Sniff(packed[:min(len(packed), SniffBytes)]); kind == NotReport || kind != Sniff(data[:min(len(data), SniffBytes)]) {
				t.Errorf("%s in %s is taken for %d", name, c.packed, kind)
			}
			if _, got, err := launchesOf(bytes.NewReader(packed), name); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %s: %d launches, want %d; %v", name, c.packed, len(got), len(want), err)
			}
			var known *Error
			if _, _, err := launchesOf(bytes.NewReader(packed[:len(packed)*2/3]), name); c.cut && (!errors.As(err, &known) || known.Place.File != name) {
				t.Errorf("a part of %s in %s: %v", name, c.packed, err)
			}
		}
	}
}

package profile

import (
	"bytes"
	"io"
	"testing"
)

// FuzzRead: whatever the bytes are, reading ends without a panic, in an error
// or in launches whose numbers are finite and whose places are in the file.
func FuzzRead(f *testing.F) {
	for _, name := range []string{
		"fixtures/raw.csv", "fixtures/trace.json", "fixtures/nsys-gpu-trace.csv", "own-live.metrics.csv", "model.trace.json.gz",
	} {
		data, err := io.ReadAll(open(f, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 6000)])
	}
	for _, name := range []string{"fixtures/details-live.csv", "fixtures/details-german.csv", "fixtures/summary-per-kernel.csv", "own-small.details.txt.gz"} {
		data, err := io.ReadAll(io.LimitReader(open(f, name), 4000))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(smallReport()))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := bytes.Count(data, []byte("\n")) + 1
		_, err := Read(bytes.NewReader(data), "f", func(l *Launch) error {
			for m := range metrics {
				if x, ok := l.Values.Of(m); ok && (x != x || x > 1e300 || x < -1e300) {
					t.Errorf("metric %d is %g", m, x)
				}
			}
			if l.Place.Line > lines && !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
				t.Errorf("line %d of %d", l.Place.Line, lines)
			}
			return nil
		}, func(*Binary) {})
		if err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

// FuzzSplitCSV: cells joined again are the line, when they needed no quotes.
func FuzzSplitCSV(f *testing.F) {
	f.Add([]byte(`"a","b""c",d,`))
	f.Add([]byte(`"open`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsAny(line, "\n") {
			return
		}
		cells, ok := splitCSV(line, nil)
		if ok && !bytes.Contains(line, []byte(`"`)) && !bytes.Equal(bytes.Join(cells, []byte(",")), line) {
			t.Errorf("%q became %q", line, cells)
		}
	})
}

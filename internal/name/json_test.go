package name

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func TestJSONWriter(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": "plain é 漢 <T>"}` + "\n":      `{"a": "plain é 漢 <T>"}` + "\n",
		"\"a\u202eb\u009b31mc\u0085\u2028\"": `"a\u202eb\u009b31mc\u0085\u2028"`,
		"\"\x7f\"":                           `"\u007f"`,
		// Plane 14's tag A is U+E0041: E0041 - 10000 = D0041; D0041 >> 10 = 340
		// and D0041 & 3FF = 41.
		"\"x\U000e0041\"": `"x\udb40\udc41"`,
		"\"\u00a0\"":      `"\u00a0"`, // a space that looks like another
	} {
		var out bytes.Buffer
		w := JSONWriter(&out)
		// In pieces of one byte, characters arrive in parts.
		for i := range len(in) {
			if n, err := w.Write([]byte{in[i]}); n != 1 || err != nil {
				t.Fatalf("%q: %d, %v", in, n, err)
			}
		}
		if out.String() != want {
			t.Errorf("%q in pieces gives %q, want %q", in, out.String(), want)
		}
		out.Reset()
		if n, err := JSONWriter(&out).Write([]byte(in)); n != len(in) || err != nil || out.String() != want {
			t.Errorf("%q gives %q (%d, %v), want %q", in, out.String(), n, err, want)
		}
		var before, after any
		if json.Unmarshal([]byte(in), &before) != nil || json.Unmarshal(out.Bytes(), &after) != nil {
			t.Fatalf("%q or %q is not JSON", in, out.String())
		}
		if a, ok := after.(string); ok && a != before {
			t.Errorf("%q reads as %q", in, a)
		}
	}
}

type brokenPipe struct{}

var errPipe = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

func TestJSONWriterErrors(t *testing.T) {
	if _, err := JSONWriter(brokenPipe{}).Write([]byte("{}")); !errors.Is(err, errPipe) {
		t.Errorf("error is %v", err)
	}
}

// What is read of the JSON is what was written, however it is cut.
func FuzzJSONWriter(f *testing.F) {
	f.Add("_Z1kPf", uint(3))
	f.Add("evil\u202e\u009b\U000e0041\xff", uint(7))
	f.Fuzz(func(t *testing.T, text string, cut uint) {
		object, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := JSONWriter(&out)
		at := int(cut % uint(len(object)))
		for _, part := range [][]byte{object[:at], object[at:]} {
			if _, err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		var want, got string
		if json.Unmarshal(object, &want) != nil || json.Unmarshal(out.Bytes(), &got) != nil || got != want {
			t.Fatalf("%q reads as %q", want, got)
		}
		if s := out.String(); Escape(s) != s {
			t.Errorf("%q is not safe to show", s)
		}
	})
}

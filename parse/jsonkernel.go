package parse

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// kernelList is the kernels of a document: those of a log to be written, or what
// was read.
type kernelList struct {
	log  *Log
	read []Kernel
}

// MarshalJSON writes the kernels one after the other.
func (l kernelList) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	var w KernelJSON
	for i, k := range l.log.Kernels() {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.Append(b, &k)
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *kernelList) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &l.read) }

// kernelObject is how the JSON of a Kernel is read.
type kernelObject struct {
	Name   string `json:"name"`
	Parent string `json:"parent"`
	Class
	CompileMicros Micros `json:"compile_ms"`
	Place         Place  `json:"place"`
	Compilation   int    `json:"compilation"`
}

// MarshalJSON writes the kernel as parse/schema.json describes it.
func (k Kernel) MarshalJSON() ([]byte, error) {
	var w KernelJSON
	return w.Append(nil, &k), nil
}

// UnmarshalJSON reads what MarshalJSON writes. The kernel has a class of its own
// then, until it is added to a Log.
func (k *Kernel) UnmarshalJSON(b []byte) error {
	var o kernelObject
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	*k = Kernel{&o.Class, o.Name, o.Parent, o.CompileMicros, o.Compilation, o.Place}
	return nil
}

// KernelJSON writes kernels as JSON, what their classes say once for each class.
// The zero value is ready. It is for one goroutine.
type KernelJSON struct {
	EscapeHTML bool // as json.Marshal does: <, > and & in strings
	classes    map[*Class]classJSON
}

// classJSON is the members of a class before and behind the compile time, each
// with a comma in front.
type classJSON struct{ before, behind []byte }

// Append appends the object of a kernel. more are members to stand behind its
// name, and at its end: each with a comma in front, or empty.
func (w *KernelJSON) Append(b []byte, k *Kernel, more ...[]byte) []byte {
	start := len(b)
	b = append(b, '{')
	if k.Name != "" {
		b = append(b, `,"name":`...)
		b = w.String(b, k.Name)
		if len(more) > 0 {
			b = append(b, more[0]...)
		}
	}
	if k.Parent != "" {
		b = append(b, `,"parent":`...)
		b = w.String(b, k.Parent)
	}
	c := w.class(k.Class)
	b = append(b, c.before...)
	if k.CompileMicros.Stated() {
		b = append(b, `,"compile_ms":`...)
		b = k.CompileMicros.append(b)
	}
	b = append(b, c.behind...)
	b = append(b, `,"place":`...)
	b = w.place(b, k.Place)
	b = append(b, `,"compilation":`...)
	b = strconv.AppendInt(b, int64(k.Compilation), 10)
	for _, m := range more[min(len(more), 1):] {
		b = append(b, m...)
	}
	if len(b) > start+1 && b[start+1] == ',' {
		b = append(b[:start+1], b[start+2:]...)
	}
	return append(b, '}')
}

// place appends a Place.
func (w *KernelJSON) place(b []byte, p Place) []byte {
	b = append(b, `{"file":`...)
	b = w.String(b, p.File)
	if p.Line != 0 {
		b = append(b, `,"line":`...)
		b = strconv.AppendInt(b, int64(p.Line), 10)
	}
	if p.Column != 0 {
		b = append(b, `,"column":`...)
		b = strconv.AppendInt(b, int64(p.Column), 10)
	}
	return append(b, '}')
}

// String appends a string. Nearly all are plain.
func (w *KernelJSON) String(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return append(b, w.marshal(s)...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func (w *KernelJSON) marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(w.EscapeHTML)
	_ = e.Encode(v) // of strings and numbers there is no error
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// class returns the members of a class. The compile time, which is not part of
// it, has its place in front of the constant banks.
func (w *KernelJSON) class(c *Class) (parts classJSON) {
	if c == nil {
		c = &Class{}
	}
	if parts, known := w.classes[c]; known {
		return parts
	}
	value := reflect.ValueOf(*c)
	to := &parts.before
	for i, f := range reflect.VisibleFields(value.Type()) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "const_bytes" {
			to = &parts.behind
		}
		if v := value.Field(i); !v.IsZero() {
			*to = append(*to, `,"`+key+`":`...)
			*to = append(*to, w.marshal(v.Interface())...)
		}
	}
	if w.classes == nil {
		w.classes = map[*Class]classJSON{}
	}
	w.classes[c] = parts
	return parts
}

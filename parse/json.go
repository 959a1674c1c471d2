package parse

import (
	"bytes"
	"encoding/json"
	"io"
)

// SchemaVersion is the version of the JSON that a Log marshals to. Keys may
// be added within a version; none is changed or removed. parse/schema.json
// describes it.
const SchemaVersion = 1

// document is the JSON of a Log.
type document struct {
	Schema       int           `json:"schema"`
	Kernels      kernelList    `json:"kernels"`
	Compilations []Compilation `json:"compilations"`
	Remarks      []Remark      `json:"remarks"`
	Summary      Summary       `json:"summary"`
}

// Summary says whether a log can be trusted as a whole.
type Summary struct {
	// Complete is false as soon as one fault is known.
	Complete bool `json:"complete"`
	// Defects lists the kinds of fault, each once, in order of appearance.
	Defects []FaultKind `json:"defects"`
	Faults  []Fault     `json:"faults,omitempty"`
}

// Summary returns what is known of the log as a whole.
func (l *Log) Summary() Summary {
	s := Summary{Complete: len(l.Faults) == 0, Defects: []FaultKind{}, Faults: l.Faults}
	var seen [256]bool
	for i := range l.Faults {
		if k := l.Faults[i].Kind; !seen[k] {
			seen[k] = true
			s.Defects = append(s.Defects, k)
		}
	}
	return s
}

// MarshalJSON writes the log as the object that parse/schema.json describes.
func (l *Log) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	d := document{
		Schema: SchemaVersion, Kernels: kernelList{log: l}, Compilations: l.Compilations,
		Remarks: l.Remarks, Summary: l.Summary(),
	}
	// An empty list is not an absent one.
	if d.Compilations == nil {
		d.Compilations = []Compilation{}
	}
	if d.Remarks == nil {
		d.Remarks = []Remark{}
	}
	if err := e.Encode(d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes. Keys that it does not know are
// left out, so records of a newer version of schema 1 can be read.
func (l *Log) UnmarshalJSON(b []byte) error {
	var d document
	if err := json.Unmarshal(b, &d); err != nil {
		return err
	}
	for i := range d.Compilations {
		d.Compilations[i].Index = i
	}
	*l = Log{Compilations: d.Compilations, Remarks: d.Remarks, Faults: d.Summary.Faults}
	l.Add(d.Kernels.read...)
	return nil
}

// WriteJSON writes the log's JSON, indented, with a newline at its end.
func (l *Log) WriteJSON(w io.Writer) error {
	text, err := l.MarshalJSON()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(text), "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

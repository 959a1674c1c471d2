package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"iter"
	"slices"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/share"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// findingJSON is a finding in the public JSON. Keys may be added within a
// schema's version, never changed.
type findingJSON struct {
	Rule        string           `json:"rule"`
	Severity    rules.Severity   `json:"severity"`
	Message     string           `json:"message"`
	Kernel      string           `json:"kernel,omitempty"`
	Demangled   string           `json:"demangled,omitempty"`
	Parent      string           `json:"parent,omitempty"`
	Arch        string           `json:"arch,omitempty"`
	Value       *float64         `json:"value,omitempty"`
	Limit       *float64         `json:"limit,omitempty"`
	Unit        string           `json:"unit,omitempty"`
	Field       string           `json:"field,omitempty"`
	Measures    []measureJSON    `json:"measures,omitempty"`
	Limiters    []string         `json:"limiters,omitempty"`
	Place       *parse.Place     `json:"place,omitempty"`
	Log         *logLineJSON     `json:"log,omitempty"`
	Declared    *declaredJSON    `json:"declared,omitempty"`
	Notes       []string         `json:"notes"`
	Help        string           `json:"help,omitempty"`
	Fingerprint string           `json:"fingerprint"`
	Suppressed  *suppressionJSON `json:"suppressed,omitempty"`
}

type measureJSON struct {
	Field string   `json:"field"`
	Value float64  `json:"value"`
	Limit *float64 `json:"limit,omitempty"`
}

type logLineJSON struct {
	parse.Place
	Text string `json:"text,omitempty"`
}

type declaredJSON struct {
	From rules.OriginKind `json:"from"`
	File string           `json:"file,omitempty"`
	Line int              `json:"line,omitempty"`
	Col  int              `json:"column,omitempty"`
	Text string           `json:"text,omitempty"`
}

type suppressionJSON struct {
	Reason string `json:"reason"`
	declaredJSON
}

// occupancyJSON is the occupancy of a kernel at the block size that it was
// computed for.
type occupancyJSON struct {
	Blocks   int      `json:"blocks"`
	Warps    int      `json:"warps"`
	Percent  float64  `json:"percent"`
	Limiters []string `json:"limiters"`
	Threads  int      `json:"threads"`
}

func newOccupancyJSON(o *arch.Occupancy, threads int) *occupancyJSON {
	return &occupancyJSON{o.Blocks, o.Warps, o.Percent(), o.Limiters.Names(), threads}
}

// writeJSON writes the log's records, what fits of each kernel, and every
// finding, info and suppressed ones too, as one object. It is written as it is
// made, so a log of a million kernels needs no copy in memory.
func writeJSON(w *bufio.Writer, in *Input) error {
	return writeRecords(w, in, nil, true)
}

// writeRecords writes the object of the parser with some of the records; nil is
// all.
func writeRecords(w *bufio.Writer, in *Input, records iter.Seq2[int, parse.Kernel], findings bool) error {
	j := &jsonWriter{Writer: w}
	j.text("{\"schema\":1,\n\"kernels\":[")
	if records == nil {
		records = in.Log.Kernels()
	}
	first := true
	in.objects(records, func(object []byte) {
		j.next(&first)
		j.bytes(object, nil)
	})
	j.text("],\n\"compilations\":[")
	for i := range in.Log.Compilations {
		j.element(i)
		j.bytes(json.Marshal(&in.Log.Compilations[i]))
	}
	j.text("],\n\"remarks\":[")
	for i := range in.Log.Remarks {
		j.element(i)
		j.bytes(in.remarkJSON(&in.Log.Remarks[i]))
	}
	j.text("],\n\"summary\":")
	j.bytes(json.Marshal(in.Log.Summary()))
	if findings {
		j.text(",\n\"findings\":[")
		for i := range in.Result.Findings {
			j.element(i)
			j.bytes(json.Marshal(in.findingJSON(&in.Result.Findings[i])))
		}
		j.text("]")
	}
	j.text("}\n")
	return j.err
}

// writeJSONLines writes one object a line: each kernel, then each finding,
// told apart by "type", then the summary.
func writeJSONLines(w *bufio.Writer, in *Input) error {
	j := &jsonWriter{Writer: w}
	in.objects(in.Log.Kernels(), func(object []byte) { j.typed("kernel", object, nil) })
	for i := range in.Result.Findings {
		b, err := json.Marshal(in.findingJSON(&in.Result.Findings[i]))
		j.typed("finding", b, err)
	}
	b, err := json.Marshal(in.Log.Summary())
	j.typed("summary", b, err)
	return j.err
}

// jsonWriter keeps the first error.
type jsonWriter struct {
	*bufio.Writer
	err error
}

func (j *jsonWriter) text(s string) {
	if _, err := j.WriteString(s); err != nil && j.err == nil {
		j.err = err
	}
}

func (j *jsonWriter) bytes(b []byte, err error) {
	if err != nil && j.err == nil {
		j.err = err
	}
	j.text(string(b))
}

// element separates the elements of an array, one a line.
func (j *jsonWriter) element(i int) {
	first := i == 0
	j.next(&first)
}

// next begins an element.
func (j *jsonWriter) next(first *bool) {
	if !*first {
		j.text(",")
	}
	*first = false
	j.text("\n ")
}

// typed writes an object with its type as the first key.
func (j *jsonWriter) typed(kind string, object []byte, err error) {
	j.text(`{"type":"` + kind + `"`)
	if rest := bytes.TrimPrefix(object, []byte("{")); len(rest) > 1 {
		j.text(",")
		j.bytes(rest, err)
	} else {
		j.bytes([]byte("}"), err)
	}
	j.text("\n")
}

// objects makes the JSON of kernels and calls f for each, in their order. The
// processors share the work, most of which is demangling, a batch at a time.
func (in *Input) objects(records iter.Seq2[int, parse.Kernel], f func(object []byte)) {
	const size, worthwhile = 1 << 12, 64
	writers := make([]kernelWriter, share.Parts(size, worthwhile))
	var indexes []int
	var kernels []parse.Kernel
	flush := func() {
		parts := share.Parts(len(kernels), worthwhile)
		share.Do(len(kernels), parts, func(part, from, to int) {
			w := &writers[part]
			w.text, w.ends = w.text[:0], w.ends[:0]
			for i := from; i < to; i++ {
				w.add(in, indexes[i], &kernels[i])
			}
		})
		for part := range parts {
			start := 0
			for _, end := range writers[part].ends {
				f(writers[part].text[start:end])
				start = end
			}
		}
		indexes, kernels = indexes[:0], kernels[:0]
	}
	for i, k := range records {
		indexes, kernels = append(indexes, i), append(kernels, k)
		if len(kernels) == size {
			flush()
		}
	}
	if len(kernels) > 0 {
		flush()
	}
}

// kernelWriter makes objects of kernels, one behind the other.
type kernelWriter struct {
	json parse.KernelJSON
	text []byte
	ends []int
	name string // the last one, and what it is demangled
	long []byte
}

// add appends a record as the parser writes it, with what the parser does not
// know: the demangled name, behind the name, and what fits.
func (w *kernelWriter) add(in *Input, i int, k *parse.Kernel) {
	w.json.EscapeHTML = true // as json.Marshal does
	var fits []byte
	if k.Name != "" && k.Name != w.name {
		w.name = k.Name
		w.long = w.json.String(append(w.long[:0], `,"demangled":`...), name.Demangle(k.Name))
	}
	if j, judged := in.Result.Of(i); judged && j.Occupancy != nil {
		text, _ := json.Marshal(newOccupancyJSON(j.Occupancy, j.Threads)) // of numbers there is no error
		fits = append([]byte(`,"occupancy":`), text...)
	}
	w.text = w.json.Append(w.text, k, w.long, fits)
	w.ends = append(w.ends, len(w.text))
}

// remarkJSON is a remark as the parser writes it, with the demangled name.
func (in *Input) remarkJSON(r *parse.Remark) ([]byte, error) {
	object, err := json.Marshal(r)
	if err != nil || r.Kernel == "" {
		return object, err
	}
	demangled, err := json.Marshal(in.demangled(r.Kernel))
	if err != nil {
		return nil, err
	}
	return slices.Concat(object[:len(object)-1], []byte(`,"demangled":`), demangled, []byte("}")), nil
}

func (in *Input) findingJSON(f *rules.Finding) *findingJSON {
	j := &findingJSON{
		Rule: f.Rule, Severity: f.Severity, Message: f.Message, Kernel: f.Kernel, Parent: f.Parent, Arch: f.Arch,
		Unit: f.Unit, Field: f.Field, Notes: f.Notes, Help: f.Help, Fingerprint: fingerprint(f),
	}
	if f.Kernel != "" {
		j.Demangled = in.demangled(f.Kernel)
	}
	if f.Unit != "" {
		j.Value, j.Limit = &f.Value, limit(f.Limit, f.Unlimited)
	}
	for _, m := range f.Measures {
		j.Measures = append(j.Measures, measureJSON{m.Field, m.Value, limit(m.Limit, m.Unlimited)})
	}
	if f.Limiters != 0 {
		j.Limiters = f.Limiters.Names()
	}
	if at := anchor(f); at.File != "" {
		j.Place = &at
	}
	if f.Log.File != "" {
		j.Log = &logLineJSON{f.Log, f.LogText}
	}
	if f.Declared.From != "" {
		d := newDeclaredJSON(f.Declared)
		j.Declared = &d
	}
	if j.Notes == nil {
		j.Notes = []string{}
	}
	if f.Suppressed != "" {
		j.Suppressed = &suppressionJSON{f.Suppressed, newDeclaredJSON(f.SuppressedBy)}
	}
	return j
}

// limit is nil where there is none: absent is not 0.
func limit(n float64, unlimited bool) *float64 {
	if unlimited {
		return nil
	}
	return &n
}

func newDeclaredJSON(o rules.Origin) declaredJSON {
	return declaredJSON{o.From, o.Place.File, o.Place.Line, o.Place.Column, o.Text}
}

package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// DeclaredFormats lists the formats of Declared.
func DeclaredFormats() []string { return []string{"text", "json"} }

// Declared writes what each kernel of the log declares, and where that was
// read.
func Declared(w io.Writer, format string, in *Input) error {
	out := bufio.NewWriterSize(guardOf(format)(w), 64<<10)
	in.stream = w
	var err error
	switch format {
	case "text":
		err = in.declaredText(out)
	case "json":
		err = in.declaredJSON(out)
	default:
		return fmt.Errorf("no format %q for declared; there are %s", format, strings.Join(DeclaredFormats(), ", "))
	}
	return cmp.Or(err, out.Flush())
}

// declaredField is one declared value, for both formats.
type declaredField struct {
	key, label string
	value      any    // for JSON
	text       string // for people
	origin     rules.Origin
}

// declaredFields lists what d sets beside the launch bounds.
func declaredFields(d *rules.Declaration) []declaredField {
	var all []declaredField
	add := func(set bool, key, label string, value any, unit string, o rules.Origin) {
		if set {
			all = append(all, declaredField{key, label, value, strings.TrimSpace(fmt.Sprint(value) + unit), o})
		}
	}
	add(d.Block.Set, "block", "block", d.Block.Value, " threads", d.Block.Origin)
	add(d.MaxRegisters.Set, "maxnreg", "maxnreg", d.MaxRegisters.Value, " registers", d.MaxRegisters.Origin)
	add(d.DynamicShared.Set, "dynamic_shared", "dynamic shared", d.DynamicShared.Value, " bytes", d.DynamicShared.Origin)
	budgets := rules.Budgets()
	for i := range budgets {
		b := &budgets[i]
		f := b.Declared(d)
		if !f.Set {
			continue
		}
		field := declaredField{b.Key, b.Label, json.Number(b.Number(f.Value)), b.Limit(f.Value), f.Origin}
		switch next := i + 1; {
		case b.Group == "":
		case next < len(budgets) && budgets[next].Group == b.Group && budgets[next].Declared(d) == f:
			field.label, field.text = b.Group, field.text+", each"
		case i > 0 && budgets[i-1].Group == b.Group && budgets[i-1].Declared(d) == f:
			field.label, field.text = "", "" // said with the one above
		}
		all = append(all, field)
	}
	return all
}

// unresolved reports whether bounds of the source could not be read and
// nothing else that is stronger than the defaults says them.
func unresolved(d *rules.Declaration) bool {
	return d.Unresolved.Set && (!d.LaunchBounds.Set || d.LaunchBounds.Origin.From == rules.FromDefaults)
}

// declaredKernelJSON is one kernel of the public JSON.
type declaredKernelJSON struct {
	Name              string                       `json:"name"`
	Demangled         string                       `json:"demangled,omitempty"`
	Arch              string                       `json:"arch,omitempty"`
	LaunchBounds      []int                        `json:"launch_bounds,omitempty"` // threads, and the minimum of blocks where there is one
	From              rules.OriginKind             `json:"from,omitempty"`          // of the launch bounds
	Place             *parse.Place                 `json:"place,omitempty"`
	Text              string                       `json:"text,omitempty"`
	Unresolved        string                       `json:"unresolved,omitempty"`
	Source            *parse.Place                 `json:"source,omitempty"` // of the kernel itself
	DynamicSharedUsed bool                         `json:"dynamic_shared_used,omitempty"`
	Declared          map[string]declaredValueJSON `json:"declared,omitempty"` // everything else, by the config's words
	Message           string                       `json:"message,omitempty"`
	Binary            *provenJSON                  `json:"binary,omitempty"` // what a compiled file shows to be in force
}

type declaredValueJSON struct {
	Value any              `json:"value"`
	From  rules.OriginKind `json:"from"`
	Place *parse.Place     `json:"place,omitempty"`
	Text  string           `json:"text,omitempty"`
}

func placeJSON(p parse.Place) *parse.Place {
	if p == (parse.Place{}) {
		return nil
	}
	return &p
}

func (in *Input) declaredJSON(w *bufio.Writer) error {
	if _, err := w.WriteString(`{"schema":1,"kernels":[`); err != nil {
		return err
	}
	first := true
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false) // as the records of the other commands
	for _, j := range in.Result.Kernels() {
		if j.Kernel.Name == "" || j.Kernel.Kind == parse.Function {
			continue
		}
		between := ","
		if first {
			between, first = "\n", false
		}
		if _, err := w.WriteString(between); err != nil {
			return err
		}
		if err := out.Encode(in.declaredKernel(&j)); err != nil {
			return err
		}
	}
	_, err := w.WriteString("]}\n")
	return err
}

func (in *Input) declaredKernel(j *rules.Judgement) declaredKernelJSON {
	d := j.Declared
	k := declaredKernelJSON{
		Name: j.Kernel.Name, Arch: j.Kernel.Arch, Source: placeJSON(d.Source.Value),
		DynamicSharedUsed: d.DynamicSharedUsed.Value, Message: d.Message.Value,
	}
	if full := in.demangled(k.Name); full != k.Name {
		k.Demangled = full
	}
	if b := d.LaunchBounds; b.Set {
		k.LaunchBounds = []int{b.Value.Threads}
		if b.Value.MinBlocks > 0 {
			k.LaunchBounds = append(k.LaunchBounds, b.Value.MinBlocks)
		}
		k.From, k.Place, k.Text = b.Origin.From, placeJSON(b.Origin.Place), b.Origin.Text
	}
	if unresolved(d) {
		k.Unresolved = d.Unresolved.Value
		if !d.LaunchBounds.Set {
			k.From, k.Place, k.Text = d.Unresolved.Origin.From, placeJSON(d.Unresolved.Origin.Place), d.Unresolved.Origin.Text
		}
	}
	k.Binary = in.proven(&j.Kernel)
	for _, f := range declaredFields(d) {
		if k.Declared == nil {
			k.Declared = map[string]declaredValueJSON{}
		}
		k.Declared[f.key] = declaredValueJSON{f.value, f.origin.From, placeJSON(f.origin.Place), f.origin.Text}
	}
	return k
}

// declaredBlock is all kernels of one family that declare the same.
type declaredBlock struct {
	family string
	names  []string
	archs  []string
	lines  []declaredField
}

// declaredText shows one block for each family of kernels that declare the
// same: a log can have thousands of instantiations.
func (in *Input) declaredText(w *bufio.Writer) error {
	style := in.style()
	blocks, count := in.declaredBlocks()
	in.shorten(func(yield func(string) bool) {
		for _, b := range blocks {
			if !yield(b.names[0]) {
				return
			}
		}
	})
	var text strings.Builder
	for i, b := range blocks {
		if i > 0 {
			text.WriteByte('\n')
		}
		title := in.shortName(b.names[0])
		if n := len(b.names); n > 1 {
			title = briefName(b.family) + fmt.Sprintf(" (%d instantiations)", n)
		}
		text.WriteString(style.Strong(style.Text(title)))
		if len(b.archs) > 0 {
			text.WriteString("  " + escaped(strings.Join(b.archs, ", ")))
		}
		text.WriteByte('\n')
		for _, l := range b.lines {
			writeDeclaredLine(&text, style, l)
		}
	}
	text.WriteString("\n" + count.String())
	_, err := w.WriteString(text.String())
	return err
}

func writeDeclaredLine(text *strings.Builder, style *term.Style, l declaredField) {
	line := "  " + term.Pad(l.label, 16) + style.Text(brief(l.text))
	if at := originText(l.origin); at != "" {
		line = term.Pad(line, 50) + "  " + style.Place(style.Text(at))
	}
	text.WriteString(strings.TrimRight(line, " ") + "\n")
}

// originText is where something was declared, and its text.
func originText(o rules.Origin) string {
	at := place(o.Place)
	if o.Text == "" {
		return at
	}
	if at == "" {
		return brief(o.Text)
	}
	return at + "  " + brief(o.Text)
}

// declaredCount is the last line: how much is known.
type declaredCount struct{ kernels, bounds, unresolved, none, absent int }

func (c declaredCount) String() string {
	text := fmt.Sprintf("%d kernels: %d with launch bounds", c.kernels, c.bounds)
	if c.kernels == 1 {
		text = fmt.Sprintf("1 kernel: %d with launch bounds", c.bounds)
	}
	if c.unresolved > 0 {
		text += fmt.Sprintf(", %d unresolved", c.unresolved)
	}
	if c.none > 0 {
		text += fmt.Sprintf(", %d without", c.none)
	}
	if c.absent > 0 {
		text += fmt.Sprintf(", %d not found in sources or PTX", c.absent)
	}
	return text + "\n"
}

func (in *Input) declaredBlocks() ([]*declaredBlock, declaredCount) {
	var blocks []*declaredBlock
	index := map[string]*declaredBlock{}
	var count declaredCount
	for _, j := range in.Result.Kernels() {
		if j.Kernel.Name == "" || j.Kernel.Kind == parse.Function {
			continue
		}
		count.add(j.Declared)
		family := name.Family(j.Kernel.Name)
		key := fmt.Sprintf("%s\x00%p\x00%p", family, j.Declared, j.Kernel.Class)
		b := index[key]
		if b == nil {
			b = &declaredBlock{family: family, lines: append(in.provenLines(&j.Kernel), declaredLines(j.Declared)...)}
			if n := len(b.lines); n > 1 && b.lines[n-1].label == "nothing" {
				b.lines = b.lines[:n-1]
			}
			shown := fmt.Sprintf("%s\x00%+v", family, b.lines)
			if same := index[shown]; same != nil {
				b = same
			} else {
				blocks = append(blocks, b)
			}
			index[key], index[shown] = b, b
		}
		if !slices.Contains(b.archs, j.Kernel.Arch) && j.Kernel.Arch != "" {
			b.archs = append(b.archs, j.Kernel.Arch)
		}
		if n := len(b.names); n == 0 || b.names[n-1] != j.Kernel.Name {
			b.names = append(b.names, j.Kernel.Name)
		}
	}
	for _, b := range blocks {
		slices.Sort(b.names)
		b.names = slices.Compact(b.names)
	}
	return blocks, count
}

func (c *declaredCount) add(d *rules.Declaration) {
	c.kernels++
	switch {
	case unresolved(d):
		c.unresolved++
	case d.LaunchBounds.Set:
		c.bounds++
	case d.Source.Set, d.PTX.Set:
		c.none++
	default:
		c.absent++
	}
}

func declaredLines(d *rules.Declaration) []declaredField {
	var lines []declaredField
	if d.Source.Set {
		lines = append(lines, declaredField{label: "source", text: place(d.Source.Value)})
	}
	if b := d.LaunchBounds; b.Set {
		text := strconv.Itoa(b.Value.Threads) + " threads"
		if b.Value.MinBlocks > 0 {
			text += ", at least " + strconv.Itoa(b.Value.MinBlocks) + " per SM"
		}
		lines = append(lines, declaredField{label: "launch bounds", text: text, origin: b.Origin})
	}
	if unresolved(d) {
		lines = append(lines, declaredField{label: "unresolved", text: d.Unresolved.Value, origin: d.Unresolved.Origin})
	}
	if d.DynamicSharedUsed.Value && !d.DynamicShared.Set {
		lines = append(lines, declaredField{label: "dynamic shared", text: "used, size not declared"})
	}
	for _, f := range declaredFields(d) {
		if f.label != "" {
			lines = append(lines, f)
		}
	}
	if d.Message.Set {
		lines = append(lines, declaredField{label: "message", text: strconv.Quote(d.Message.Value), origin: d.Message.Origin})
	}
	if len(lines) == 0 {
		lines = append(lines, declaredField{label: "nothing"})
	}
	return lines
}

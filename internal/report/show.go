package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/parse"
)

// ShowOptions are the reader's wishes for the table of kernels.
type ShowOptions struct {
	Sort  string                    // one of SortKeys; empty is the log's order
	Top   int                       // at most so many rows; 0 is all
	Match func(mangled string) bool // nil takes every kernel
	Archs []string                  // empty takes all; sm_90 takes sm_90a too
	All   bool                      // device functions too, where they neither spill nor have a stack
}

// SortKeys lists what a table can be sorted by.
func SortKeys() []string {
	return []string{"name", "arch", "registers", "spills", "stack", "shared", "barriers", "occupancy", "time"}
}

// ShowFormats lists the formats of Show.
func ShowFormats() []string { return []string{"text", "json", "csv", "markdown"} }

// row is one line of the table: a record with the numbers that count.
type row struct {
	kernel    parse.Kernel // the numbers that count
	record    parse.Kernel // the log's record
	index     int          // of record
	occupancy *arch.Occupancy
	threads   int
}

// Show writes the table of kernels.
func Show(w io.Writer, format string, in *Input, o ShowOptions) error {
	out := bufio.NewWriterSize(guardOf(format)(w), 64<<10)
	in.stream = w
	var err error
	rows := in.rows(&o)
	if o.Sort != "name" {
		in.shorten(rowNames(rows))
	}
	switch format {
	case "text":
		err = in.showText(out, rows)
	case "json":
		err = in.showJSON(out, rows, &o)
	case "csv":
		err = in.showTableCSV(rows).WriteCSV(out)
	case "markdown":
		err = writeMarkdownTable(out, in.showTable(rows, false))
	default:
		return fmt.Errorf("no format %q for show; there are %s", format, strings.Join(ShowFormats(), ", "))
	}
	return cmp.Or(err, out.Flush())
}

// rows picks and sorts what the table shows.
func (in *Input) rows(o *ShowOptions) []row {
	var rows []row
	halves := in.compiledHalves()
	for i, k := range in.Log.Kernels() {
		if halves[i] || !o.wants(&k) {
			continue
		}
		r := row{kernel: k, record: k, index: i}
		if j, judged := in.Result.Of(i); judged {
			r.kernel, r.occupancy, r.threads = j.Kernel, j.Occupancy, j.Threads
		} else if k.Stage == parse.StageBinary {
			continue // the log's row has it
		}
		rows = append(rows, r)
	}
	if o.Sort == "name" {
		in.shorten(rowNames(rows))
	}
	in.sortRows(rows, o.Sort)
	if o.Top > 0 && len(rows) > o.Top {
		rows = rows[:o.Top]
	}
	return rows
}

// rowNames are the names that rows show.
func rowNames(rows []row) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range rows {
			if !yield(rows[i].kernel.Name) || !yield(rows[i].kernel.Parent) {
				return
			}
		}
	}
}

// compiledHalves are the compiler's records of linked kernels: the linker's
// row has their spills already.
func (in *Input) compiledHalves() map[int]bool {
	halves := map[int]bool{}
	for _, j := range in.Result.Kernels() {
		if j.Compiled >= 0 {
			halves[j.Compiled] = true
		}
	}
	return halves
}

// Takes reports whether the reader asked for k, by name and architecture.
func (o *ShowOptions) Takes(k *parse.Kernel) bool {
	if o.Match != nil && !o.Match(k.Name) {
		return false
	}
	if len(o.Archs) > 0 && !slices.ContainsFunc(o.Archs, func(a string) bool { return k.Arch == a || arch.Base(k.Arch) == arch.Base(a) && arch.Base(a) == a }) {
		return false
	}
	return true
}

func (o *ShowOptions) wants(k *parse.Kernel) bool {
	if !o.Takes(k) {
		return false
	}
	// A device function without a stack has no number worth a row.
	return o.All || k.Kind != parse.Function || k.StackBytes.Or(0) > 0 || k.SpillStoreBytes.Or(0)+k.SpillLoadBytes.Or(0) > 0
}

func (in *Input) sortRows(rows []row, key string) {
	number := func(of func(*parse.Kernel) parse.Count) func(a, b row) int {
		// Absent sorts below 0: nothing is known to be wrong there.
		return func(a, b row) int { return cmp.Compare(of(&b.kernel).Or(-1), of(&a.kernel).Or(-1)) }
	}
	var by func(a, b row) int
	switch key {
	case "name":
		by = func(a, b row) int {
			return strings.Compare(in.shortName(a.kernel.Name), in.shortName(b.kernel.Name))
		}
	case "arch":
		by = func(a, b row) int { return compareArch(a.kernel.Arch, b.kernel.Arch) }
	case "registers":
		by = number(func(k *parse.Kernel) parse.Count { return k.Registers })
	case "spills":
		by = func(a, b row) int { return cmp.Compare(spills(&b.kernel), spills(&a.kernel)) }
	case "stack":
		by = number(func(k *parse.Kernel) parse.Count { return k.StackBytes })
	case "shared":
		by = number(func(k *parse.Kernel) parse.Count { return k.SharedBytes })
	case "barriers":
		by = number(func(k *parse.Kernel) parse.Count { return k.Barriers })
	case "time":
		by = func(a, b row) int { return cmp.Compare(b.kernel.CompileMicros.Or(-1), a.kernel.CompileMicros.Or(-1)) }
	case "occupancy":
		by = func(a, b row) int { return cmp.Compare(occupancyRank(a), occupancyRank(b)) }
	default:
		return
	}
	slices.SortStableFunc(rows, by)
}

func spills(k *parse.Kernel) int64 { return k.SpillStoreBytes.Or(0) + k.SpillLoadBytes.Or(0) }

// occupancyRank sorts the lowest occupancy first and the unknown ones last.
func occupancyRank(r row) float64 {
	if r.occupancy == nil {
		return 101
	}
	return r.occupancy.Percent()
}

func (in *Input) showText(w *bufio.Writer, rows []row) error {
	style, compact := in.style(), false
	if len(rows) > 0 {
		t := in.showTable(rows, false)
		compact = style.Width > 0 && !t.Fits(style)
		if compact {
			t = in.showTable(rows, true)
		}
		if err := t.WriteText(w, style); err != nil {
			return err
		}
		if _, err := w.WriteString("\n"); err != nil {
			return err
		}
	}
	for _, line := range term.Wrap(style.Text(in.showSummary(rows, compact)), style.Width) {
		if _, err := w.WriteString(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// showSummary says what the table has, and how its columns are to be read.
func (in *Input) showSummary(rows []row, compact bool) string {
	kernels, functions, defects, unknown := 0, 0, 0, 0
	for _, r := range rows {
		if r.kernel.Kind == parse.Function {
			functions++
		} else {
			kernels++
			if r.occupancy == nil {
				unknown++
			}
		}
		if r.record.Defect != 0 {
			defects++
		}
	}
	s := plural(kernels, "kernel")
	if functions > 0 {
		s += ", " + plural(functions, "device function")
	}
	if defects > 0 {
		s += fmt.Sprintf("; %d marked ! can't be trusted", defects)
	}
	if kernels > 0 {
		s += ". Spills are bytes of stores + loads"
		if unknown < kernels && !compact {
			s += "; occupancy is of blocks × threads"
		}
		s += "."
	}
	if unknown > 0 {
		s += fmt.Sprintf(" %d without occupancy: --threads N assumes a block size where none is declared.", unknown)
	}
	return s
}

// showJSON writes the records that the table shows as the parser's object. All
// records and their compilations are there when nothing was asked to be left
// out, since other tools read this.
func (in *Input) showJSON(w *bufio.Writer, rows []row, o *ShowOptions) error {
	if o.Match == nil && len(o.Archs) == 0 && o.Top == 0 && o.Sort == "" {
		return writeRecords(w, in, nil, false)
	}
	return writeRecords(w, in, func(yield func(int, parse.Kernel) bool) {
		for i := range rows {
			if !yield(rows[i].index, rows[i].record) {
				return
			}
		}
	}, false)
}

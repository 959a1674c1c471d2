package calc

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
)

// Batch reads launches from CSV and writes each with what fits of it.
type Batch struct {
	Table *arch.Table
	// File is what errors call the input.
	File string
	// OnError is called for each row that can't be computed, with its line in
	// the error.
	OnError func(error)
}

// batchColumns are the columns that a batch reads; barriers may be missing.
var batchColumns = [...]string{"arch", "threads", "registers", "shared_bytes", "barriers"}

// batchAdded are the columns that a batch adds.
var batchAdded = [...]string{"blocks", "warps", "limit_warps", "limit_blocks", "limit_registers", "limit_shared", "limit_barriers"}

// BatchHeader is what the first line of a batch has, with more columns or in
// another order if need be.
func BatchHeader() string { return strings.Join(batchColumns[:], ",") }

// Run computes each row of r and writes it to w, with its own cells first. A
// row that can't be computed keeps its cells, as far as the header has columns
// for them, gets empty ones added and is counted in bad. err is for input and
// output, and for a header that names the columns wrong.
func (b *Batch) Run(w io.Writer, r io.Reader) (rows, bad int64, err error) {
	in, p := newRowReader(r), &rowParser{}
	header, err := in.next(p)
	if errors.Is(err, io.EOF) {
		return 0, 0, fmt.Errorf("%s: empty; the first line names the columns: %s", b.File, BatchHeader())
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", b.File, err)
	}
	run := &batchRun{Batch: b, in: in, parser: p, width: len(header.cells), sms: map[string]*arch.SM{}}
	if err = run.findColumns(header); err != nil {
		return 0, 0, fmt.Errorf("%s:%d: %w", b.File, header.line, err)
	}
	out := csv.NewWriter(bufio.NewWriterSize(w, 1<<16))
	if err = out.Write(append(slices.Clone(header.cells), batchAdded[:]...)); err == nil {
		err = run.all(out)
	}
	out.Flush() // what was computed before an error, too
	if err == nil {
		err = out.Error()
	}
	return run.rows, run.bad, err
}

// findColumns finds the columns that are read, and refuses a header that
// names one twice or has those that are added.
func (b *batchRun) findColumns(header row) error {
	if header.fault != nil {
		return header.fault
	}
	where := map[string][]int{}
	for i, h := range header.cells {
		if strings.Contains(h, "\r") {
			return errors.New("the lines end with CR alone; end them with LF or CR LF")
		}
		h = strings.TrimSpace(h)
		where[h] = append(where[h], i)
	}
	var missing, twice, taken []string
	for i, name := range batchColumns {
		b.columns[i] = -1
		switch at := where[name]; {
		case len(at) > 1:
			twice = append(twice, name)
		case len(at) == 1:
			b.columns[i] = at[0]
		case name != "barriers":
			missing = append(missing, name)
		}
	}
	for _, name := range batchAdded {
		if len(where[name]) > 0 {
			taken = append(taken, name)
		}
	}
	switch {
	case len(missing) > 0:
		return fmt.Errorf("the header lacks %s; it needs %s", strings.Join(missing, ", "), BatchHeader())
	case len(twice) > 0:
		return fmt.Errorf("the header has %s more than once", strings.Join(twice, ", "))
	case len(taken) > 0:
		return fmt.Errorf("the header has %s, which a batch adds: rename or remove them", strings.Join(taken, ", "))
	}
	return nil
}

// batchRun is one run of a batch.
type batchRun struct {
	*Batch
	in        *rowReader
	parser    *rowParser
	columns   [len(batchColumns)]int // where each column is; -1: missing
	width     int                    // cells in a row
	sms       map[string]*arch.SM    // by name as written: looking up takes longer than computing
	rows, bad int64
	cells     []string
}

func (b *batchRun) all(out *csv.Writer) error {
	for {
		r, err := b.in.next(b.parser)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.File, err)
		}
		b.rows++
		b.cells = append(b.cells[:0], r.cells[:min(len(r.cells), b.width)]...)
		if r.fault == nil {
			r.fault = b.row(r.cells)
		}
		if r.fault != nil {
			b.fault(r.line, r.fault)
			for len(b.cells) < b.width+len(batchAdded) {
				b.cells = append(b.cells, "")
			}
		}
		if err := out.Write(b.cells); err != nil {
			return err
		}
	}
}

func (b *batchRun) fault(line int, err error) {
	b.bad++
	if b.OnError != nil {
		b.OnError(fmt.Errorf("%s:%d: %w", b.File, line, err))
	}
}

func (b *batchRun) row(record []string) error {
	if len(record) != b.width {
		return fmt.Errorf("%d cells, and the header has %d", len(record), b.width)
	}
	sm, err := b.sm(record[b.columns[0]])
	if err != nil {
		return err
	}
	var l arch.Launch
	for i, field := range [...]*int{&l.Threads, &l.Registers, &l.SharedBytes, &l.Barriers} {
		column := i + 1
		if b.columns[column] < 0 {
			*field = arch.Unknown
			continue
		}
		if *field, err = batchNumber(batchColumns[column], record[b.columns[column]]); err != nil {
			return err
		}
	}
	switch {
	case l.Threads < 1:
		return fmt.Errorf("threads: %d, want 1 or more", l.Threads)
	case l.Registers == 0:
		return errors.New("registers: 0, want 1 or more, or - where the number is not known")
	}
	o := sm.Occupancy(l)
	b.cells = append(b.cells, strconv.Itoa(o.Blocks), strconv.Itoa(o.Warps))
	for _, limit := range o.Limits {
		b.cells = append(b.cells, number(limit))
	}
	return nil
}

func (b *batchRun) sm(name string) (*arch.SM, error) {
	if sm, ok := b.sms[name]; ok {
		return sm, nil
	}
	sm, err := b.Table.Lookup(strings.TrimSpace(name))
	if err != nil {
		return nil, fmt.Errorf("%w; a config describes others under custom_archs", err)
	}
	if len(b.sms) < 1000 { // a hostile file has any number of spellings
		b.sms[strings.Clone(name)] = sm
	}
	return sm, nil
}

// batchNumber reads one cell. Registers and barriers may be "-" or empty: not
// known. Shared memory is written as for --shared: 16384 or 16KiB.
func batchNumber(column, cell string) (n int, err error) {
	text := strings.TrimSpace(cell)
	switch {
	case (text == "" || text == "-") && (column == "registers" || column == "barriers"):
		return arch.Unknown, nil
	case column == "shared_bytes":
		if n, err = ParseBytes(text); err != nil {
			return 0, fmt.Errorf("%s: %w", column, err)
		}
	default:
		if n, err = strconv.Atoi(text); err != nil {
			return 0, fmt.Errorf("%s: %q is not a whole number", column, cell)
		}
	}
	if n < 0 || n > MostNumber {
		return 0, fmt.Errorf("%s: %d, want 0 to %d", column, n, MostNumber)
	}
	return n, nil
}

// MostNumber is the largest number of anything that a launch is asked with:
// what package arch computes with, and far above what any SM has.
const MostNumber = 1 << 30

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
// row that can't be computed keeps its cells, gets empty ones added and is
// counted in bad. err is for input and output, and for a header that lacks a
// column.
func (b *Batch) Run(w io.Writer, r io.Reader) (rows, bad int64, err error) {
	in := csv.NewReader(skipBOM(r))
	in.FieldsPerRecord = -1 // checked here, so that one short row does not end the batch
	in.ReuseRecord = true
	out := csv.NewWriter(bufio.NewWriterSize(w, 1<<16))
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return 0, 0, fmt.Errorf("%s: empty; the first line names the columns: %s", b.File, BatchHeader())
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", b.File, err)
	}
	run := &batchRun{Batch: b, in: in, width: len(header), sms: map[string]*arch.SM{}}
	if run.columns, err = findColumns(b.File, header); err != nil {
		return 0, 0, err
	}
	if err := out.Write(append(slices.Clone(header), batchAdded[:]...)); err != nil {
		return 0, 0, err
	}
	err = run.all(out)
	out.Flush()
	return run.rows, run.bad, errors.Join(err, out.Error())
}

// skipBOM passes over the mark that some spreadsheets write before UTF-8.
func skipBOM(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 1<<16)
	if start, err := in.Peek(3); err == nil && string(start) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	return in
}

func findColumns(file string, header []string) (columns [len(batchColumns)]int, err error) {
	var missing []string
	for i, name := range batchColumns {
		columns[i] = slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == name })
		if columns[i] < 0 && name != "barriers" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return columns, fmt.Errorf("%s:1: the header lacks %s; it needs %s", file, strings.Join(missing, ", "), BatchHeader())
	}
	return columns, nil
}

// batchRun is one run of a batch.
type batchRun struct {
	*Batch
	in        *csv.Reader
	columns   [len(batchColumns)]int // where each column is; -1: missing
	width     int                    // cells in a row
	sms       map[string]*arch.SM    // by name as written: looking up takes longer than computing
	rows, bad int64
	cells     []string
}

func (b *batchRun) all(out *csv.Writer) error {
	for {
		record, err := b.in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var syntax *csv.ParseError
		if err != nil && !errors.As(err, &syntax) {
			return fmt.Errorf("%s: %w", b.File, err)
		}
		b.rows++
		if syntax != nil {
			b.fault(syntax.Line, syntax.Err)
			continue // its cells are not known
		}
		b.cells = append(b.cells[:0], record...)
		if err := b.row(record); err != nil {
			line, _ := b.in.FieldPos(0)
			b.fault(line, err)
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
	if l.Threads < 1 {
		return fmt.Errorf("threads: %d, want 1 or more", l.Threads)
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
		return nil, err
	}
	if len(b.sms) < 1000 { // a hostile file has any number of spellings
		b.sms[strings.Clone(name)] = sm
	}
	return sm, nil
}

// batchNumber reads one cell. Registers and barriers may be "-" or empty: not
// known.
func batchNumber(column, cell string) (int, error) {
	const most = 1 << 30
	text := strings.TrimSpace(cell)
	if (text == "" || text == "-") && (column == "registers" || column == "barriers") {
		return arch.Unknown, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is not a whole number", column, cell)
	}
	if n < 0 || n > most {
		return 0, fmt.Errorf("%s: %d, want 0 to %d", column, n, most)
	}
	return n, nil
}

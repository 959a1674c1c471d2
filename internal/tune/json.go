package tune

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/occlint/occlint/internal/name"
)

// Schema is the version of the JSON that WriteJSON writes. Keys may be added
// within a version, never changed.
const Schema = 1

// File is a result as JSON has it, and what every other format but the table
// for terminals is made from.
type File struct {
	Schema  int          `json:"schema"`
	Kernels []FileKernel `json:"kernels"`
	Notes   []string     `json:"notes"`
}

// FileKernel is one kernel on one architecture.
type FileKernel struct {
	Name         string    `json:"name"`
	Demangled    string    `json:"demangled"`
	Arch         string    `json:"arch"`
	Launch       string    `json:"launch"`               // what the occupancy is for, in words
	DynamicBytes *int      `json:"dynamic_shared_bytes"` // null: not declared, counted as 0
	Rows         []FileRow `json:"rows"`
	Sentences    []string  `json:"sentences"`
	Notes        []string  `json:"notes"`
	Fastest      *string   `json:"fastest"` // null: not timed, or none outside the spread
}

// FileRow is one variant. It has every key in every row: null is what is not known.
type FileRow struct {
	Variant         string    `json:"variant"`
	LaunchBounds    []int     `json:"launch_bounds"` // threads, and the minimum of blocks where there is one; null: none
	Method          string    `json:"method"`
	Threads         int       `json:"threads"` // that the occupancy is for
	Cap             int       `json:"cap"`
	Registers       *int      `json:"registers"`
	SpillStoreBytes *int      `json:"spill_store_bytes"`
	SpillLoadBytes  *int      `json:"spill_load_bytes"`
	LoopSpillBytes  *int      `json:"loop_spill_bytes"` // of both, in loops; null where the code does not tell
	StackBytes      *int      `json:"stack_bytes"`
	SharedBytes     *int      `json:"shared_bytes"` // static
	Barriers        *int      `json:"barriers"`
	Blocks          *int      `json:"blocks"`
	Warps           *int      `json:"warps"`
	Percent         *float64  `json:"percent"`
	Limiters        []string  `json:"limiters"`
	Today           bool      `json:"today"`
	Frontier        bool      `json:"frontier"`
	SameAs          *string   `json:"same_as"` // the variant with the same machine code
	CompileMillis   float64   `json:"compile_ms"`
	TimeMillis      *FileTime `json:"time_ms"`
	CodeSHA256      string    `json:"code_sha256,omitempty"` // of the machine code
	Error           *string   `json:"error"`
}

// FileTime is what a row took, in milliseconds.
type FileTime struct {
	Median float64   `json:"median"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Runs   []float64 `json:"runs"`
}

// File turns the result into what is written.
func (r *Result) File() *File {
	f := &File{Schema: Schema, Kernels: []FileKernel{}, Notes: filled(r.Notes)}
	for i := range r.Tables {
		f.Kernels = append(f.Kernels, r.Tables[i].json(r.Method))
	}
	return f
}

// ReadJSON reads what WriteJSON wrote.
func ReadJSON(r io.Reader) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostFileBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > mostFileBytes:
		return nil, fmt.Errorf("it is no result of occlint tune: it has more than %d bytes", mostFileBytes)
	}
	f := &File{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("it is no result of occlint tune: %w", err)
	}
	if f.Schema != Schema {
		return nil, fmt.Errorf("it has schema %d, and this version reads %d", f.Schema, Schema)
	}
	return f, f.complete()
}

// mostFileBytes is far more than a result has: a row takes less than 1 KiB.
const mostFileBytes = 64 << 20

// complete finds out whether it really is what WriteJSON writes: other commands
// write a schema 1 with kernels too.
func (f *File) complete() error {
	if len(f.Kernels) == 0 {
		return errors.New("it is no result of occlint tune: it has no kernels")
	}
	for i := range f.Kernels {
		k := &f.Kernels[i]
		if len(k.Rows) == 0 || slices.ContainsFunc(k.Rows, func(r FileRow) bool { return r.Variant == "" || r.Method == "" }) {
			return fmt.Errorf("it is no result of occlint tune: there are no rows of variants for %s", name.Brief(name.Qualified(k.Name), mostErrorRunes))
		}
	}
	return nil
}

// WriteJSON writes the result for programs.
func (f *File) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(name.JSONWriter(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

func (t *Table) json(method string) FileKernel {
	j := FileKernel{
		Name: t.Name, Demangled: name.Demangle(t.Name), Arch: t.Arch, Launch: t.launchWords(),
		Rows: []FileRow{}, Sentences: t.allSentences(), Notes: filled(t.Notes),
	}
	if t.Launch.DynamicKnown {
		j.DynamicBytes = &t.Launch.DynamicBytes
	}
	if v := t.Verdict; v != nil && v.Fastest >= 0 {
		fastest := t.Rows[v.Fastest].Name()
		j.Fastest = &fastest
	}
	for i := range t.Rows {
		j.Rows = append(j.Rows, t.fileRow(&t.Rows[i], method))
	}
	return j
}

func (t *Table) fileRow(r *Row, method string) FileRow {
	j := FileRow{
		Variant: r.Name(), Method: method, Threads: r.Threads, Cap: r.Cap,
		Today: r.Kind == AsWritten, Frontier: r.Frontier, CompileMillis: r.CompileMillis,
	}
	if b := r.Bounds; b.Threads > 0 {
		j.LaunchBounds = []int{b.Threads}
		if b.MinBlocks > 0 {
			j.LaunchBounds = append(j.LaunchBounds, b.MinBlocks)
		}
	}
	if r.SameAs >= 0 {
		same := t.Rows[r.SameAs].Name()
		j.SameAs = &same
	}
	if r.Time != nil {
		j.TimeMillis = &FileTime{r.Time.Median, r.Time.Min, r.Time.Max, r.Time.Runs}
	}
	switch {
	case !r.Measured():
		j.Error = &r.Error
		return j
	case r.TimeError != "":
		j.Error = &r.TimeError
	}
	j.CodeSHA256 = hex.EncodeToString([]byte(r.code))
	pct := r.Percent()
	j.Registers, j.SpillStoreBytes, j.SpillLoadBytes = known(r.Registers), known(r.SpillStoreBytes), known(r.SpillLoadBytes)
	j.LoopSpillBytes = known(r.LoopSpillBytes)
	j.StackBytes, j.SharedBytes, j.Barriers = known(r.StackBytes), known(r.SharedBytes), known(r.Barriers)
	j.Blocks, j.Warps, j.Percent = known(r.Blocks), known(r.Warps), &pct
	j.Limiters = r.Limiters.Names()
	return j
}

func known(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

// filled is a list that JSON shows as one even where it is empty.
func filled(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

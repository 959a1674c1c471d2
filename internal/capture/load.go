package capture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Load reads the record directories dirs, or the .occlint directories in them,
// and appends all records' kernels to log, each compilation with its source.
// What is missing, stale or unreadable is a fault in it. Places are relative to
// root. Of several records of one output, compiled with the same flags, the
// latest counts. The notes are what a person should know and a verdict does
// not depend on: records left out, records that disagree. An error says that a
// directory has no records or can't be read.
func Load(log *parse.Log, dirs []string, root string) (notes []string, err error) {
	l := &loader{root: root, audit: newAudit(root)}
	for _, d := range dirs {
		if err := l.readDir(d); err != nil {
			return nil, err
		}
	}
	l.dropOlder()
	l.audit.finish()
	l.appendTo(log)
	return append(l.notes, l.audit.notes...), nil
}

// loader gathers what the directories hold.
type loader struct {
	root    string
	records []*stored
	audit   *audit
	notes   []string
}

// stored is a record and where it was read.
type stored struct {
	*Record
	dir, file string // file is the path of the record itself
	order     int    // of the directory among the arguments
}

// readDir reads one directory.
func (l *loader) readDir(told string) error {
	dir, files, err := recordFiles(told)
	if err != nil {
		return err
	}
	home := canonical(dir, ".")
	s, order := store{dir}, len(l.records)
	// Unfinished calls come first (their names sort before the records'), so
	// that an output with one has one fault.
	for _, name := range files {
		file := filepath.Join(dir, name)
		r, err := s.read(name)
		if err != nil {
			l.audit.corrupt(file, err)
			continue
		}
		at := &stored{r, home, file, order}
		if filepath.Ext(name) == pendingExt {
			l.audit.unfinished(at)
			continue
		}
		if l.audit.accept(at) {
			l.records = append(l.records, at)
		}
	}
	l.audit.uncaptured(home)
	return nil
}

// recordFiles lists the records and unfinished calls of a directory, sorted.
func recordFiles(told string) (dir string, files []string, err error) {
	for _, dir := range []string{told, filepath.Join(told, DirName)} {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, os.ErrNotExist) && dir != told {
			break
		}
		if err != nil {
			return "", nil, fmt.Errorf("cannot read the record directory: %w", err)
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); ext == recordExt || ext == pendingExt {
				files = append(files, e.Name())
			}
		}
		if len(files) > 0 {
			return dir, files, nil
		}
	}
	return "", nil, fmt.Errorf("no records in %s: build with occlint wrap in front of nvcc (CMAKE_CUDA_COMPILER_LAUNCHER=\"occlint;wrap;--\", or make NVCC=\"occlint wrap -- nvcc\"), or name log files", told)
}

// dropOlder keeps one record for each output and set of flags. Other flags are
// another build of the same path: shards that compile for one architecture
// each stay whole.
func (l *loader) dropOlder() {
	latest := map[string]*stored{}
	for _, r := range l.records {
		id := r.identity()
		old := latest[id]
		if old == nil {
			latest[id] = r
			continue
		}
		newer, older := r, old
		if old.Ended.After(r.Ended) {
			newer, older = old, r
		}
		if !sameNumbers(newer, older) {
			l.notes = append(l.notes, fmt.Sprintf("two records of %s disagree: %s and %s; the later one counts (%s)",
				strings.Join(r.Outputs, ", "), l.audit.show(older.file), l.audit.show(newer.file), l.audit.show(newer.file)))
		}
		latest[id] = newer
	}
	l.records = slices.DeleteFunc(l.records, func(r *stored) bool { return latest[r.identity()] != r })
	slices.SortFunc(l.records, func(a, b *stored) int {
		return cmp.Or(strings.Compare(a.Outputs[0], b.Outputs[0]), a.order-b.order)
	})
}

func (r *stored) identity() string {
	return strings.Join(r.Outputs, "\x00") + "\x01" + strings.Join(r.Flags, "\x00")
}

// sameNumbers reports whether two records state the same of every kernel.
func sameNumbers(a, b *stored) bool {
	return slices.Equal(a.numbers(), b.numbers())
}

func (r *stored) numbers() []string {
	log := &parse.Log{}
	_ = log.Read(bytes.NewReader(r.Log), "")
	var lines []string
	for _, k := range log.Kernels {
		k.Place, k.Compilation = parse.Place{}, 0
		k.CompileMicros = parse.Micros{}
		lines = append(lines, fmt.Sprintf("%+v", k))
	}
	slices.Sort(lines)
	return lines
}

// appendTo parses what is left.
func (l *loader) appendTo(log *parse.Log) {
	kernels, compilations := len(log.Kernels), len(log.Compilations)
	for _, r := range l.records {
		l.parse(log, r)
	}
	if len(log.Kernels) == kernels && len(log.Compilations) == compilations && len(l.audit.faults) == 0 {
		log.Faults = append(log.Faults, parse.Fault{
			Kind: parse.FaultEmpty,
			Text: fmt.Sprintf("%d records, and none of them states a kernel", len(l.records)),
		})
	}
	log.Faults = append(log.Faults, l.audit.faults...)
}

// parse appends one record to log.
func (l *loader) parse(log *parse.Log, r *stored) {
	compilations, faults := len(log.Compilations), len(log.Faults)
	header := bytes.Repeat([]byte{'\n'}, recordHeader)
	file := l.audit.show(r.file)
	if err := log.Read(bytes.NewReader(append(header, r.Log...)), file); err != nil {
		log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultTruncated, Text: err.Error(), Place: parse.Place{File: file}})
	}
	// The call is known to have succeeded, and one without kernels is none the
	// worse for it.
	kept := log.Faults[:faults]
	for _, f := range log.Faults[faults:] {
		if f.Kind != parse.FaultEmpty && f.Kind != parse.FaultBuildFailed {
			kept = append(kept, f)
		}
	}
	log.Faults = kept
	if len(r.Sources) != 1 {
		return
	}
	for i := compilations; i < len(log.Compilations); i++ {
		log.Compilations[i].Source = l.audit.show(r.Sources[0])
	}
}

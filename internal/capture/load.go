package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/parse"
)

// Load reads the record directories dirs, or the .occlint directories in them,
// and appends all records' kernels to log, each compilation with its source.
// What is missing, stale or unreadable is a fault in it. Places are relative to
// root. Of several records of one output, compiled with the same flags, the
// latest counts. An error says that a
// directory has no records or can't be read.
func Load(log *parse.Log, dirs []string, root string) (*Loaded, error) {
	l := &loader{root: root, audit: newAudit(root)}
	for _, d := range dirs {
		if err := l.readDir(d); err != nil {
			return nil, err
		}
	}
	l.dropMoved()
	l.dropOlder()
	l.audit.check(l)
	l.appendTo(log)
	loaded := &Loaded{Notes: append(l.notes, l.audit.notes...)}
	for _, r := range l.records {
		loaded.PTX = append(loaded.PTX, l.audit.entriesOf(r)...)
	}
	return loaded, nil
}

// Loaded is what records say beside the log.
type Loaded struct {
	// Notes are what a person should know and a verdict does not depend on.
	Notes []string
	// PTX is what the compilations' PTX declares of each entry.
	PTX []ptx.Entry
}

// loader gathers what the directories hold.
type loader struct {
	root       string
	homes      []string // record directories, canonical
	records    []*stored
	unfinished []*stored
	audit      *audit
	notes      []string
}

// stored is a record and where it was read.
type stored struct {
	*Record
	dir, file string // file is the path of the record itself
	build     string // the directory that the records belong to
	order     int    // among all that were read
}

// readDir reads the records in told, or below it.
func (l *loader) readDir(told string) error {
	dirs, err := recordDirs(told)
	if err != nil {
		return fmt.Errorf("cannot read the record directory: %w", err)
	}
	found := false
	for _, dir := range dirs {
		n, err := l.readRecords(dir)
		if err != nil {
			return fmt.Errorf("cannot read the record directory: %w", err)
		}
		found = found || n > 0
	}
	if !found {
		return fmt.Errorf("no records in %s: build with occlint wrap in front of nvcc (CMAKE_CUDA_COMPILER_LAUNCHER=\"occlint;wrap;--\", or make NVCC=\"occlint wrap -- nvcc\"), or name log files or binaries", told)
	}
	return nil
}

// HasRecords reports whether a directory holds records, or has a .occlint below
// it that could.
func HasRecords(dir string) bool {
	dirs, err := recordDirs(dir)
	return err == nil && len(dirs) > 0
}

// recordDirs returns told when it holds records itself, else every .occlint
// below it: make that recurses leaves one in each directory that it compiles in.
func recordDirs(told string) ([]string, error) {
	entries, err := os.ReadDir(told)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return isRecordFile(e.Name()) }) {
		return []string{told}, nil
	}
	return below(told, entries), nil
}

// below finds the .occlint directories below dir, whose entries are at hand.
// Of links only .occlint itself is followed, so that no circle is.
func below(dir string, entries []os.DirEntry) []string {
	var dirs []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == DirName:
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				dirs = append(dirs, path)
			}
		case !e.IsDir() || e.Name() == ".git" || e.Name() == "CMakeFiles" || isTrialDir(e.Name()): // build systems' own test compilations
		default:
			// A directory that can't be read has no records of this build.
			if inner, err := os.ReadDir(path); err == nil {
				dirs = append(dirs, below(path, inner)...)
			}
		}
	}
	return dirs
}

func isRecordFile(name string) bool {
	ext := filepath.Ext(name)
	return ext == recordExt || ext == pendingExt
}

// readRecords reads one directory and returns how many files of records it has.
func (l *loader) readRecords(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	// A link in the place of .occlint still stands in the build that it is of.
	place := canonical(dir, ".")
	home, s, n := canonicalDir(dir, "."), store{dir}, 0
	for _, e := range entries {
		if !isRecordFile(e.Name()) {
			continue
		}
		n++
		file := filepath.Join(dir, e.Name())
		r, err := s.read(e.Name())
		if err != nil {
			l.audit.corrupt(file, err)
			continue
		}
		at := &stored{r, home, file, filepath.Dir(place), len(l.records)}
		if filepath.Ext(e.Name()) == pendingExt {
			l.unfinished = append(l.unfinished, at)
		} else {
			l.records = append(l.records, at)
		}
	}
	l.homes = append(l.homes, place)
	return n, nil
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
	again := l.madeAgain()
	l.records = slices.DeleteFunc(l.records, func(r *stored) bool { return latest[r.identity()] != r || again(r) })
	slices.SortFunc(l.records, func(a, b *stored) int {
		return cmp.Or(strings.Compare(a.Outputs[0], b.Outputs[0]), a.order-b.order)
	})
}

// madeAgain returns a function that tells whether later calls made all outputs
// of a record, as when files are compiled together first and one by one after
// that.
func (l *loader) madeAgain() func(*stored) bool {
	type output struct{ dir, path string }
	last := map[output]*stored{}
	for _, r := range l.records {
		for _, o := range r.Outputs {
			if old := last[output{r.dir, o}]; old == nil || r.Ended.After(old.Ended) {
				last[output{r.dir, o}] = r
			}
		}
	}
	return func(r *stored) bool {
		return !slices.ContainsFunc(r.Outputs, func(o string) bool { return last[output{r.dir, o}] == r })
	}
}

func (r *stored) identity() string {
	return strings.Join(r.Outputs, "\x00") + "\x01" + strings.Join(r.Flags, "\x00")
}

// sameNumbers reports whether two records state the same of every kernel.
func sameNumbers(a, b *stored) bool {
	return slices.Equal(a.numbers(), b.numbers())
}

func (r *stored) numbers() []string {
	log, _ := parse.Read(bytes.NewReader(r.Log), "")
	var lines []string
	for _, k := range log.Kernels() {
		lines = append(lines, fmt.Sprintf("%q of %q: %+v", k.Name, k.Parent, *k.Class))
	}
	slices.Sort(lines)
	return lines
}

// appendTo parses what is left.
func (l *loader) appendTo(log *parse.Log) {
	kernels, compilations := log.Len(), len(log.Compilations)
	links := linkedBy(l.records)
	for _, r := range l.records {
		first := len(log.Compilations)
		l.parse(log, r)
		if r.apart() && !links.has(r) {
			for i := first; i < len(log.Compilations); i++ {
				log.Compilations[i].Unlinked = true
			}
		}
	}
	if log.Len() == kernels && len(log.Compilations) == compilations && len(l.audit.faults) == 0 {
		text := "no record is left to judge: what they describe is no longer there"
		if n := len(l.records); n > 0 {
			text = count(n, "record") + ", and no kernel in any of them"
		}
		log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultEmpty, Text: text})
	}
	log.Faults = append(log.Faults, l.audit.faults...)
}

// parse appends one record to log.
func (l *loader) parse(log *parse.Log, r *stored) {
	compilations, faults := len(log.Compilations), len(log.Faults)
	header := bytes.Repeat([]byte{'\n'}, recordHeader)
	file := l.audit.show(r.file)
	if err := readRecord(log, bytes.NewReader(append(header, r.Log...)), file, r.targetOf()); err != nil {
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

// readRecord appends one log. target is the architecture of the records that
// name none; empty where it is not known.
func readRecord(log *parse.Log, text io.Reader, file, target string) error {
	if target == "" {
		return log.Read(text, file)
	}
	own, err := parse.Read(text, file)
	named := &parse.Log{Compilations: own.Compilations, Remarks: own.Remarks, Faults: own.Faults}
	for i := range named.Compilations {
		if c := &named.Compilations[i]; c.Arch == "" && c.Stage == parse.StageNvlink {
			c.Arch = target
		}
	}
	for _, k := range own.Kernels() {
		if k.Arch == "" && k.Stage == parse.StageNvlink {
			class := *k.Class
			class.Arch = target
			k.Class = &class
		}
		named.Add(k)
	}
	log.Append(named)
	return err
}

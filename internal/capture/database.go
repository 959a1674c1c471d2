package capture

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/occlint/occlint/parse"
)

// compileCommand is one entry of a compile_commands.json.
type compileCommand struct {
	Directory string   `json:"directory"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
	File      string   `json:"file"`
	Output    string   `json:"output"`
}

// database is the compilation database of a build, read.
type database struct {
	file     string
	modified time.Time
	commands []compileCommand
	outputs  map[string]bool // of all languages, canonical
}

// readDatabase reads the database of the build that the records in home belong
// to; nil where there is none.
func (a *audit) readDatabase(home string) *database {
	if filepath.Base(home) != DirName {
		return nil
	}
	file := filepath.Join(filepath.Dir(home), "compile_commands.json")
	info, err := os.Stat(file)
	if err != nil {
		return nil
	}
	text, err := readWhole(file, maxDatabaseBytes)
	if err != nil {
		return nil
	}
	db := &database{file: file, modified: info.ModTime(), outputs: map[string]bool{}}
	if err := json.Unmarshal(text, &db.commands); err != nil {
		a.notes = append(a.notes, fmt.Sprintf("%s can't be read: %v; objects without a record are not looked for", a.show(file), err))
		return nil
	}
	for i := range db.commands {
		cc := &db.commands[i]
		if len(cc.Arguments) == 0 {
			cc.Arguments = responseWords(cc.Command)
		}
		if o := cc.output(); o != "" {
			db.outputs[canonical(cc.Directory, o)] = true
		}
	}
	return db
}

// output is the file that a command makes, by what the database says of it,
// else by its command line.
func (cc *compileCommand) output() string {
	if cc.Output != "" {
		return cc.Output
	}
	if c, ok := understand(cc.Arguments, cc.Directory, nil); ok && c.action == compiles && len(c.outputs()) == 1 {
		return c.outputs()[0]
	}
	for i, w := range cc.Arguments {
		switch {
		case w == "-o" && i+1 < len(cc.Arguments):
			return cc.Arguments[i+1]
		case strings.HasPrefix(w, "-o"), strings.HasPrefix(w, "/Fo"):
			return strings.TrimPrefix(strings.TrimPrefix(w, "-o"), "/Fo")
		}
	}
	return ""
}

// unlisted reports whether an object left the build: the database, written
// after the record, does not list it. Databases list objects alone, so of a
// cubin that a custom command makes they say nothing.
func (a *audit) unlisted(r *stored, path string) bool {
	db := a.databases[r.build]
	if db == nil || len(db.outputs) == 0 || !slices.Contains([]string{".o", ".obj"}, filepath.Ext(path)) {
		return false
	}
	rel, err := filepath.Rel(r.build, path)
	inside := err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	recorded := r.Ended
	if recorded.IsZero() {
		recorded = r.Started
	}
	return inside && !db.outputs[path] && db.modified.After(recorded)
}

// leftBuild reports whether all that a record describes left the build. A
// device link is listed nowhere: it left with its objects.
func (a *audit) leftBuild(r *stored) bool {
	if !r.local() {
		return false
	}
	if r.Step == "compile" {
		return !slices.ContainsFunc(r.Outputs, func(o string) bool { return !a.unlisted(r, o) })
	}
	if !r.isLink() || len(r.Sources) > 0 {
		return false
	}
	left := 0
	for _, in := range r.Links {
		switch {
		case a.unlisted(r, in.Path), !exists(in.Path):
			left++
		case in.Members == nil:
			return false
		}
	}
	return left > 0
}

// dropLeft takes out the records of what left the build, and says which.
func (a *audit) dropLeft(l *loader) {
	var outputs []string
	left := func(r *stored) bool {
		if !a.leftBuild(r) {
			return false
		}
		outputs = append(outputs, a.show(r.Outputs[0]))
		return true
	}
	l.records = slices.DeleteFunc(l.records, left)
	l.unfinished = slices.DeleteFunc(l.unfinished, left)
	if len(outputs) > 0 {
		slices.Sort(outputs)
		outputs = slices.Compact(outputs)
		a.notes = append(a.notes, "left out, since compile_commands.json does not list it any more: "+listed(outputs))
	}
}

// uncaptured compares the records with the compilation database: an object that
// is there and has no record was compiled past occlint wrap. Sources that have
// no object are only counted, since a build of one target leaves the others
// alone.
func (a *audit) uncaptured(db *database) {
	var unbuilt []string
	for _, cc := range db.commands {
		c, ok := understand(cc.Arguments, cc.Directory, nil)
		if !ok || !c.expectsRecords() || len(c.outputs()) != 1 {
			continue
		}
		output := canonical(cc.Directory, c.outputs()[0])
		source := a.show(canonical(cc.Directory, cc.File))
		switch {
		case a.known[output] || a.pending[key([]string{output})]:
		case exists(output):
			a.fault(fmt.Sprintf("%s has no record: it was compiled without occlint wrap; touch %s and build again", a.show(output), source),
				parse.Place{File: source})
		default:
			unbuilt = append(unbuilt, source)
		}
	}
	if len(unbuilt) > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%s of the build without object and record (not built yet, or of another target): %s",
			count(len(unbuilt), "CUDA source"), listed(unbuilt)))
	}
}

// maxListed bounds how many names one note spells out.
const maxListed = 20

// listed joins the first names of a list.
func listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), more)
	}
	return strings.Join(names, ", ")
}

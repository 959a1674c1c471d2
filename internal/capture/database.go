package capture

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

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

// uncaptured compares the records in home with the compilation database of the
// build that they belong to, where there is one: an object that is there and
// has no record was compiled past occlint wrap. Sources that have no object are
// only counted, since a build of one target leaves the others alone.
func (a *audit) uncaptured(home string) {
	build := filepath.Dir(home)
	text, err := readWhole(filepath.Join(build, "compile_commands.json"), maxDatabaseBytes)
	if err != nil || filepath.Base(home) != DirName {
		return
	}
	var commands []compileCommand
	if err := json.Unmarshal(text, &commands); err != nil {
		a.notes = append(a.notes, fmt.Sprintf("%s can't be read: %v; objects without a record are not looked for", a.show(filepath.Join(build, "compile_commands.json")), err))
		return
	}
	var unbuilt []string
	for _, cc := range commands {
		words := cc.Arguments
		if len(words) == 0 {
			words = responseWords(cc.Command)
		}
		c, ok := understand(words, cc.Directory, nil)
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

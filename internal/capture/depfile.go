package capture

import (
	"path/filepath"
	"slices"
	"strings"
)

// readDepFile returns the headers that a make-style dependency file lists,
// without those of the toolkit and the system: they change with an update of
// the compiler, not with an edit. It is read right after the call because
// ninja deletes it.
func readDepFile(dir, path string) []string {
	if path == "" {
		return nil
	}
	text, err := readWhole(inDir(dir, path), maxDepFileBytes)
	if err != nil {
		return nil
	}
	deps := dependencies(string(text))
	foreign := []string{"/usr/"}
	for i, d := range deps {
		deps[i] = filepath.Clean(inDir(dir, d))
		// Every CUDA source includes it, from the toolkit's own directory.
		if filepath.Base(deps[i]) == "cuda_runtime.h" {
			foreign = append(foreign, filepath.Dir(deps[i])+string(filepath.Separator))
		}
	}
	return slices.DeleteFunc(deps, func(d string) bool {
		return slices.ContainsFunc(foreign, func(f string) bool { return strings.HasPrefix(d, f) })
	})
}

// dependencies returns the files to the right of the first rule's colon.
// Blanks in names are escaped with a backslash, lines go on after one, and a
// dollar is doubled.
func dependencies(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\\\n", " ")
	rule, _, _ := strings.Cut(text, "\n")
	// The target's colon is the one that a blank follows: C:\a.o has another.
	_, list, ok := strings.Cut(rule+" ", ": ")
	if !ok {
		return nil
	}
	const blank = "\x00"
	var deps []string
	for _, f := range strings.Fields(strings.ReplaceAll(list, `\ `, blank)) {
		deps = append(deps, strings.ReplaceAll(strings.ReplaceAll(f, blank, " "), "$$", "$"))
	}
	return deps
}

package capture

import (
	"slices"
)

// Objects lists the files that the records in dirs are of and that are still
// there, each once: what a compiler call, a device link or an archiver made.
func Objects(dirs []string, root string) ([]string, error) {
	l := &loader{root: root, audit: newAudit(root)}
	for _, d := range dirs {
		if err := l.readDir(d); err != nil {
			return nil, err
		}
	}
	l.dropMoved()
	l.dropOlder()
	var paths []string
	for _, r := range l.records {
		for _, o := range r.Outputs {
			if exists(o) {
				paths = append(paths, o)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

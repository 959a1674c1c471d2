package declare

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/parse"
)

// glob is one pattern, made absolute, with where it was written.
type glob struct {
	pattern string // absolute, with slashes
	written string
	place   parse.Place // of the config; no file: a flag
}

// globs lists the patterns of the config and of a flag.
func (m *merger) globs(own []config.Field[config.Glob], flags []string) []glob {
	var all []glob
	for _, g := range own {
		all = append(all, glob{absolute(m.dirOf(g.Pos), string(g.Value)), string(g.Value), m.place(g.Pos)})
	}
	for _, f := range flags {
		all = append(all, glob{absolute(m.in.Dir, f), f, parse.Place{}})
	}
	return all
}

// absolute puts a pattern below a directory whose name may have characters
// that patterns give a meaning.
func absolute(dir, pattern string) string {
	pattern = filepath.ToSlash(pattern)
	if filepath.IsAbs(filepath.FromSlash(pattern)) {
		return path.Clean(pattern)
	}
	return path.Join(escapeMeta(filepath.ToSlash(dir)), pattern)
}

func escapeMeta(s string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`).Replace(s)
}

// tree is a file system that holds all files that the patterns can match.
type tree struct {
	fsys fs.FS
	root string // absolute, with slashes, ends in one
}

// treeFor is the root where it holds every pattern, else the whole volume.
func (m *merger) treeFor(all []glob) tree {
	root := strings.TrimSuffix(filepath.ToSlash(m.in.Root), "/") + "/"
	for _, g := range all {
		if !strings.HasPrefix(g.pattern, escapeMeta(root)) {
			root = filepath.ToSlash(filepath.VolumeName(m.in.Root)) + "/"
			break
		}
	}
	return tree{os.DirFS(filepath.FromSlash(root)), root}
}

// files expands the patterns. One that matches nothing is a fault: a gate that
// reads no source where its team thinks it does is not where they think it is.
func (m *merger) files(t tree, all []glob, what string) []string {
	var found []string
	for _, g := range all {
		relative, ok := strings.CutPrefix(g.pattern, escapeMeta(t.root))
		if !ok {
			m.faults.add(g.place, "%s %q lies on another volume than %s", what, g.written, m.in.Root)
			continue
		}
		hits, err := doublestar.Glob(t.fsys, relative, doublestar.WithFilesOnly())
		switch {
		case err != nil:
			m.faults.add(g.place, "%s %q: %v", what, g.written, err)
		case len(hits) == 0:
			m.faults.add(g.place, "%s %q matches no file", what, g.written)
		}
		if len(hits) > 0 {
			if hits = m.readable(t, g, hits); len(hits) == 0 {
				m.faults.add(g.place, "%s %q matches nothing that can be read", what, g.written)
			}
		}
		found = append(found, hits...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// readable leaves out what a pattern matches by its name alone: links to
// nothing (an editor's lock file is one), and what is no regular file, whose
// reading might never end. A file that is named without a pattern is meant as
// it is.
func (m *merger) readable(t tree, g glob, hits []string) []string {
	relative := strings.TrimPrefix(g.pattern, escapeMeta(t.root))
	if !isPattern(relative) {
		return hits
	}
	return slices.DeleteFunc(hits, func(file string) bool {
		info, err := fs.Stat(t.fsys, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			m.note(fmt.Sprintf("%s is a link to a file that is not there, and is left out of %q", m.named(t, file), g.written))
		case err == nil && !info.Mode().IsRegular():
			m.note(fmt.Sprintf("%s is no regular file, and is left out of %q", m.named(t, file), g.written))
		default:
			return false
		}
		return true
	})
}

func (m *merger) note(text string) {
	if m.in.Note != nil {
		m.in.Note(text)
	}
}

// isPattern reports a pattern that matches other names than its own.
func isPattern(pattern string) bool {
	_, rest := doublestar.SplitPattern(pattern)
	return strings.ContainsAny(strings.NewReplacer(`\*`, "", `\?`, "", `\[`, "", `\{`, "").Replace(rest), "*?[{")
}

// named is how reports name a file of the tree.
func (m *merger) named(t tree, file string) string {
	if file == "" {
		return ""
	}
	return m.shown(filepath.FromSlash(t.root + file))
}

package where

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// Sources names the files of line tables from a directory, most often the root
// of the repository, and reads those that lie in it. A line table has the paths
// of the machine that built it, and a binary can say anything: no file outside
// of the directory is opened.
type Sources struct {
	dir  string
	root *os.Root // nil where the directory can't be opened

	mu    sync.Mutex
	names map[string]string
	texts map[string][]string
}

// NewSources looks in a directory.
func NewSources(dir string) *Sources {
	root, err := os.OpenRoot(dir)
	if err != nil {
		root = nil
	}
	return &Sources{dir: filepath.ToSlash(dir), root: root, names: map[string]string{}, texts: map[string][]string{}}
}

// Close lets go of the directory.
func (s *Sources) Close() error {
	if s.root == nil {
		return nil
	}
	return s.root.Close()
}

// mostNames and mostParts bound what paths out of a binary can cost.
const (
	mostNames = 1 << 14
	mostParts = 32
)

// Name is a file's path from the directory, with slashes: what is in it by its
// own path, and what was built elsewhere by the longest end of its path that is
// a file here. Any other file keeps its path.
func (s *Sources) Name(file string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := s.names[file]; ok {
		return name
	}
	name := s.find(path.Clean(filepath.ToSlash(file)))
	if len(s.names) < mostNames {
		s.names[file] = name
	}
	return name
}

func (s *Sources) find(file string) string {
	if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(s.dir, "/")+"/"); ok {
		return rest
	}
	parts := strings.Split(strings.TrimPrefix(file, "/"), "/")
	if len(parts) > mostParts {
		parts = parts[len(parts)-mostParts:]
	}
	for len(parts) > 0 {
		if tail := path.Join(parts...); s.regular(tail) {
			return tail
		}
		parts = parts[1:]
	}
	return file
}

func (s *Sources) regular(name string) bool {
	if s.root == nil {
		return false
	}
	info, err := s.root.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

// mostSource bounds a source file; no listing has more.
const mostSource = 8 << 20

// Read returns the lines of a file that Name named.
func (s *Sources) Read(name string) ([]string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text, ok := s.texts[name]; ok {
		return text, text != nil
	}
	text := s.read(name)
	s.texts[name] = text
	return text, text != nil
}

func (s *Sources) read(name string) []string {
	if path.IsAbs(name) || !s.regular(name) {
		return nil
	}
	f, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // only read from
	data, err := io.ReadAll(io.LimitReader(f, mostSource+1))
	if err != nil || len(data) > mostSource {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

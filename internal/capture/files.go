package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Bounds of what is read whole. What a build writes stays far below them.
const (
	maxRecordBytes   = 256 << 20
	maxResponseBytes = 16 << 20
	maxDepFileBytes  = 64 << 20
	maxDatabaseBytes = 256 << 20
	maxSmallBytes    = 64 << 10 // a version, the name of a directory
)

var errNotRegular = errors.New("not a regular file")

// staysPut reports whether path names a file that can be looked at without
// changing it. A pipe or a terminal gives its bytes once, to the compiler, and
// opening a FIFO waits for a writer. /dev/stdin and /dev/fd/3 are no files of
// their own even where a redirection makes them look so.
func staysPut(path string) bool {
	for _, d := range []string{"/dev/", "/proc/"} {
		if strings.HasPrefix(filepath.ToSlash(filepath.Clean(path)), d) {
			return false
		}
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// readWhole reads a regular file of at most limit bytes, and opens nothing else.
func readWhole(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !staysPut(path):
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("larger than %d MiB", limit>>20)}
	}
	return data, err
}

// resolve follows the links in a path as far as it exists, so that the path of
// a file that is yet to be written is the same before and after.
func resolve(path string) string {
	rest := ""
	for p := filepath.Clean(path); ; {
		if resolved, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(resolved, rest)
		}
		parent := filepath.Dir(p)
		if parent == p {
			return filepath.Clean(path)
		}
		rest = filepath.Join(filepath.Base(p), rest)
		p = parent
	}
}

// canonical is a path by which the same file is always known: absolute, with
// the links in its directory resolved. A link in the place of the file itself
// stays: the compiler replaces it.
func canonical(dir, path string) string {
	parent, base := filepath.Split(filepath.Clean(inDir(dir, path)))
	return filepath.Join(resolve(parent), base)
}

// canonicalDir is the same for a directory, whose own link is followed too.
func canonicalDir(dir, path string) string { return resolve(inDir(dir, path)) }

// inDir makes a path absolute against a working directory.
func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

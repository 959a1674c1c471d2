package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// DirName is the records' directory where none is told.
const DirName = ".occlint"

const (
	recordExt    = ".record"
	pendingExt   = ".pending" // a call that began; gone once its record is there
	temporaryExt = ".tmp"
)

// RecordsDir is where the records of a compiler call in dir go: told if it is
// not empty, else .occlint in the nearest parent that CMake configured (ninja
// compiles in the build root, make in subdirectories), else .occlint in dir.
func RecordsDir(told, dir string) string {
	if told != "" {
		return filepath.Clean(inDir(dir, told))
	}
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "CMakeCache.txt")); err == nil {
			return filepath.Join(d, DirName)
		}
		if d == filepath.Dir(d) {
			return filepath.Join(filepath.Clean(dir), DirName)
		}
	}
}

// store is a directory of records. Calls of any number of processes may use
// one at a time: each writes files of its own outputs only, and a file appears
// whole or not at all.
type store struct{ dir string }

// open makes the directory. Its .gitignore keeps the records out of commits
// without anybody's help. A directory that somebody else made, for other
// things too perhaps, is left without.
func (s store) open() error {
	if err := os.MkdirAll(filepath.Dir(s.dir), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(s.dir, 0o755)
	if err != nil {
		if info, statErr := os.Stat(s.dir); statErr != nil || !info.IsDir() {
			return err
		}
		if filepath.Base(s.dir) != DirName {
			return nil
		}
	}
	const ignore = ".gitignore"
	// A full disk may have left an empty one.
	if info, err := os.Stat(filepath.Join(s.dir, ignore)); err == nil && info.Size() > 0 {
		return nil
	}
	return s.writeFile(ignore, []byte("*\n"))
}

// key names the files of a call by its outputs: readable, and distinct for
// each path.
func key(outputs []string) string {
	id := strings.Join(outputs, "\x00")
	if caseBlind {
		id = strings.ToLower(id)
	}
	sum := sha256.Sum256([]byte(id))
	return readable(filepath.Base(outputs[0])) + "-" + hex.EncodeToString(sum[:10])
}

// readable keeps the characters of a file name that every file system takes.
func readable(base string) string {
	const most = 80
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '+':
			return r
		}
		return '_'
	}, base)
	return strings.TrimLeft(name[:min(len(name), most)], ".")
}

// begin leaves word that a call has started, so that a kill at any later
// moment is known.
func (s store) begin(r *Record) error { return s.write(key(r.Outputs)+pendingExt, r) }

// end stores the record of a call that is over.
func (s store) end(r *Record) error {
	name := key(r.Outputs)
	if r.State == stateFailed {
		// The record of an earlier success stays: its object may be there still.
		return s.write(name+pendingExt, r)
	}
	if err := s.write(name+recordExt, r); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(s.dir, name+pendingExt))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s store) write(name string, r *Record) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	return s.writeFile(name, data)
}

// writeFile replaces a file in one step.
func (s store) writeFile(name string, data []byte) (err error) {
	temporary := filepath.Join(s.dir, fmt.Sprintf("%s-%d-%x%s", name, os.Getpid(), rand.Uint64(), temporaryExt)) //nolint:gosec // a name that no other process takes, not a secret
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary)
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return replace(temporary, filepath.Join(s.dir, name))
}

// read reads one file of the store.
func (s store) read(name string) (*Record, error) {
	data, err := readWhole(filepath.Join(s.dir, name), maxRecordBytes)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

// cannotStore explains why there is no record, to a person whose build went
// well.
func cannotStore(outputs []string, dir string, err error) error {
	reason := err
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		reason = pathErr.Err
	}
	return fmt.Errorf("no record of %s: cannot write to the record directory %s: %w; the compiler's result is not touched, and occlint check will miss these kernels",
		strings.Join(outputs, ", "), dir, reason)
}

package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
)

// Module is a PTX file, and what its JIT compiler wrote down beside it.
type Module struct {
	Path    string
	Text    string
	Arch    string // of .target: "sm_90a"
	Entries []string
	Launch  Launch // by the file beside it; the zero value where there is none
}

// The bounds of what is read of a cache.
const (
	mostModuleBytes = 256 << 20
	mostFiles       = 200_000
)

// FindPTX reads a PTX file, or the PTX files of a JIT compiler's cache that
// have a kernel that match accepts, sorted by path.
func FindPTX(path string, match func(mangled string) bool) ([]Module, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		m, err := readModule(path)
		if err != nil || !slices.ContainsFunc(m.Entries, match) {
			return nil, err
		}
		return []Module{*m}, nil
	}
	var modules []Module
	files, ptx := 0, 0
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if files++; files > mostFiles {
			return fmt.Errorf("%s has more than %d files; name a directory in it", path, mostFiles)
		}
		if d.IsDir() || !d.Type().IsRegular() || filepath.Ext(p) != ".ptx" {
			return nil
		}
		ptx++
		m, err := readModule(p)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(m.Entries, match) {
			modules = append(modules, *m)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case ptx == 0:
		return nil, fmt.Errorf("%s has no .ptx file in it; caches that keep machine code alone (CuPy's) can't be tuned", path)
	}
	return modules, nil
}

var targetDirective = regexp.MustCompile(`(?m)^[ \t]*\.target[ \t]+(sm_[0-9]+[a-z]?)`)

// readBounded reads a file that may be a pipe, or a device without an end.
func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path) // the path is the user's own
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(file, mostModuleBytes+1))
	if err == nil && len(data) > mostModuleBytes {
		err = fmt.Errorf("%s is too large for PTX: more than %d bytes", path, mostModuleBytes)
	}
	return data, err
}

func readModule(path string) (*Module, error) {
	data, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	m := &Module{Path: path, Text: string(data)}
	target := targetDirective.FindStringSubmatch(m.Text)
	if target == nil {
		if ext := strings.ToLower(filepath.Ext(path)); ext == ".cu" || ext == ".cpp" || ext == ".cc" || ext == ".cxx" {
			return nil, fmt.Errorf("%s is no PTX but a source: write the command that compiles it after --, as in -- nvcc -c %s", path, filepath.Base(path))
		}
		return nil, fmt.Errorf("%s is no PTX: there is no .target directive", path)
	}
	m.Arch = target[1]
	for _, h := range heads(m.Text) {
		m.Entries = append(m.Entries, h.name)
	}
	m.Launch, err = besideIt(path)
	return m, err
}

// besideIt reads what Triton writes beside its PTX: the warps of a block and
// the dynamic shared memory. Other JSON has neither key.
func besideIt(path string) (l Launch, err error) {
	data, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".json") // beside the user's own file
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	var triton struct {
		Warps  *int `json:"num_warps"`
		Shared *int `json:"shared"`
	}
	if json.Unmarshal(data, &triton) != nil || triton.Warps == nil {
		return l, nil //nolint:nilerr // it is not Triton's, and says nothing of blocks
	}
	if n := *triton.Warps * arch.WarpThreads; n > 0 && n <= 1024 {
		l.Threads, l.From = []int{n}, "num_warps of the cache"
	}
	if s := triton.Shared; s != nil && *s >= 0 && *s < 1<<30 {
		l.DynamicBytes, l.DynamicKnown = *s, true
	}
	return l, nil
}

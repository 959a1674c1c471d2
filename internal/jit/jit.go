// Package jit reads what a just-in-time compiler's cache notes beside an
// image: how the kernel is launched.
//
// In comes the path of an image, out comes a [Launch], or nothing where no
// note lies beside it. Triton (and TorchInductor, whose cache is Triton's)
// keeps NAME.cubin and NAME.json in a directory of its own for each
// configuration of a kernel. The keys that are read were found in caches of
// Triton 3.6. CuPy notes nothing; its images are read as they are.
package jit

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Launch is what a cache notes of one configuration of a kernel.
type Launch struct {
	Name               string // of the kernel
	Warps              int64  // num_warps
	WarpSize           int64
	DynamicSharedBytes int64 // shared: all of a Triton kernel's shared memory is sized by the launch
	MaxRegisters       int64 // maxnreg; 0 is none
	Stages             int64 // num_stages
	Blocks             int64 // num_ctas: blocks of a cluster
	Hash               string
}

// Threads is the block size of the launch.
func (l *Launch) Threads() int64 { return l.Warps * l.WarpSize }

// Configuration writes what tells one configuration of a kernel from another:
// parameters, and the beginning of the hash for those that are not among them.
func (l *Launch) Configuration() string {
	text := fmt.Sprintf("num_warps=%d num_stages=%d", l.Warps, l.Stages)
	if l.Blocks > 1 {
		text += fmt.Sprintf(" num_ctas=%d", l.Blocks)
	}
	if l.MaxRegisters > 0 {
		text += fmt.Sprintf(" maxnreg=%d", l.MaxRegisters)
	}
	if len(l.Hash) >= 8 && strings.Trim(l.Hash[:8], "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		text += " " + l.Hash[:8]
	}
	return text
}

// maxNote is the most of a note that is read: they have about 2 KB.
const maxNote = 1 << 20

// note is the part of Triton's JSON that is read. Numbers may be null.
type note struct {
	Name   string `json:"name"`
	Hash   string `json:"hash"`
	Target struct {
		Backend  string `json:"backend"`
		WarpSize int64  `json:"warp_size"`
	} `json:"target"`
	Warps    *int64 `json:"num_warps"`
	WarpSize int64  `json:"warp_size"`
	Shared   *int64 `json:"shared"`
	MaxNReg  *int64 `json:"maxnreg"`
	Stages   int64  `json:"num_stages"`
	Blocks   int64  `json:"num_ctas"`
}

// Beside reads the note that lies beside an image; nil where there is none. An
// error says that there is one and it cannot be read.
func Beside(image string) (*Launch, error) {
	stem, found := strings.CutSuffix(image, ".cubin")
	if !found {
		return nil, nil
	}
	f, err := os.Open(stem + ".json")
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(f, maxNote+1))
	if err != nil {
		return nil, err
	}
	return read(text, filepath.Base(stem))
}

func read(text []byte, stem string) (*Launch, error) {
	if len(text) > maxNote {
		return nil, fmt.Errorf("%s.json: more than %d bytes", stem, maxNote)
	}
	var n note
	if err := json.Unmarshal(text, &n); err != nil {
		return nil, fmt.Errorf("%s.json: %w", stem, err)
	}
	if n.Warps == nil || n.Shared == nil {
		return nil, nil // a file of somebody else
	}
	l := &Launch{
		Name: n.Name, Hash: n.Hash, Warps: *n.Warps, WarpSize: n.WarpSize,
		DynamicSharedBytes: *n.Shared, Stages: n.Stages, Blocks: n.Blocks,
	}
	if l.WarpSize == 0 {
		l.WarpSize = n.Target.WarpSize
	}
	if l.WarpSize == 0 {
		l.WarpSize = 32
	}
	if n.MaxNReg != nil {
		l.MaxRegisters = *n.MaxNReg
	}
	const most = 1 << 30
	if l.Warps < 1 || l.Warps > 64 || l.WarpSize < 1 || l.WarpSize > 64 || l.DynamicSharedBytes < 0 || l.DynamicSharedBytes > most {
		return nil, fmt.Errorf("%s.json: %d warps of %d threads and %d bytes of shared memory are no launch", stem, l.Warps, l.WarpSize, l.DynamicSharedBytes)
	}
	return l, nil
}

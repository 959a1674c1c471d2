package binaries

import (
	"io"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/internal/ptx"
)

// source is the PTX of a kernel that an image was made from.
type source struct {
	kernel  string
	virtual int
}

// joinPTX notes for each embedded entry which images were made from it. PTX
// that a binary carries for later devices has the bounds of its own
// architecture (__CUDA_ARCH__ decides in many sources), and says nothing of
// code that was made from other PTX.
func (r *Reader) joinPTX() {
	made := map[source][]string{}
	for i := range r.images {
		m := &r.images[i]
		for j := range m.kernels {
			s := source{m.kernels[j].Name, m.from()}
			made[s] = append(made[s], m.arch)
		}
	}
	for i := range r.PTX {
		r.PTX[i].For = madeFrom(&r.PTX[i], made)
	}
}

// from is the architecture of the PTX that the image was made from, as far as
// that is known.
func (m *image) from() int {
	if m.virtual == 0 {
		return number(m.arch)
	}
	return m.virtual
}

// madeFrom finds the architectures of the code that was made from an entry;
// empty and not nil where there is none.
func madeFrom(e *ptx.Entry, made map[source][]string) []string {
	found := []string{}
	for _, on := range made[source{e.Name, number(e.Target)}] {
		if strings.HasSuffix(e.Target, "a") && on != e.Target {
			continue // PTX for sm_90a becomes code for sm_90a alone
		}
		found = append(found, on)
	}
	return found
}

// number is that of an architecture, 90 of sm_90a; 0 where there is none.
func number(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(arch.Base(name), "sm_"))
	if err != nil {
		return 0
	}
	return n
}

// sourcesOf finds which of the embedded PTX code of the same file was made
// from, by architecture. Most libraries have other PTX, for later devices, and
// hundreds of megabytes of it.
func sourcesOf(found []container.Found[content]) map[string]bool {
	made, sources := map[int]bool{}, map[string]bool{}
	for i := range found {
		if m := found[i].Value.image; m != nil {
			made[m.from()] = true
		}
	}
	for i := range found {
		if e := &found[i].Entry; e.Kind == container.PTX && made[number(e.Arch)] {
			sources[e.Arch] = true
		}
	}
	return sources
}

// readPTX reads the embedded PTX of some architectures. What cannot be walked
// was told before, with the code.
func (r *Reader) readPTX(at io.ReaderAt, size int64, shown string, archs map[string]bool) {
	wanted := func(e container.Entry) bool { return e.Kind == container.PTX && archs[e.Arch] }
	use := func(e container.Entry, data []byte) content { return read(e, data, shown) }
	found, faults, _ := container.Read(at, size, use, wanted)
	for _, f := range faults {
		r.unread(f, shown)
	}
	for i := range found {
		if wanted(found[i].Entry) {
			r.take(&found[i], shown, nil)
		}
	}
}

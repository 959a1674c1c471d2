package tune

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/where"
)

// readImage reads what a cubin has of each kernel: a hash of its machine code,
// and how many bytes of its spills stand in loops. A file that is none says
// nothing: then no two rows are called the same.
func readImage(data []byte, records []record) {
	f, err := cubin.Parse(data)
	if f == nil || err != nil && len(f.Sections) == 0 {
		return
	}
	for i := range records {
		r := &records[i]
		if s := f.SectionNamed(".text." + r.name); s != nil && len(s.Data) > 0 {
			sum := sha256.Sum256(s.Data)
			r.code = string(sum[:])
		}
	}
	units, _ := where.Units(f, "") // an error is of lines, which nobody asks for here
	for _, u := range units {
		for i := range records {
			if r := &records[i]; r.name == u.Kernel && r.fault == "" {
				r.LoopSpillBytes = inLoops(u, r)
			}
		}
	}
}

// inLoops counts the bytes of spills in loops; -1 where the code does not tell
// for certain.
func inLoops(u *where.Unit, r *record) int {
	if r.LoopSpillBytes == 0 {
		return 0 // there are no spills
	}
	kernels, err := where.Read(u)
	if err != nil {
		return -1
	}
	for _, k := range kernels {
		if k.Name != r.name {
			continue
		}
		k.Reconcile(where.Stated{StoreBytes: int64(r.SpillStoreBytes), LoadBytes: int64(r.SpillLoadBytes)})
		if k.Certainty == where.Exact && k.DepthsKnown() {
			return int(k.LoopSpillBytes())
		}
	}
	return -1
}

// loops says how much of a row's spills is in loops; empty where it has none,
// or where nobody knows.
func (r *Row) loops() string {
	switch {
	case !r.Measured() || r.SpillBytes() == 0 || r.LoopSpillBytes < 0:
		return ""
	case r.LoopSpillBytes == 0:
		return "none of it in a loop"
	}
	return strings.TrimSpace(fmt.Sprintf("%d bytes of it in loops", r.LoopSpillBytes))
}

package capture

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// isLink reports whether a record is of a call that links device code.
func (r *stored) isLink() bool { return r.Step == "device-link" || r.Step == "link" }

// apart reports whether a record is of a compilation whose device code a link
// settles (-rdc).
func (r *stored) apart() bool {
	apart := false
	for _, f := range r.Flags {
		switch f {
		case "--relocatable-device-code=true", "--device-c", "--dlink-time-opt":
			apart = true
		case "--relocatable-device-code=false", "--device-w":
			apart = false
		}
	}
	return apart && r.Step == "compile"
}

// content identifies an object by what is in it.
type content struct {
	bytes  int64
	crc32c uint32
}

// linked knows what the device links of the set took.
type linked struct {
	paths    map[string]bool
	contents map[content]bool // members of archives
	// anything: a link does not say what it took, as an older occlint recorded it.
	anything bool
}

func linkedBy(records []*stored) *linked {
	l := &linked{paths: map[string]bool{}, contents: map[content]bool{}}
	for _, r := range records {
		if !r.isLink() {
			continue
		}
		l.anything = l.anything || len(r.Links) == 0 && len(r.Sources) == 0
		for _, in := range r.Links {
			l.paths[in.Path] = true
			for _, m := range in.Members {
				l.contents[content{m.Bytes, m.CRC32C}] = true
			}
		}
	}
	return l
}

// has reports whether a device link took the objects of a record.
func (l *linked) has(r *stored) bool {
	if l.anything {
		return true
	}
	for i, o := range r.Outputs {
		if l.paths[o] || i < len(r.Object) && l.contents[content{r.Object[i].Bytes, r.Object[i].CRC32C}] {
			return true
		}
	}
	return false
}

// staleLink says why the numbers of a device link are not those of the objects
// as they are now; empty when they are.
func (a *audit) staleLink(r *stored) string {
	output := a.show(r.Outputs[0])
	for _, in := range r.Links {
		changed, err := in.changed(in.Path)
		switch {
		case err != nil:
			continue // libraries of a package may go; what was linked stays linked
		case changed:
			return fmt.Sprintf("%s, which it links, was made again since; delete %s and build again", a.show(in.Path), output)
		case a.unlisted(r, in.Path):
			return fmt.Sprintf("%s, which it links, is not in the build any more; delete %s and build again", a.show(in.Path), output)
		}
		if in.Members == nil {
			if !a.known[in.Path] && r.ofBuild(in.Path) && fileNeedsLink(in.Path) {
				return a.show(in.Path) + ", which it links, has no record: it was compiled without occlint wrap; delete it and build again"
			}
			continue
		}
		for _, m := range in.Members {
			if m.Device && r.ofBuild(in.Path) && !a.contents[content{m.Bytes, m.CRC32C}] {
				return fmt.Sprintf("%s(%s), which it links, has no record: it was compiled without occlint wrap, or again since; delete %s and build again",
					a.show(in.Path), m.Name, a.show(in.Path))
			}
		}
	}
	return ""
}

// ofBuild reports whether a file lies in the build that a record is of. What
// lies elsewhere was built by others: the toolkit, a package.
func (r *stored) ofBuild(path string) bool {
	for _, dir := range []string{filepath.Dir(r.dir), r.Dir} {
		if rel, err := filepath.Rel(dir, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// targetOf is the one architecture that a link was for. The linker names none
// where it links a single one; its command line does. Empty for several, and
// where the command line leaves it to the compiler.
func (r *stored) targetOf() string {
	machine := slices.DeleteFunc(slices.Clone(r.Arch), func(a string) bool { return !strings.HasPrefix(a, "sm_") })
	if !r.isLink() || len(machine) != 1 || !strings.ContainsAny(machine[0], "0123456789") {
		return ""
	}
	return machine[0]
}

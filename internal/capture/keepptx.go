package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/parse"
)

// maxPTXBytes bounds the PTX of one architecture. What nvcc makes of the
// largest template libraries is a tenth of it.
const maxPTXBytes = 1 << 30

// keptPTX is the PTX of one call: the compiler's own words on launch bounds and
// on dynamic shared memory. Nvcc keeps it in a directory of the call's own,
// which is removed afterwards, or where the user has it kept.
type keptPTX struct {
	dir  string
	own  bool     // made for this call
	only []string // beginnings of file names; in a directory of the user's other calls keep theirs too
}

// keepPTX prepares a call to keep its PTX. A compiler cache hashes the command
// line, so a call through one is left as it is, and so is clang's, which keeps
// nothing apart, and one whose own options say where its intermediate files go.
func (c *call) keepPTX(dir string) *keptPTX {
	if (c.kind != nvcc && c.kind != nvccWrapper) || len(c.deviceSources()) == 0 || c.hashed() {
		return nil
	}
	if c.has("keep", "save-temps") {
		k := &keptPTX{dir: inDir(dir, c.last("keep-dir"))}
		for _, in := range c.deviceSources() {
			base := filepath.Base(in)
			k.only = append(k.only, strings.TrimSuffix(base, filepath.Ext(base))+".")
		}
		return k
	}
	if c.has("keep-dir", "objdir-as-tempdir") || c.sharesNames() {
		return nil
	}
	own, err := os.MkdirTemp("", "occlint-ptx-")
	if err != nil {
		return nil // the build is more than what its PTX would tell
	}
	if strings.ContainsAny(own, " \t'\"") { // the wrapper is a shell script
		_ = os.Remove(own)
		return nil
	}
	return &keptPTX{dir: own, own: true}
}

// hashed reports whether a cache or a distributing launcher stands in front,
// which takes the command line for the key of its result.
func (c *call) hashed() bool {
	return slices.ContainsFunc(c.launcher, func(w string) bool {
		return slices.Contains([]string{"ccache", "sccache", "buildcache", "distcc", "icecc"}, programName(w))
	})
}

// sharesNames reports whether two inputs have one name but for directory and
// ending. Among the files that nvcc keeps, those of the one would replace those
// of the other, down to the objects that it links.
func (c *call) sharesNames() bool {
	seen := map[string]bool{}
	for _, in := range c.inputs {
		base := filepath.Base(in)
		stem := strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
		if seen[stem] {
			return true
		}
		seen[stem] = true
	}
	return seen["a_dlink"] // which nvcc calls its device link
}

// words are what the command line needs for it; none where the user has them.
func (k *keptPTX) words() []string {
	if k == nil || !k.own {
		return nil
	}
	return []string{"--keep", "--keep-dir=" + k.dir}
}

// read returns what the PTX says of each entry. PTX that can't be read says
// nothing: the source and the config are there still.
func (k *keptPTX) read(since []fileState) []ptx.Entry {
	if k == nil {
		return nil
	}
	files, err := os.ReadDir(k.dir)
	if err != nil {
		return nil
	}
	var entries []ptx.Entry
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".ptx" || !k.wants(f.Name()) {
			continue
		}
		path := filepath.Join(k.dir, f.Name())
		if info, err := os.Stat(path); err != nil || !k.own && k.older(info, since) {
			continue
		}
		text, err := readWhole(path, maxPTXBytes)
		if err != nil {
			continue
		}
		list, err := ptx.Read(bytes.NewReader(text), f.Name())
		if err == nil {
			entries = append(entries, list...)
		}
	}
	return entries
}

func (k *keptPTX) wants(name string) bool {
	return k.own || slices.ContainsFunc(k.only, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// older reports whether a file of the user's directory is of a call before the
// source was last written.
func (k *keptPTX) older(info os.FileInfo, since []fileState) bool {
	return slices.ContainsFunc(since, func(s fileState) bool { return info.ModTime().Before(s.Modified) })
}

// remove takes away what was made for the call.
func (k *keptPTX) remove() {
	if k != nil && k.own {
		_ = os.RemoveAll(k.dir)
	}
}

// entriesOf are the declarations that a record has from PTX. The text is gone,
// so they point to the source.
func (a *audit) entriesOf(r *stored) []ptx.Entry {
	list := slices.Clone(r.PTX)
	at := a.place(r)
	for i := range list {
		e := &list[i]
		for _, p := range []*parse.Place{&e.Place, &e.Bounds, &e.MaxRegPlace, &e.DynamicSharedAt} {
			*p = at
		}
	}
	return list
}

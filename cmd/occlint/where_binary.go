package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/internal/jit"
	"github.com/occlint/occlint/internal/where"
)

// kernelsOf reads the binaries that args name, and those in directories.
func (f *finder) kernelsOf(args []string, root string, sources *where.Sources, keep func(*where.Unit) bool) (all []*where.Kernel, notes []string, err error) {
	files, err := f.binaries(args)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range files {
		read, err := readBinary(b.path, rootRelative(root, b.path, b.name), sources, keep)
		switch {
		case err == nil && !read.known && b.named:
			return nil, nil, usageError("%s holds no device code that occlint knows: where reads cubins, fat binaries, objects, archives and libraries", b.name)
		case err != nil:
			return nil, nil, cannotRead(b.name, err)
		}
		all = append(all, read.kernels...)
		notes = append(notes, read.notes...)
	}
	return all, notes, nil
}

// mostNotes is how many notes an error repeats.
const mostNotes = 3

// binary is a file to read. named says that the caller named it: in a
// directory, files without device code are passed over.
type binary struct {
	path, name string
	named      bool
}

func (f *finder) binaries(args []string) ([]binary, error) {
	var list []binary
	for _, arg := range args {
		path := f.path(arg)
		info, err := os.Stat(path)
		if err != nil {
			return nil, cannotRead(arg, err)
		}
		if !info.IsDir() {
			list = append(list, binary{path, arg, true})
			continue
		}
		err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				list = append(list, binary{path: p, name: p})
			}
			return err
		})
		if err != nil {
			return nil, cannotRead(arg, err)
		}
	}
	return list, nil
}

// readIn is what was read of one binary.
type readIn struct {
	kernels []*where.Kernel
	notes   []string
	known   bool // the file is of a kind that can hold device code
}

// entryRead is what was read of one entry of device code.
type entryRead struct {
	kernels []*where.Kernel
	notes   []string
}

func readBinary(path, shown string, sources *where.Sources, keep func(*where.Unit) bool) (*readIn, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	found, faults, known := container.Read(file, info.Size(), func(e container.Entry, data []byte) entryRead {
		return readEntry(e, data, shown, sources, keep)
	}, container.Code)
	out := &readIn{known: known}
	for _, e := range found {
		out.kernels = append(out.kernels, e.Value.kernels...)
		out.notes = append(out.notes, e.Value.notes...)
	}
	out.kernels = where.Linked(out.kernels)
	// A note that can't be read is a fault of the records, told with them.
	if launch, err := jit.Beside(path); err == nil && launch != nil {
		for _, k := range out.kernels {
			if k.Entry && (launch.Name == "" || k.Name == launch.Name) {
				k.Variant = launch.Configuration()
			}
		}
	}
	for _, fault := range faults {
		out.notes = append(out.notes, fmt.Sprintf("%s, at %d: %s", memberName(shown, fault.Member), fault.Offset, fault.Text))
	}
	return out, nil
}

func memberName(file, member string) string {
	if member == "" {
		return file
	}
	return file + "(" + member + ")"
}

func readEntry(e container.Entry, data []byte, shown string, sources *where.Sources, keep func(*where.Unit) bool) (out entryRead) {
	file := memberName(shown, e.Member)
	note := func(format string, args ...any) {
		out.notes = append(out.notes, file+": "+fmt.Sprintf(format, args...))
	}
	switch e.Kind {
	case container.Cubin:
	case container.PTX:
		return out // most binaries carry it beside their code
	case container.LTO:
		note("code for %s is not compiled yet (LTO): nothing to show", e.Arch)
		return out
	default:
		note("an entry of an unknown kind was not read")
		return out
	}
	image, err := cubin.Parse(data)
	if err != nil {
		note("%v", err)
	}
	if image == nil {
		return out
	}
	units, err := where.Units(image, file)
	if err != nil {
		note("%v", err)
	}
	for _, u := range units {
		if !keep(u) {
			continue
		}
		u.Path = sources.Name
		kernels, err := where.Read(u)
		if err != nil {
			note("%s: %v", u.Kernel, err)
			continue
		}
		out.kernels = append(out.kernels, kernels...)
	}
	return out
}

func cannotRead(file string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return usageError("cannot read %q: %w", file, err)
}

// Package binaries reads compiled files into the records that a log gives.
//
// In come files and directories; out come kernels with their numbers, the PTX
// that lies beside them, and faults for what could not be read, all in a
// parse.Log (AddTo). Where a log and a binary state different numbers of one
// kernel, that is a fault as well: one of the two is not of this build.
//
// What the linker made counts: an unlinked image (-rdc) of a kernel is left
// out where a linked one has it, and a copy of an image in another file (an
// object, the archive that holds it, the program) is counted once.
package binaries

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/internal/jit"
	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/parse"
)

// Reader gathers what several binaries state. The zero value is ready.
type Reader struct {
	// CodeOnly leaves embedded PTX packed: a library can have hundreds of
	// megabytes of it, and not every question is about what it declares.
	CodeOnly bool

	PTX   []ptx.Entry // of all PTX that was embedded
	Notes []string    // what a person should know and no verdict rests on

	images []image
	faults []parse.Fault
	files  int
}

// image is one compiled image.
type image struct {
	file         int // which file it is of
	arch, tool   string
	virtual      int // architecture of the PTX that it was made from; 0 is unknown
	unlinked     bool
	cached       bool // of a just-in-time compiler's cache
	global       int64
	constant     parse.Banks
	place        parse.Place
	kernels      []parse.Kernel
	stackUnknown []string // kernels that recurse
}

// content is what a worker makes of one entry.
type content struct {
	image *image
	ptx   []ptx.Entry
	err   error
}

// File reads one file, by its bytes. shown is how reports name it. It reports
// whether the file is of a format that can hold device code, and how many
// entries it has.
func (r *Reader) File(path, shown string) (known bool, entries int, err error) {
	f, err := container.Open(path)
	if err != nil {
		return false, 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	launch, err := jit.Beside(path)
	if err != nil {
		r.fault(shown, "the note beside this image cannot be read: %v", err)
	}
	known, entries = r.read(f, f.Size(), shown, launch)
	return known, entries, nil
}

// Read reads a file that is at hand otherwise.
func (r *Reader) Read(at io.ReaderAt, size int64, shown string) (known bool, entries int) {
	return r.read(at, size, shown, nil)
}

func (r *Reader) read(at io.ReaderAt, size int64, shown string, launch *jit.Launch) (known bool, entries int) {
	use := func(e container.Entry, data []byte) content { return read(e, data, shown) }
	found, faults, known := container.Read(at, size, use, container.Code)
	if !known {
		return false, 0
	}
	r.files++
	for _, f := range faults {
		r.unread(f, shown)
	}
	var skipped skipped
	for _, f := range found {
		r.take(&f, shown, launch)
		skipped.note(&f)
	}
	r.Notes = append(r.Notes, skipped.text(shown)...)
	if sources := sourcesOf(found); len(sources) > 0 && !r.CodeOnly {
		r.readPTX(at, size, shown, sources)
	}
	return true, len(found)
}

// unread keeps what a container could not give, once.
func (r *Reader) unread(f container.Fault, shown string) {
	fault := parse.Fault{
		Kind: parse.FaultBinary, Text: atOffset(f.Offset, f.Text), Place: parse.Place{File: member(shown, f.Member)},
	}
	if !slices.Contains(r.faults, fault) {
		r.faults = append(r.faults, fault)
	}
}

// Empty says that a file that was named has no device code at all.
func (r *Reader) Empty(shown string) {
	if !r.Faulty() {
		r.fault(shown, "%s has no device code", shown)
	}
}

// Faulty reports whether something could not be read.
func (r *Reader) Faulty() bool { return len(r.faults) > 0 }

// take keeps what one entry gave.
func (r *Reader) take(f *container.Found[content], shown string, launch *jit.Launch) {
	c, file := f.Value, member(shown, f.Member)
	if c.err != nil {
		r.faultOf(f.Entry, file, c.err)
	}
	r.PTX = append(r.PTX, c.ptx...)
	if c.image == nil || len(c.image.kernels) == 0 && c.image.global == 0 {
		return // what nvcc links of an object without -rdc has nothing in it
	}
	c.image.file = r.files
	if launch != nil {
		c.image.launchedBy(launch)
	}
	r.images = append(r.images, *c.image)
}

// faultOf says what is wrong with the bytes of an entry. Offsets count from the
// start of an image where it was packed, of the file where it was not.
func (r *Reader) faultOf(e container.Entry, file string, err error) {
	what := "the image"
	if e.Kind == container.PTX {
		what = "the PTX"
	}
	for line := range strings.Lines(err.Error()) {
		r.fault(file, "%s at offset %d cannot be read whole: %s", what, e.Offset, strings.TrimSpace(line))
	}
}

func (r *Reader) fault(file, format string, args ...any) {
	r.faults = append(r.faults, parse.Fault{Kind: parse.FaultBinary, Text: fmt.Sprintf(format, args...), Place: parse.Place{File: file}})
}

func atOffset(offset int64, text string) string { return fmt.Sprintf("at offset %d: %s", offset, text) }

// member names a file in a file: "libk.a(mm.o)".
func member(file, member string) string {
	if member == "" {
		return file
	}
	return file + "(" + member + ")"
}

// read makes records of one entry. It runs on any processor; the data is lent.
func read(e container.Entry, data []byte, shown string) content {
	if data == nil {
		return content{}
	}
	file := member(shown, e.Member)
	switch e.Kind {
	case container.Cubin:
		f, err := cubin.Parse(data)
		if f == nil {
			return content{err: err}
		}
		return content{image: imageOf(f, parse.Place{File: file}), err: err}
	case container.PTX:
		entries, err := ptx.Read(bytes.NewReader(bytes.TrimRight(data, "\x00")), member(file, e.Arch+".ptx"))
		return content{ptx: entries, err: err}
	default:
	}
	return content{}
}

// imageOf makes records of an image.
func imageOf(f *cubin.File, place parse.Place) *image {
	m := &image{
		arch: f.Arch, virtual: f.VirtualSM, unlinked: f.Relocatable, global: f.GlobalBytes, constant: f.ConstBytes, place: place,
		tool: "CUDA " + f.Toolkit,
	}
	if f.Toolkit == "" {
		m.tool = ""
	}
	for i := range f.Functions {
		fn := &f.Functions[i]
		if fn.Internal && !fn.Registers.Stated() {
			continue // a helper of the compiler inside a kernel: part of the kernel's numbers
		}
		m.kernels = append(m.kernels, kernelOf(f, fn, place))
		if fn.StackUnbounded && fn.Entry {
			m.stackUnknown = append(m.stackUnknown, fn.Name)
		}
	}
	return m
}

func kernelOf(f *cubin.File, fn *cubin.Function, place parse.Place) parse.Kernel {
	kind := parse.Function
	if fn.Entry {
		kind = parse.Entry
	}
	return parse.Kernel{
		Name: fn.Name, Parent: fn.Parent, Place: place, Compilation: -1,
		Class: &parse.Class{
			Arch: f.Arch, Kind: kind, Stage: parse.StageBinary,
			Registers: fn.Registers, Barriers: fn.Barriers, SharedBytes: fn.SharedBytes,
			StackBytes: fn.StackBytes, CumulativeStackBytes: fn.CumulativeStackBytes,
			SpillStoreBytes: fn.SpillStoreBytes, SpillLoadBytes: fn.SpillLoadBytes,
			LocalBytes: fn.LocalBytes, ConstBytes: fn.ConstBytes,
			MaxThreads: threads(fn.MaxThreads), RequiredThreads: threads(fn.RequiredThreads), RegisterCap: fn.RegisterCap,
		},
	}
}

func threads(d cubin.Dim) parse.Count {
	if n := d.Threads(); n > 0 {
		return parse.Some(n)
	}
	return 0
}

// launchedBy adds what the cache notes of the launch.
func (m *image) launchedBy(l *jit.Launch) {
	for i := range m.kernels {
		k := &m.kernels[i]
		if k.Kind != parse.Entry || l.Name != "" && k.Name != l.Name {
			continue
		}
		m.cached = true
		k.Variant = l.Configuration()
		k.DynamicSharedBytes = parse.Some(l.DynamicSharedBytes)
		// The image says how many threads a block must have where it has
		// more than the warps of the program (warp specialization).
		k.BlockThreads = k.RequiredThreads
		if !k.BlockThreads.Stated() {
			k.BlockThreads = parse.Some(l.Threads())
		}
	}
}

// skipped gathers what a file has and was not judged.
type skipped struct {
	code, ptx []string
	lto       int
	other     int
}

func (s *skipped) note(f *container.Found[content]) {
	switch f.Kind {
	case container.Cubin:
		if f.Value.image != nil {
			s.code = append(s.code, plain(f.Value.image.arch))
		}
	case container.PTX:
		s.ptx = append(s.ptx, f.Arch)
	case container.LTO:
		s.lto++
	default:
		s.other++
	}
}

// plain is an architecture without its suffix.
func plain(arch string) string { return strings.TrimRight(arch, "af") }

// text says what was not judged. PTX beside code for its architecture is there
// for later devices, and no omission.
func (s *skipped) text(shown string) (notes []string) {
	slices.Sort(s.ptx)
	var only []string
	for _, arch := range slices.Compact(s.ptx) {
		if !slices.Contains(s.code, arch) {
			only = append(only, arch)
		}
	}
	if len(only) > 0 {
		notes = append(notes, fmt.Sprintf("%s: not judged: PTX for %s without code for it; it is compiled where it is launched", shown, strings.Join(only, ", ")))
	}
	if s.lto > 0 {
		notes = append(notes, fmt.Sprintf("%s: not judged: %s of LTO intermediate code, which a linker compiles", shown, count(s.lto, "entry", "entries")))
	}
	if s.other > 0 {
		notes = append(notes, fmt.Sprintf("%s: not judged: %s of a kind that is not known", shown, count(s.other, "entry", "entries")))
	}
	return notes
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// slashed is a path as reports show it.
func slashed(path string) string { return filepath.ToSlash(path) }

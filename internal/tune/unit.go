package tune

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/ptx"
)

// Unit is what is compiled again and again: a source behind a command line, or
// a PTX file.
type Unit interface {
	// Method names the way: source or ptx.
	Method() string
	// compile compiles the unit under a variant. A compiler that refuses the
	// variant is no error but a compiled with a fault.
	compile(ctx context.Context, w *Workspace, o order) (*compiled, error)
}

// order is one compilation to make.
type order struct {
	variant     Variant
	clusterRank int
	// kernels are what the variant is for.
	kernels []string
	// only restricts the assembler to these kernels; none compiles all.
	only []string
	// header is to be included before the source; none for the source as it is.
	header string
	// stop ends it at PTX.
	stop bool
}

// compiled is what became of it.
type compiled struct {
	variant Variant
	records []record
	text    string // PTX
	entries []ptx.Entry
	cubin   string // path in the workspace
	took    time.Duration
	output  string
	fault   string // the compiler's own words; empty: it went well
}

// Source is a unit behind a command line.
type Source struct {
	Invocation *capture.Invocation
	File       string         // the one source, as the command names it
	Target     capture.Target // what to compile for; the zero value is the compiler's default
	Dir        string         // the command's working directory
	Env        []string
}

// Method implements Unit.
func (s *Source) Method() string { return "source" }

func (s *Source) compile(ctx context.Context, w *Workspace, o order) (*compiled, error) {
	room, err := w.room("source")
	if err != nil {
		return nil, err
	}
	c := &compiled{variant: o.variant, cubin: filepath.Join(room, "unit.cubin")}
	args, err := s.command(room, c.cubin, o)
	if err != nil {
		return nil, err
	}
	p := process{args: args, dir: s.Dir, env: w.env(capture.WithoutFlags(s.Env)), combined: true}
	end, err := p.run(ctx)
	if err != nil {
		return nil, err
	}
	c.took, c.output = end.took, end.stderr
	if end.code != 0 {
		c.fault = firstError(end.stderr)
		return c, nil
	}
	return c, c.read(room, o)
}

// command is the command line of one compilation.
func (s *Source) command(room, cubin string, o order) ([]string, error) {
	args := append(s.Invocation.Launcher(), s.Invocation.Compiler())
	if o.header != "" {
		// First of all: headers that the command itself includes may have kernels.
		path := filepath.Join(room, "occlint-tune.h")
		if err := os.WriteFile(path, []byte(o.header), 0o600); err != nil {
			return nil, err
		}
		args = append(args, "-include", path)
	}
	args = append(args, s.Invocation.Shape()...)
	if t := s.Target; t.Real != "" {
		args = append(args, "-gencode", "arch="+t.Virtual+",code="+t.Real)
	}
	args = append(args, "--keep", "--keep-dir", room)
	if o.stop {
		return append(args, "-ptx", "-o", filepath.Join(room, "unit.ptx"), s.File), nil
	}
	args = append(args, "-Xptxas", "-v")
	for _, kernel := range o.only {
		args = append(args, "-Xptxas", "--entry="+kernel)
	}
	return append(args, "-cubin", "-o", cubin, s.File), nil
}

// read reads what a compilation left.
func (c *compiled) read(room string, o order) error {
	files, err := filepath.Glob(filepath.Join(globbed(room), "*.ptx"))
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return &NoPTXError{Files: len(files)}
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	c.text = string(text)
	if c.entries, err = ptx.Read(strings.NewReader(c.text), "the compiler's PTX"); err != nil || o.stop {
		return err
	}
	return c.assembled()
}

// assembled reads what the assembler said and made.
func (c *compiled) assembled() (err error) {
	if c.records, err = readLog(c.output); err != nil {
		return err
	}
	image, err := os.ReadFile(c.cubin)
	if err != nil {
		return err
	}
	readImage(image, c.records)
	return nil
}

// globbed escapes what a pattern would take for its own.
func globbed(dir string) string {
	return regexp.MustCompile(`[*?\[\\]`).ReplaceAllString(dir, `\$0`)
}

// NoPTXError says that a compiler kept no PTX where it was told to, so that no
// variant can be proven.
type NoPTXError struct{ Files int }

func (e *NoPTXError) Error() string {
	if e.Files == 0 {
		return "the compiler kept no PTX (--keep), so nothing proves that other bounds would reach the kernel; is it nvcc, or a wrapper that passes its options on?"
	}
	return "the compiler kept more than one PTX file, so it compiles for more than one architecture; name one with --arch"
}

// PTX is a unit that is PTX already.
type PTX struct {
	Module
	On string // the architecture to compile for: "sm_90"
	// Assembler is ptxas.
	Assembler string
	Dir       string
	Env       []string
}

// Method implements Unit.
func (p *PTX) Method() string { return "ptx" }

func (p *PTX) compile(ctx context.Context, w *Workspace, o order) (*compiled, error) {
	room, err := w.room("ptx")
	if err != nil {
		return nil, err
	}
	c := &compiled{variant: o.variant, text: p.Text, cubin: filepath.Join(room, "unit.cubin")}
	if o.variant.Kind != AsWritten {
		for _, kernel := range o.kernels {
			c.text, _ = rebound(c.text, kernel, o.variant)
		}
	}
	if c.entries, err = ptx.Read(strings.NewReader(c.text), p.Path); err != nil {
		return nil, err
	}
	file := filepath.Join(room, "unit.ptx")
	if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
		return nil, err
	}
	args := []string{p.Assembler, "-arch=" + p.On, "-v", "-o", c.cubin}
	for _, kernel := range o.only {
		args = append(args, "--entry", kernel)
	}
	run := process{args: append(args, file), dir: p.Dir, env: w.env(p.Env), combined: true}
	end, err := run.run(ctx)
	if err != nil {
		return nil, err
	}
	c.took, c.output = end.took, strings.ReplaceAll(end.stderr, file, p.Path)
	if end.code != 0 {
		c.fault = firstError(c.output)
		return c, nil
	}
	return c, c.assembled()
}

// entryOf is what a compilation's PTX declares for a kernel; nil for nothing.
func (c *compiled) entryOf(kernel string) *ptx.Entry {
	at := slices.IndexFunc(c.entries, func(e ptx.Entry) bool { return e.Name == kernel })
	if at < 0 {
		return nil
	}
	return &c.entries[at]
}

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/internal/where"
)

// whereFormats are the formats of where, by the words of --output.
var whereFormats = []string{"text", "markdown", "json", "html"}

// finder shows where kernels use local memory.
type finder struct {
	*app
	root     string
	outputs  []string
	color    string
	kernels  []string
	archs    []string
	logs     []string
	top      int
	topSet   bool
	all      bool
	annotate bool
}

func newWhereCommand(a *app) *cobra.Command {
	f := &finder{app: a}
	cmd := &cobra.Command{
		Use:   "where BINARY ...",
		Short: "Show where the spills are: in which loops, on which source lines",
		Long: `Reads compiled code and shows, for each kernel that uses local memory, its
loops as a tree with the bytes of spills and of local arrays in each, and the
source lines that have most of them. Bytes count each instruction once, as the
compiler does: a loop's are those of one pass.

Source lines need nvcc -lineinfo. CUDA 13 lists every spill, so its bytes are
exact; older code is told apart by what it shows, which is "about" where a local
array is used too. --log compares the bytes with what the compiler printed.`,
		Example: `  occlint where build/gemm.o
  occlint where --kernel 'lin::sgemm<*>' --arch sm_90 --source libkernels.so
  occlint where --output markdown:spills.md build/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.topSet = cmd.Flags().Changed("top")
			return f.run(args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.kernels, "kernel", nil, "show kernels that `PATTERN` matches, as in a config (repeatable)")
	flags.StringArrayVar(&f.archs, "arch", nil, "show one architecture, as `sm_90` (repeatable)")
	flags.IntVar(&f.top, "top", 10, "show `N` kernels and N lines of each, the worst first; 0 shows all")
	flags.BoolVar(&f.all, "all", false, "show kernels without local memory too")
	flags.BoolVar(&f.annotate, "source", false, "list the sources beside what their lines cost")
	flags.StringArrayVar(&f.logs, "log", nil, "compare with the compiler's `LOG` of the same build (repeatable)")
	flags.StringVar(&f.root, "root", "", "name and find sources from `DIR` (default: the repository root)")
	flags.StringArrayVar(&f.outputs, "output", nil, "write `FORMAT[:PATH]` (repeatable; "+strings.Join(whereFormats, ", ")+"); without a path to stdout")
	registerColor(cmd, &f.color)
	return cmd
}

func (f *finder) run(args []string) error {
	if f.top < 0 {
		return usageError("--top %d: want a number of kernels, or 0 for all", f.top)
	}
	stdout, files, err := f.outputsOf(f.outputs, whereFormats)
	if err != nil {
		return err
	}
	keep, err := f.filter()
	if err != nil {
		return err
	}
	root, err := f.repositoryRoot(f.root)
	if err != nil {
		return err
	}
	sources := where.NewSources(root)
	defer sources.Close() //nolint:errcheck // nothing was written
	all, notes, err := f.kernelsOf(args, root, sources, keep)
	if err != nil {
		return err
	}
	if len(all) == 0 && len(notes) > 0 {
		// What is wrong with the files may be why nothing is left.
		return &exitError{exitUntrusted, fmt.Errorf("no compiled kernel could be read: %s", strings.Join(notes[:min(len(notes), mostNotes)], "; "))}
	}
	if len(all) == 0 && len(notes) == 0 && len(f.kernels)+len(f.archs) == 0 {
		return &exitError{exitUntrusted, fmt.Errorf("no compiled kernel in %s", strings.Join(args, ", "))}
	}
	if len(all) == 0 && len(f.kernels)+len(f.archs) > 0 {
		return f.nothingLeft()
	}
	stale, err := f.compareLogs(all, root)
	if err != nil {
		return err
	}
	report := func(format string) *where.Report {
		r := f.report(all, notes, format)
		if f.annotate {
			r.Source = sources.Read
		}
		return r
	}
	errs := []error{f.write(f.Stdout, stdout, report(stdout))}
	for _, o := range files {
		errs = append(errs, writeFile(f.path(o.path), func(w io.Writer) error { return f.write(w, o.format, report(o.format)) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	return stale
}

func (f *finder) write(w io.Writer, format string, r *where.Report) error {
	switch format {
	case "markdown":
		return where.WriteMarkdown(w, r)
	case "json":
		return where.WriteJSON(w, r)
	case "html":
		return where.WriteHTML(w, r)
	}
	return where.WriteText(w, term.New(w, f.color, f.Env), r)
}

// filter says which kernels are shown; a function goes with the kernel that it
// was compiled for.
func (f *finder) filter() (func(*where.Unit) bool, error) {
	match, err := matcher("--kernel", f.kernels)
	if err != nil {
		return nil, err
	}
	for _, a := range f.archs {
		if !archName(a) {
			return nil, usageError("--arch %q is not the name of an architecture; write sm_90 or sm_90a", a)
		}
	}
	return func(u *where.Unit) bool {
		if len(f.archs) > 0 && !slices.Contains(f.archs, u.Arch) && !slices.Contains(f.archs, arch.Base(u.Arch)) {
			return false
		}
		return match == nil || match(u.Kernel)
	}, nil
}

func (f *finder) nothingLeft() error {
	var asked []string
	for _, k := range f.kernels {
		asked = append(asked, "--kernel "+k)
	}
	for _, a := range f.archs {
		asked = append(asked, "--arch "+a)
	}
	return usageError("no kernel is left for %s", strings.Join(asked, " "))
}

// report puts the worst kernels first and leaves out what was not asked for.
// For other programs nothing is left out unless it was asked for.
func (f *finder) report(all []*where.Kernel, notes []string, format string) *where.Report {
	r := &where.Report{Notes: notes, Top: f.top}
	if format == "json" && !f.topSet {
		r.Top = 0
	}
	for _, k := range all {
		if len(k.Sites) == 0 && !f.all && format != "json" {
			r.Quiet++
			continue
		}
		r.Kernels = append(r.Kernels, k)
	}
	where.Sort(r.Kernels)
	r.Lines = where.Lines(r.Kernels)
	if r.Top > 0 && len(r.Kernels) > r.Top {
		r.Left = len(r.Kernels) - r.Top
		r.Kernels = r.Kernels[:r.Top]
	}
	return r
}

// compareLogs holds the kernels against what the compiler printed. A log that
// states another number than exact code is of another build: nothing that is
// joined with it can be relied on.
func (f *finder) compareLogs(all []*where.Kernel, root string) (stale, err error) {
	if len(f.logs) == 0 {
		return nil, nil
	}
	log, err := f.readLogs(f.logs, forwardNone, root)
	if err != nil {
		return nil, err
	}
	type key struct{ name, parent, arch string }
	stated := map[key]where.Stated{}
	for _, k := range log.Kernels() {
		stores, known := k.SpillStoreBytes.Value()
		loads, alsoKnown := k.SpillLoadBytes.Value()
		if known && alsoKnown && k.Defect == 0 {
			stated[key{k.Name, k.Parent, k.Arch}] = where.Stated{StoreBytes: stores, LoadBytes: loads}
		}
	}
	var wrong []string
	compared := 0
	for _, k := range all {
		s, ok := stated[key{k.Name, k.Parent, k.Arch}]
		if !ok {
			continue
		}
		compared++
		if k.Reconcile(s) {
			wrong = append(wrong, name.Qualified(k.Name))
		}
	}
	if compared == 0 {
		return nil, usageError("the logs have none of these kernels: give the log of the same build, compiled with -Xptxas -v")
	}
	if len(wrong) == 0 {
		return nil, nil
	}
	more := ""
	if n := len(wrong) - 3; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
		wrong = wrong[:3]
	}
	return &exitError{exitUntrusted, fmt.Errorf("the log is of another build than the binary: spills of %s%s differ; build again and use both of that build", strings.Join(wrong, ", "), more)}, nil
}

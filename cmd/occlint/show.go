package main

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// newShowCommand shows the table of kernels.
func newShowCommand(a *app) *cobra.Command {
	s := &shower{gate: gate{app: a}}
	forward := forwardMessages
	cmd := &cobra.Command{
		Use:   "show [LOG ...]",
		Short: "Show what each kernel uses: registers, spills, stack, shared memory, barriers, occupancy",
		Long: `Shows one row for each kernel and architecture of a log: registers, bytes
spilled (stores + loads), stack frame, static shared memory, barriers, and the
occupancy with what limits it. Occupancy needs a block size: declared launch
bounds, or --threads.

What the log does not state is "-"; a record that can't be trusted starts with
"!". Exit codes: 0, 2 when --match and --arch leave no kernel of the log, and 3
when the log can't be trusted as a whole.`,
		Example: `  occlint show build.log
  occlint show --sort spills --top 20 build.log
  occlint show --match 'lin::*' --arch sm_90 --threads 256 build.log
  occlint show --output csv:kernels.csv build.log`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			options, err := s.options()
			if err != nil {
				return err
			}
			if err := s.prepareShow(); err != nil {
				return err
			}
			a.codeOnly = true // a binary has the block sizes without it
			log, err := a.readLogs(args, forward, s.root)
			if err != nil {
				return err
			}
			return s.show(log, options)
		},
	}
	flags := cmd.Flags()
	s.policy.register(flags)
	a.registerObjects(flags)
	flags.StringArrayVar(&s.output.outputs, "output", nil,
		"write `FORMAT[:PATH]` (repeatable; "+strings.Join(report.ShowFormats(), ", ")+"); without a path to stdout")
	flags.StringVar(&s.sort, "sort", "", "sort by `KEY`: "+strings.Join(report.SortKeys(), ", ")+" (default: the log's order)")
	flags.IntVar(&s.top, "top", 0, "show the first `N` rows")
	flags.StringArrayVar(&s.match, "match", nil, "show kernels that `PATTERN` matches, as in a config (repeatable)")
	flags.StringArrayVar(&s.archs, "arch", nil, "show one architecture, as `sm_90` (repeatable)")
	flags.IntVar(&s.threads, "threads", 0, "compute occupancy for blocks of `N` threads where no block size is declared")
	flags.BoolVar(&s.all, "all", false, "show device functions without a stack frame too")
	flags.Var(&forward, "forward", "of a piped log, pass on to stderr: messages (all but resource lines), all or none (`WHAT`)")
	registerColor(cmd, &s.output.color)
	return cmd
}

// shower is one occlint show. Of a gate it uses the config and the sources, for
// the block sizes that they declare; it judges nothing.
type shower struct {
	gate
	sort         string
	top, threads int
	match, archs []string
	all          bool
}

func (s *shower) options() (report.ShowOptions, error) {
	o := report.ShowOptions{Sort: s.sort, Top: s.top, All: s.all}
	if s.sort != "" && !slices.Contains(report.SortKeys(), s.sort) {
		return o, usageError("--sort %q: there are %s", s.sort, strings.Join(report.SortKeys(), ", "))
	}
	if s.top < 0 {
		return o, usageError("--top %d: want a number of rows, 1 or more", s.top)
	}
	if s.threads < 0 || s.threads > 1024 {
		return o, usageError("--threads %d: a block has 1 to 1024 threads", s.threads)
	}
	for _, a := range s.archs {
		if !archName(a) {
			return o, usageError("--arch %q is not the name of an architecture; write sm_90 or sm_90a", a)
		}
		// Another architecture's sm_ name is fine: the log may have a newer one.
		o.Archs = append(o.Archs, arch.Base(a))
		if base := arch.Base(a); base != a && strings.HasPrefix(a, "sm_") {
			o.Archs[len(o.Archs)-1] = a // sm_90a is sm_90a alone
		}
	}
	match, err := matcher("--match", s.match)
	o.Match = match
	return o, err
}

// archName reports whether a can name an architecture, known or newer.
func archName(a string) bool {
	number, ok := strings.CutPrefix(arch.Base(a), "sm_")
	_, err := strconv.ParseUint(number, 10, 16)
	return ok && err == nil
}

func (s *shower) prepareShow() (err error) {
	if s.root, err = s.repositoryRoot(s.policy.root); err != nil {
		return err
	}
	if s.stdout, s.files, err = s.outputsOf(s.output.outputs, report.ShowFormats()); err != nil {
		return err
	}
	s.loaded, err = s.loadConfig(&s.policy, s.root)
	return err
}

func (s *shower) show(log *parse.Log, options report.ShowOptions) error {
	policy, err := s.loaded.policyFor(log)
	if err != nil {
		return err
	}
	policy.Archs = nil // all of the log is shown, whatever is judged
	result, err := rules.Judge(log, policy)
	if err != nil {
		return usageError("%w", err)
	}
	if s.threads > 0 {
		result.AssumeThreads(s.threads)
	}
	in := s.reportInput(policy, result)
	in.Log = log
	errs := []error{report.Show(s.Stdout, s.stdout, in, options)}
	for _, o := range s.files {
		errs = append(errs, writeFile(s.path(o.path), func(w io.Writer) error { return report.Show(w, o.format, in, options) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	if !result.Trusted() {
		return &exitError{code: exitUntrusted, err: errors.New(untrustedReason(result))}
	}
	return s.noMatch(log, options)
}

// noMatch is an error where the log has kernels and what was asked for leaves
// none of them: most often a slip in a name.
func (s *shower) noMatch(log *parse.Log, options report.ShowOptions) error {
	if len(s.match) == 0 && len(s.archs) == 0 || log.Len() == 0 {
		return nil
	}
	var archs []string
	named := options.Match == nil // a kernel has the name, on another architecture
	for _, k := range log.Kernels() {
		if options.Takes(&k) {
			return nil
		}
		named = named || options.Match(k.Name)
		if k.Arch != "" && !slices.Contains(archs, k.Arch) && len(archs) < 32 {
			archs = append(archs, k.Arch)
		}
	}
	var asked []string
	for _, m := range s.match {
		asked = append(asked, "--match "+m)
	}
	for _, a := range s.archs {
		asked = append(asked, "--arch "+a)
	}
	have := "kernels of no named architecture"
	if len(archs) > 0 {
		slices.Sort(archs)
		have = strings.Join(archs, ", ")
	}
	suggestion := ""
	if !named {
		suggestion = meant(s.match, log.Names())
	}
	return usageError("the log has no kernel for %s; it has %s%s", strings.Join(asked, " "), have, suggestion)
}

// untrustedReason is why the log can't be trusted, for a table has no place
// for it: the first reason and how many more there are.
func untrustedReason(r *rules.Result) string {
	var reasons []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Rule == "untrusted-log" && f.Severity == rules.Error {
			reasons = append(reasons, f.Message)
			if f.Help != "" {
				reasons[len(reasons)-1] += "; " + f.Help
			}
		}
	}
	const shown = 3
	if n := len(reasons) - shown; n > 0 {
		reasons = append(reasons[:shown], "and more of the like: occlint check lists them all")
	}
	return "the log can't be trusted as a whole: " + strings.Join(reasons, "\n  ")
}

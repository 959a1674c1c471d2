package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/internal/report"
)

// profiler is one occlint profile.
type profiler struct {
	*app
	policy      policyFlags
	outputs     []string
	color       string
	arch        string
	top         int
	minShare    string
	failOn      []string
	failOnGiven bool

	root   string
	stdout string
	files  []output
	loaded *loadedConfig
	wanted verdictSet // fail on these
	torn   bool       // the logs can't be trusted as a whole
}

func newProfileCommand(a *app) *cobra.Command {
	p := &profiler{app: a}
	cmd := &cobra.Command{
		Use:   "profile REPORT ... [LOG|BINARY ...]",
		Short: "Join what a profiler measured with what the compiler said: one verdict for each kernel",
		Long: `Reads reports of Nsight Compute (CSV pages, the pages of its terminal, .ncu-rep),
Chrome traces of PyTorch's profiler, and the launch list of Nsight Systems, each
recognised by its bytes, compressed by gzip or zstd or not, joins the launches with
the records of logs and binaries, and gives each kernel one verdict, with the
numbers it rests on and what would help. --page raw has the most; the details
page has no stall reasons, and a trace has no counters.

Advice is no gate: the exit code is 0 unless --fail-on-verdict or the config's
profile: says otherwise (1). 2 is usage or config. 3: there is no table, its
numbers can't be read, nothing could be joined although a log was given, or the
reports lack what a verdict or budget that fails rests on.`,
		Example: `  ncu --set full -o r ./app && ncu -i r.ncu-rep --csv --page raw > r.csv
  occlint profile r.csv build.log
  occlint profile --top 20 --min-share 1% --output html:profile.html r.ncu-rep
  occlint profile --fail-on-verdict spills-hot,profile-stale r.csv build.log
  occlint explain verdict:latency-ilp`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.failOnGiven = cmd.Flags().Changed("fail-on-verdict")
			return p.run(args)
		},
	}
	flags := cmd.Flags()
	p.policy.register(flags)
	flags.StringArrayVar(&p.outputs, "output", nil,
		"write `FORMAT[:PATH]` (repeatable; "+strings.Join(report.ProfileFormats(), ", ")+"); without a path to stdout")
	flags.StringVar(&p.arch, "arch", "", "compute occupancy for this architecture, as `sm_90`, whatever the report says")
	flags.IntVar(&p.top, "top", 0, "show the `N` kernels that take most of the time")
	flags.StringVar(&p.minShare, "min-share", "", "leave out kernels below this `SHARE` of the time, as 1%")
	flags.StringSliceVar(&p.failOn, "fail-on-verdict", nil, "exit 1 when a kernel, shown or not, has one of these `VERDICTS`, and 3 when the report can't tell")
	registerColor(cmd, &p.color)
	return cmd
}

func (p *profiler) run(args []string) error {
	share, err := p.prepare()
	if err != nil {
		return err
	}
	if err := p.sparesInputs(p.files, args); err != nil {
		return err
	}
	in, err := p.inputs(args)
	if err != nil {
		return err
	}
	records, err := p.records(in.logs)
	if err != nil {
		return err
	}
	table, err := p.loaded.table()
	if err != nil {
		return err
	}
	read, err := p.read(in, records, judge.Options{Table: table, Thresholds: p.loaded.thresholds(), Arch: p.arch})
	if err != nil {
		return err
	}
	options := report.ProfileOptions{
		Title: strings.Join(in.reportNames(), ", "), Top: p.top, MinShare: share, Problems: read.problems, More: read.more,
		Version: version(), Table: table, Color: p.color, Env: p.Env,
	}
	if err := p.write(read.result, options); err != nil {
		return &exitError{exitUsage, err}
	}
	return p.verdict(read, records, len(in.logs) > 0)
}

// prepare reads flags and config, before any report is.
func (p *profiler) prepare() (minShare float64, err error) {
	if p.root, err = p.repositoryRoot(p.policy.root); err != nil {
		return 0, err
	}
	if p.stdout, p.files, err = parseOutputs(p.outputs, report.ProfileFormats()); err != nil {
		return 0, err
	}
	if p.top < 0 {
		return 0, usageError("--top %d: want a number of kernels, 1 or more", p.top)
	}
	if minShare, err = parseShare(p.minShare); err != nil {
		return 0, err
	}
	if p.arch != "" {
		if !archName(p.arch) {
			return 0, usageError("--arch %q is not the name of an architecture; write sm_90 or sm_90a", p.arch)
		}
		p.arch = arch.Base(p.arch)
	}
	p.policy.noBaseline = true
	if p.loaded, err = p.loadConfig(&p.policy, p.root); err != nil {
		return 0, err
	}
	p.wanted, err = p.verdicts()
	return minShare, err
}

func (p *profiler) write(r *judge.Result, o report.ProfileOptions) error {
	errs := []error{report.Profile(p.Stdout, p.stdout, r, o)}
	for _, out := range p.files {
		errs = append(errs, writeFile(p.path(out.path), func(w io.Writer) error { return report.Profile(w, out.format, r, o) }))
	}
	return errors.Join(errs...)
}

// verdict is the exit code, with what has no place in a report.
func (p *profiler) verdict(read *readReports, records []judge.Record, logs bool) error {
	for _, problem := range read.problems {
		at := problem.Place.File
		if problem.Place.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, problem.Place.Line)
		}
		fmt.Fprintf(p.Stderr, "occlint: note: %s: %s\n", escapeLines(at), escapeLines(problem.Text))
	}
	if read.more > 0 {
		fmt.Fprintf(p.Stderr, "occlint: note: %d more of the like\n", read.more)
	}
	r := read.result
	if logs && r.Beside == 0 && r.Others == 0 {
		return &exitError{exitUntrusted, errors.New("no launch has a record in the logs and binaries that were given: are they of what was profiled? " +
			"Names are compared by their mangled form, or with their template arguments: export with --print-kernel-base mangled" + otherArchs(records, r.Archs))}
	}
	g := p.gate(r)
	return g.err()
}

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// diffFormats are the formats of a diff, by the words of --output.
var diffFormats = []string{"text", "markdown", "json"}

// differ compares two logs.
type differ struct {
	*app
	policy    policyFlags
	outputs   []string
	threshold []string
	threads   int
	limit     int
	color     string
	exitZero  bool
}

func newDiffCommand(a *app) *cobra.Command {
	d := &differ{app: a}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show what changed in each kernel between two logs, and fail when something got worse",
		Long: `Compares two logs, record files or record directories, kernel by kernel and
architecture by architecture: registers, spills, stack, shared memory, barriers
and, where the block size is known, occupancy. What got worse the most comes
first. A number that only one side states is unknown, not a change.

Of two binaries it says in which loops and on which lines spills were gained.

Without --threshold anything that gets worse by more than the config's
tolerance is a regression; with it, only what a threshold names.

Exit codes: 0 no regression, 1 a regression, 2 usage or config, 3 one of the
two can't be judged, or they can't be compared.`,
		Example: `  occlint diff main.log branch.log
  occlint diff --threshold 'registers>+4,spills>+0,occupancy<-10%' old/ new/
  occlint diff --output markdown:comment.md main.log.gz branch.log`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError("diff compares two: occlint diff OLD NEW; there are %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return d.run(args[0], args[1]) },
	}
	flags := cmd.Flags()
	d.policy.register(flags)
	flags.StringArrayVar(&d.threshold, "threshold", nil,
		"how much worse is allowed, as a `LIST` such as 'registers>+4,spills>+0,occupancy<-10%' (repeatable)")
	flags.IntVar(&d.threads, "threads", 0, "compare the occupancy of blocks of `N` threads where no block size is declared")
	flags.IntVar(&d.limit, "limit", 50, "show `N` rows of each section in text and Markdown; 0 shows all")
	flags.StringArrayVar(&d.outputs, "output", nil, "write `FORMAT[:PATH]` (repeatable; text, markdown, json); without a path to stdout")
	flags.BoolVar(&d.exitZero, "exit-zero", false, "exit 0 in spite of regressions (never in spite of a log that can't be judged)")
	registerColor(cmd, &d.color)
	return cmd
}

func (d *differ) run(before, after string) error {
	if before == "-" && after == "-" {
		return usageError("- is named twice: stdin can be read once")
	}
	if d.threads < 0 || d.threads > 1024 {
		return usageError("--threads %d: a block has 1 to 1024 threads", d.threads)
	}
	stdout, files, err := d.outputsOf(d.outputs, diffFormats)
	if err != nil {
		return err
	}
	root, err := d.repositoryRoot(d.policy.root)
	if err != nil {
		return err
	}
	d.policy.noBaseline = true
	loaded, err := d.loadConfig(&d.policy, root)
	if err != nil {
		return err
	}
	thresholds, err := d.thresholds(loaded)
	if err != nil {
		return err
	}
	was, err := d.side(before, root, loaded)
	if err != nil {
		return err
	}
	older := d.takeCompiled()
	now, err := d.side(after, root, loaded)
	if err != nil {
		return err
	}
	gains, err := d.gains(older, d.takeCompiled(), root)
	if err != nil {
		return err
	}
	diff := compare.Logs(was.Kernels(), now.Kernels(), thresholds)
	diff.NotJudged = was.NotJudged + now.NotJudged
	view := compare.View{Old: filepath.ToSlash(before), New: filepath.ToSlash(after), Limit: d.limit, Gains: gains}
	incomparable := diff.Incomparable()
	trusted := was.Trusted() && now.Trusted() && incomparable == ""
	write := func(w io.Writer, format string) error { return d.write(w, format, diff, view, trusted) }
	errs := []error{write(d.Stdout, stdout)}
	for _, f := range files {
		errs = append(errs, writeFile(d.path(f.path), func(w io.Writer) error { return write(w, f.format) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	d.explainUntrusted(before, was)
	d.explainUntrusted(after, now)
	return d.verdict(diff, trusted, incomparable)
}

func (d *differ) verdict(diff *compare.Diff, trusted bool, incomparable string) error {
	switch {
	case incomparable != "":
		return &exitError{exitUntrusted, errors.New(incomparable)}
	case !trusted:
		return &exitError{code: exitUntrusted}
	case diff.Count(compare.Regressed) > 0 && !d.exitZero:
		return &exitError{code: exitFindings}
	}
	return nil
}

func (d *differ) write(w io.Writer, format string, diff *compare.Diff, view compare.View, trusted bool) error {
	switch format {
	case "markdown":
		return diff.Markdown(w, view)
	case "json":
		return diff.JSON(w, view, trusted)
	}
	return diff.Text(w, term.New(w, d.color, d.Env), view)
}

// thresholds are those of the flags, else the tolerance of the config.
func (d *differ) thresholds(loaded *loadedConfig) ([]compare.Threshold, error) {
	if len(d.threshold) == 0 {
		return compare.DefaultThresholds(loaded.tolerance), nil
	}
	var list []compare.Threshold
	var errs []error
	for _, text := range d.threshold {
		t, err := compare.ParseThresholds(text)
		list, errs = append(list, t...), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, usageError("--%w", err)
	}
	return list, nil
}

// side reads and judges one of the two. How many kernels a build must have is
// the gate's question; here a missing kernel is listed as removed.
func (d *differ) side(arg, root string, loaded *loadedConfig) (*rules.Result, error) {
	log, err := d.readLogs([]string{arg}, forwardNone, root)
	if err != nil {
		return nil, err
	}
	policy, err := loaded.policyFor(log)
	if err != nil {
		return nil, err
	}
	policy.ExpectKernels, policy.Baseline = 0, nil
	result, err := rules.Judge(log, policy)
	if err != nil {
		return nil, usageError("%w", err)
	}
	if d.threads > 0 {
		result.AssumeThreads(d.threads)
	}
	return result, nil
}

// explainUntrusted says why a log can't be judged: the diff itself does not
// show findings.
func (a *app) explainUntrusted(log string, result *rules.Result) {
	for i := range result.Findings {
		if f := &result.Findings[i]; f.Rule == "untrusted-log" && f.Severity == rules.Error {
			fmt.Fprintf(a.Stderr, "occlint: %s can't be judged: %s [%s]\n", name.Escape(log), name.Escape(f.Message), f.Rule)
		}
	}
}

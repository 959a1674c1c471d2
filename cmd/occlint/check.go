package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// newCheckCommand is the gate: occlint check, and occlint alone.
func newCheckCommand(a *app) *cobra.Command {
	g := &gate{app: a}
	forward := forwardMessages
	cmd := &cobra.Command{
		Use:   "check [LOG ...]",
		Short: "Judge the kernels of a build log, and fail when a budget is broken",
		Long: `Reads what nvcc -Xptxas -v (with -Xnvlink -v for device links) printed, from
files, record directories or a pipe, and judges each kernel by .occlint.yml.

Exit codes: 0 clean, 1 findings at or above --fail-on, 2 usage or config,
3 the input can't be judged.`,
		Example: `  nvcc -arch=sm_90 -Xptxas -v -c gemm.cu 2>&1 | occlint --forward none
  occlint build.log
  occlint --output sarif:occlint.sarif build.log`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := g.prepare(); err != nil {
				return err
			}
			if err := a.sparesInputs(g.files, args); err != nil {
				return err
			}
			log, err := a.readLogs(args, forward, g.root)
			if err != nil {
				return err
			}
			return g.check(log)
		},
	}
	g.policy.register(cmd.Flags())
	a.registerObjects(cmd.Flags())
	g.output.register(cmd)
	registerProfiles(cmd, &g.profiles)
	g.policy.registerBinary(cmd.Flags())
	cmd.Flags().Var(&forward, "forward", "of a piped log, pass on to stderr: messages (all but resource lines), all or none (`WHAT`)")
	return cmd
}

// gate judges a log and reports: what check, run and wrap's check have in
// common.
type gate struct {
	*app
	policy policyFlags
	output outputFlags

	root   string
	stdout string   // the format that goes to stdout
	files  []output // the formats that go to files
	loaded *loadedConfig

	profiles []string // of --profile
}

// prepare reads flags and config, so that a fault in them is known before a
// build runs or a log is read.
func (g *gate) prepare() (err error) {
	if g.root, err = g.repositoryRoot(g.policy.root); err != nil {
		return err
	}
	if g.stdout, g.files, err = g.outputsOf(g.output.outputs, report.FormatNames()); err != nil {
		return err
	}
	if len(g.output.tuned) > 0 && g.stdout != "html" && !slices.ContainsFunc(g.files, func(o output) bool { return o.format == "html" }) {
		return usageError("--tuned is a section of the HTML report: ask for one with --output html:PATH")
	}
	g.loaded, err = g.loadConfig(&g.policy, g.root)
	return err
}

// check judges log, writes every report and returns the verdict as an error
// with its exit code, or nil when all is clean.
func (g *gate) check(log *parse.Log) error {
	policy, err := g.loaded.policyFor(log)
	if err != nil {
		return err
	}
	launched, err := g.launched(g.profiles, log, policy.Table, g.root)
	if err != nil {
		return err
	}
	policy.Declarations = append(launched, policy.Declarations...)
	places, err := g.placesIn(log)
	if err != nil {
		return err
	}
	policy.Places = places.ofPolicy()
	in, err := g.judge(log, policy)
	if err != nil {
		return err
	}
	in.Places = places.find
	if err := g.write(in); err != nil {
		return &exitError{exitUsage, err}
	}
	return g.verdict(in.Result)
}

// judge judges the log, and compares it with the base where one is asked for.
func (g *gate) judge(log *parse.Log, policy *rules.Policy) (*report.Input, error) {
	var since *base
	if g.output.base != "" {
		var err error
		if since, err = g.readBase(policy); err != nil {
			return nil, err
		}
		policy.Base = since.known
		policy.Base.Tolerance = g.loaded.tolerance
	}
	result, err := rules.Judge(log, policy)
	if err != nil {
		return nil, usageError("%w", err)
	}
	in := g.reportInput(policy, result)
	in.Log = log
	if in.Tuned, err = g.tunedSection(); err != nil {
		return nil, err
	}
	if since != nil {
		in.Diff = since.changesSince(result, g.loaded.tolerance)
	}
	return in, nil
}

func (g *gate) verdict(result *rules.Result) error {
	switch {
	case !result.Trusted():
		return &exitError{code: exitUntrusted}
	case !g.output.exitZero && result.Worst() >= g.output.failOn.severity:
		return &exitError{code: exitFindings}
	}
	return nil
}

// write sends each format where it was asked to go. All are tried, so that one
// full disk does not cost the other reports.
func (g *gate) write(in *report.Input) error {
	errs := []error{report.Write(g.Stdout, g.stdout, in)}
	if errors.Is(errs[0], syscall.EPIPE) {
		// The reader of stdout has seen enough; the verdict stands.
		errs = nil
	}
	for _, o := range g.files {
		errs = append(errs, writeFile(g.path(o.path), func(w io.Writer) error {
			return report.Write(w, o.format, in)
		}))
	}
	errs = append(errs, g.writeForGitHub(in))
	return errors.Join(errs...)
}

// writeForGitHub adds annotations and a job summary on GitHub Actions, beside
// whatever was asked for.
func (g *gate) writeForGitHub(in *report.Input) error {
	if g.Env("GITHUB_ACTIONS") != "true" {
		return nil
	}
	var errs []error
	if g.stdout != "github" && g.output.annotate {
		errs = append(errs, report.Write(g.Stderr, "github", in))
	}
	if path := g.Env("GITHUB_STEP_SUMMARY"); path != "" {
		errs = append(errs, appendFile(path, func(w io.Writer) error { return report.Write(w, "markdown", in) }))
	}
	return errors.Join(errs...)
}

func appendFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write the job summary: %w", err)
	}
	return errors.Join(write(f), f.Close())
}

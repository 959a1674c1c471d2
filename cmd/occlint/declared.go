package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// newDeclaredCommand shows what the gate believes that kernels declare.
func newDeclaredCommand(a *app) *cobra.Command {
	d := &declarer{gate{app: a}}
	forward := forwardMessages
	cmd := &cobra.Command{
		Use:   "declared [LOG ...]",
		Short: "Show what each kernel declares, and where that was read",
		Long: `Shows for each kernel of a log its launch bounds, its budgets and where each
of them was read: the config's defaults, the source, PTX, the config's kernels.
Per field the later one counts. Where the source has bounds whose value could
not be read it says why; see docs/declarations.md for what is read.

Exit code 0, or 3 when the log can't be trusted as a whole.`,
		Example: `  occlint declared build.log
  occlint declared --source 'src/**/*.cu' --define TPB=256 build.log
  occlint declared --output json build.log`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := d.prepareDeclared(); err != nil {
				return err
			}
			log, err := a.readLogs(args, forward, d.root)
			if err != nil {
				return err
			}
			return d.show(log)
		},
	}
	flags := cmd.Flags()
	d.policy.register(flags)
	a.registerObjects(flags)
	flags.StringArrayVar(&d.output.outputs, "output", nil,
		"write `FORMAT[:PATH]` (repeatable; "+strings.Join(report.DeclaredFormats(), ", ")+"); without a path to stdout")
	flags.Var(&forward, "forward", "of a piped log, pass on to stderr: messages (all but resource lines), all or none (`WHAT`)")
	registerColor(cmd, &d.output.color)
	return cmd
}

// declarer is one occlint declared. It merges as the gate does and judges
// nothing.
type declarer struct{ gate }

func (d *declarer) prepareDeclared() (err error) {
	if d.root, err = d.repositoryRoot(d.policy.root); err != nil {
		return err
	}
	if d.stdout, d.files, err = d.outputsOf(d.output.outputs, report.DeclaredFormats()); err != nil {
		return err
	}
	d.loaded, err = d.loadConfig(&d.policy, d.root)
	return err
}

func (d *declarer) show(log *parse.Log) error {
	policy, err := d.loaded.policyFor(log)
	if err != nil {
		return err
	}
	policy.Archs = nil // all of the log is shown, whatever is judged
	result, err := rules.Judge(log, policy)
	if err != nil {
		return usageError("%w", err)
	}
	in := d.reportInput(policy, result)
	in.Log = log
	errs := []error{report.Declared(d.Stdout, d.stdout, in)}
	for _, o := range d.files {
		errs = append(errs, writeFile(d.path(o.path), func(w io.Writer) error { return report.Declared(w, o.format, in) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	if result.Trusted() {
		return nil
	}
	return &exitError{code: exitUntrusted, err: errors.New(untrustedReason(result))}
}

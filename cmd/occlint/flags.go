package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/rules"
)

// policyFlags say what to judge by.
type policyFlags struct {
	config   string
	noConfig bool
	sources  []string
	ptx      []string
	defines  []string
	root     string
	binaries []string // of the log's build: where the spills are
	partial  bool
	// noBaseline is no flag: commands that write the baseline, and that
	// compare without it, must not need the file.
	noBaseline bool
}

func (p *policyFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&p.config, "config", "", "use `FILE` as the config (default: .occlint.yml, found upward to the repository root)")
	flags.BoolVar(&p.noConfig, "no-config", false, "use no config")
	flags.StringArrayVar(&p.sources, "source", nil, "read launch bounds from the CUDA sources that `GLOB` names (repeatable)")
	flags.StringArrayVar(&p.ptx, "ptx", nil, "read launch bounds from the PTX that `GLOB` names (repeatable)")
	flags.StringArrayVar(&p.defines, "define", nil, "what the build passes with -D, as `NAME=VALUE` (repeatable)")
	flags.StringVar(&p.root, "root", "", "name files from `DIR` in reports (default: the repository root)")
	flags.BoolVar(&p.partial, "partial", false, "the log covers only part of the build: expect, unmatched and an empty log are notes")
}

// registerObjects is for commands that read record directories.
func (a *app) registerObjects(flags *pflag.FlagSet) {
	flags.BoolVar(&a.objects, "binaries", false, "with a directory of records, read the objects that its builds made as well")
}

// registerBinary is for commands that judge.
func (p *policyFlags) registerBinary(flags *pflag.FlagSet) {
	flags.StringArrayVar(&p.binaries, "binary", nil,
		"say in which loops and lines the spills are, by the compiled `FILE` of the log's build, or a directory of them (repeatable)")
}

// outputFlags say what to show and which findings fail the build.
type outputFlags struct {
	outputs  []string
	color    string
	base     string
	tuned    []string
	quiet    bool
	showInfo bool
	noGroup  bool
	annotate bool
	failOn   failOn
	exitZero bool
}

func (o *outputFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&o.outputs, "output", nil,
		"write `FORMAT[:PATH]` (repeatable; "+strings.Join(report.FormatNames(), ", ")+"); without a path to stdout")
	flags.StringVar(&o.base, "base", "", "report and fail only on what is new or worse than in `FILE`: a log, records, a binary or a baseline")
	flags.StringArrayVar(&o.tuned, "tuned", nil, "show what occlint tune wrote as JSON to `FILE` in the HTML report (repeatable)")
	flags.BoolVar(&o.quiet, "quiet", false, "print errors only")
	flags.BoolVar(&o.showInfo, "show-info", false, "list info findings too")
	flags.BoolVar(&o.noGroup, "no-group", false, "one message for each finding, not for each kernel family")
	flags.BoolVar(&o.annotate, "annotations", true, "on GitHub Actions, annotate the pull request beside the text")
	o.failOn = failOn{rules.Error}
	flags.Var(&o.failOn, "fail-on", "exit 1 from this `SEVERITY` on: info, warning or error")
	flags.BoolVar(&o.exitZero, "exit-zero", false, "exit 0 in spite of findings (never in spite of a log that can't be judged)")
	registerColor(cmd, &o.color)
}

// registerProfiles is for commands that judge kernels as they are launched.
func registerProfiles(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringArrayVar(to, "profile", nil,
		"take block sizes and dynamic shared memory from the profiler's `REPORT` where nothing declares them (repeatable; see occlint profile)")
}

func registerColor(cmd *cobra.Command, color *string) {
	*color = "auto"
	cmd.Flags().Var((*colorMode)(color), "color", "colour the text: auto, always or never (`WHEN`)")
}

// colorMode is a string that is one of three.
type colorMode string

func (c *colorMode) Set(s string) error {
	switch s {
	case "auto", "always", "never":
		*c = colorMode(s)
		return nil
	}
	return errors.New("want auto, always or never")
}

func (c *colorMode) String() string { return string(*c) }

// Type implements pflag.Value.
func (c *colorMode) Type() string { return "when" }

// failOn is the severity from which findings fail the build.
type failOn struct{ severity rules.Severity }

func (f *failOn) Set(s string) error {
	for _, v := range []rules.Severity{rules.Info, rules.Warning, rules.Error} {
		if s == v.String() {
			f.severity = v
			return nil
		}
	}
	return errors.New("want info, warning or error")
}

func (f *failOn) String() string { return f.severity.String() }

// Type implements pflag.Value.
func (f *failOn) Type() string { return "severity" }

// output is one report to write: a format and, when it does not go to
// stdout, a path.
type output struct{ format, path string }

// parseOutputs splits each FORMAT[:PATH] at the first colon. Exactly one
// format goes to stdout: text, unless one without a path says otherwise.
func parseOutputs(specs, formats []string) (stdout string, files []output, err error) {
	stdout = "text"
	named := ""
	for _, spec := range specs {
		format, path, hasPath := strings.Cut(spec, ":")
		if !slices.Contains(formats, format) {
			return "", nil, usageError("--output %q: no format %q; there are %s", spec, format, strings.Join(formats, ", "))
		}
		switch {
		case hasPath && path == "":
			return "", nil, usageError("--output %q: the path after the colon is empty", spec)
		case path == "-":
			return "", nil, usageError("--output %q: for stdout give no path: --output %s", spec, format)
		case hasPath:
			files = append(files, output{format, path})
		case named != "":
			return "", nil, usageError("--output %s and --output %s both want stdout: give one a path (%s:FILE)", named, format, format)
		default:
			named, stdout = format, format
		}
	}
	return stdout, files, nil
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/rules"
)

// defaultBaseline is where a baseline is written beside a config that names
// none.
const defaultBaseline = ".occlint-baseline.yml"

// baseliner writes and shrinks the baseline file.
type baseliner struct {
	*app
	policy policyFlags
	reason string
	file   string
	force  bool

	root   string
	loaded *loadedConfig
}

func newBaselineCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Accept today's findings in a file, and shrink that file when they get better",
		Long: `A baseline lets a project with findings have a green gate today: what is recorded
passes as long as it is no worse, and everything else fails.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usageError("baseline needs to know what to do: baseline write or baseline prune")
		},
	}
	cmd.AddCommand(newBaselineWriteCommand(a), newBaselinePruneCommand(a))
	return cmd
}

func newBaselineWriteCommand(a *app) *cobra.Command {
	b := &baseliner{app: a}
	cmd := &cobra.Command{
		Use:   "write --reason TEXT [LOG ...]",
		Short: "Record the findings of a log as accepted",
		Long: `Judges a log by the config and records each error and warning with its value: no
worse passes from now on. What cannot be accepted is not recorded: a log that
can't be judged, a declaration or an exception that matches nothing.

The file is the one that the config names under baseline, else
` + defaultBaseline + ` beside the config. A file that is there is only
replaced with --force; what it accepted keeps its reason unless it got worse, and
entries of architectures that the log does not have stay as they are.`,
		Example: `  occlint baseline write --reason "spills of the 2026 code base, PERF-12" build.log`,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, args []string) error { return b.write(args) },
	}
	b.register(cmd)
	cmd.Flags().StringVar(&b.reason, "reason", "", "why the findings are accepted, in a few `WORDS`")
	cmd.Flags().BoolVar(&b.force, "force", false, "replace a baseline that is there")
	return cmd
}

func newBaselinePruneCommand(a *app) *cobra.Command {
	b := &baseliner{app: a}
	cmd := &cobra.Command{
		Use:   "prune [LOG ...]",
		Short: "Take out of the baseline what is no longer needed",
		Long: `Judges a log and takes the findings that are gone out of the baseline, and lowers
the values of those that got better. Nothing is added or raised. Entries of
architectures that the log does not have stay, and with --partial those of
kernels that it does not have.`,
		Example: `  occlint baseline prune build.log`,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, args []string) error { return b.prune(args) },
	}
	b.register(cmd)
	return cmd
}

func (b *baseliner) register(cmd *cobra.Command) {
	b.policy.register(cmd.Flags())
	cmd.Flags().StringVar(&b.file, "baseline", "", "use `FILE` instead of the baseline that the config names")
}

// judge judges the log as if there were no baseline.
func (b *baseliner) judge(args []string) (*rules.Result, error) {
	var err error
	if b.root, err = b.repositoryRoot(b.policy.root); err != nil {
		return nil, err
	}
	b.policy.noBaseline = true
	if b.loaded, err = b.loadConfig(&b.policy, b.root); err != nil {
		return nil, err
	}
	log, err := b.readLogs(args, forwardMessages, b.root)
	if err != nil {
		return nil, err
	}
	policy, err := b.loaded.policyFor(log)
	if err != nil {
		return nil, err
	}
	policy.Baseline = nil
	result, err := rules.Judge(log, policy)
	if err != nil {
		return nil, usageError("%w", err)
	}
	if !result.Trusted() {
		b.explainUntrusted("the log", result)
		return nil, &exitError{exitUntrusted, errors.New("nothing is written: what is missing from a log would be missing from the baseline")}
	}
	return result, nil
}

func (b *baseliner) write(args []string) error {
	if strings.TrimSpace(b.reason) == "" {
		return usageError("--reason is missing: say why these findings are accepted, for whoever reads the file next")
	}
	result, err := b.judge(args)
	if err != nil {
		return err
	}
	path := b.target()
	old := &rules.Baseline{}
	switch read, err := b.read(path); {
	case err == nil && !b.force:
		return usageError("%s is there already: occlint baseline prune shrinks it, --force writes it anew", b.shown(path))
	case err == nil:
		old = read
	case !errors.Is(err, fs.ErrNotExist) && !b.force:
		return usageError("%w", err)
	}
	entries := compare.Accept(result, strings.TrimSpace(b.reason), old, b.policy.partial)
	if err := b.save(path, entries); err != nil {
		return err
	}
	grown := compare.Grown(old, entries)
	fmt.Fprintf(b.Stdout, "%s accepts %s", b.shown(path), counted(len(entries), "value"))
	if b.force && len(old.Entries) > 0 {
		fmt.Fprintf(b.Stdout, ", %d of them new or worse than before", len(grown))
	}
	fmt.Fprintln(b.Stdout)
	if b.loaded.baselinePath == "" {
		fmt.Fprintf(b.Stdout, "the config does not name it yet: add the line\n  baseline: %s\n", b.shown(path))
	}
	return nil
}

func (b *baseliner) prune(args []string) error {
	result, err := b.judge(args)
	if err != nil {
		return err
	}
	path := b.target()
	base, err := b.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError("there is no baseline %s; occlint baseline write writes one", b.shown(path))
	}
	if err != nil {
		return usageError("%w", err)
	}
	pruned := compare.Prune(base, result, b.policy.partial)
	changed := len(pruned.Gone)+len(pruned.Better) > 0
	if changed {
		if err := b.save(path, pruned.Entries); err != nil {
			return err
		}
	}
	fmt.Fprintf(b.Stdout, "%s: %d gone, %d better, %d kept", b.shown(path),
		len(pruned.Gone), len(pruned.Better), len(pruned.Entries)-len(pruned.Better))
	if pruned.OtherArchs > 0 {
		fmt.Fprintf(b.Stdout, " (%d of architectures that the log does not have)", pruned.OtherArchs)
	}
	if pruned.Absent > 0 {
		fmt.Fprintf(b.Stdout, " (%d of kernels that the partial log does not have)", pruned.Absent)
	}
	fmt.Fprintln(b.Stdout)
	return nil
}

// target is the baseline file: the flag's, the config's, or the default beside
// the config.
func (b *baseliner) target() string {
	switch {
	case b.file != "":
		return b.path(b.file)
	case b.loaded.baselinePath != "":
		return b.loaded.baselinePath
	case b.loaded.configPath != "":
		return filepath.Join(filepath.Dir(b.loaded.configPath), defaultBaseline)
	}
	return b.path(defaultBaseline)
}

func (b *baseliner) shown(path string) string { return rootRelative(b.root, path, path) }

// read reads the baseline; fs.ErrNotExist says that there is none.
func (b *baseliner) read(path string) (*rules.Baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the baseline: %w", err)
	}
	return compare.ReadBaseline(b.shown(path), data)
}

func (b *baseliner) save(path string, entries []rules.BaselineEntry) error {
	var text bytes.Buffer
	if err := compare.WriteBaseline(&text, entries); err != nil {
		return &exitError{exitUsage, err}
	}
	err := writeFile(path, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
	if err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// counted is "1 value" or "2 values".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/starter"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// configName is the config that init writes and every command finds.
const configName = config.FileName

// initializer writes a starter config.
type initializer struct {
	*app
	file       string
	root       string
	force      bool
	spillsOnly bool

	profiles []string
}

func newInitCommand(a *app) *cobra.Command {
	i := &initializer{app: a}
	cmd := &cobra.Command{
		Use:   "init [LOG ...]",
		Short: "Write a starter config from a real log",
		Long: `Reads the log of a full build and writes ` + configName + ` from it: the
architectures and the number of kernels, no spills as the rule, a budget for each
kernel family as it is today, and comments that say what to look at first.

With --profile, entries say how kernels are launched: block: and
dynamic_shared:, which no log states.

Findings that are there today are not written into the config: occlint baseline
write accepts them, and then the gate is green.`,
		Example: `  occlint init build.log
  occlint init --profile r.csv build.log
  occlint baseline write --reason "as of today" build.log`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return i.run(args) },
	}
	cmd.Flags().StringVar(&i.file, "config", "", "write `FILE` (default: "+configName+" in the repository root)")
	cmd.Flags().StringVar(&i.root, "root", "", "name files from `DIR` in reports (default: the repository root)")
	cmd.Flags().StringArrayVar(&i.profiles, "profile", nil, "write block sizes and dynamic shared memory as launched in the profiler's `REPORT` (repeatable; see occlint profile)")
	cmd.Flags().BoolVar(&i.spillsOnly, "spills-only", false, "judge spills from the first day, and give no family a budget of registers")
	cmd.Flags().BoolVar(&i.force, "force", false, "replace a config that is there")
	return cmd
}

func (i *initializer) run(args []string) error {
	root, err := i.repositoryRoot(i.root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, configName)
	if i.file != "" {
		path = i.path(i.file)
	}
	shown := rootRelative(root, path, path)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) && !i.force {
		return usageError("%s is there already; --force replaces it", shown)
	}
	log, err := i.readLogs(args, forwardMessages, root)
	if err != nil {
		return err
	}
	from := &starter.Config{
		Log:      strings.Join(logNames(args), ", "),
		Sources:  starter.SourceGlobs(os.DirFS(filepath.Dir(path))),
		Baseline: defaultBaseline, SpillsOnly: i.spillsOnly,
	}
	if from.Launches, err = i.launched(i.profiles, log, nil, root); err != nil {
		return err
	}
	if err := i.judge(from, log, path, root); err != nil {
		return err
	}
	if err := writeFile(path, from.Write); err != nil {
		return &exitError{exitUsage, err}
	}
	i.next(shown, args, from)
	return nil
}

// judge judges the log by the config that is about to be written, which may
// find more than the log alone shows: it names the sources.
func (i *initializer) judge(from *starter.Config, log *parse.Log, path, root string) (err error) {
	defaults := &rules.Policy{Declarations: []rules.Declaration{starter.Defaults()}}
	if from.Result, err = rules.Judge(log, defaults); err != nil {
		return err
	}
	if !from.Result.Trusted() {
		i.explainUntrusted(from.Log, from.Result)
		return &exitError{exitUntrusted, errors.New("nothing is written: a config is made from the log of a whole build")}
	}
	var draft bytes.Buffer
	if err := from.Write(&draft); err != nil {
		return err
	}
	c, err := config.Parse(draft.Bytes(), path, knownNames())
	if err != nil {
		return usageError("the config made from this log would not be right; nothing is written: %w", err)
	}
	loaded, err := i.useConfig(c, path, &policyFlags{noBaseline: true}, root)
	if err != nil {
		return err
	}
	policy, err := loaded.policyFor(log)
	if err != nil {
		return err
	}
	from.Result, err = rules.Judge(log, policy)
	return err
}

// manyFamilies is more than a team would look through on its first day.
const manyFamilies = 100

// next says what to do now.
func (i *initializer) next(shown string, args []string, from *starter.Config) {
	fmt.Fprintf(i.Stdout, "wrote %s from %s\n", shown, counted(from.Result.Entries, "kernel"))
	if n := from.Families(); n > manyFamilies {
		fmt.Fprintf(i.Stdout, "%d kernel families have a budget of registers each; occlint init --spills-only --force leaves them out\n", n)
	}
	logs := strings.Join(args, " ")
	if logs == "" || logs == "-" {
		logs = "LOG"
	}
	if i.file != "" {
		logs = "--config " + i.file + " " + logs
	}
	findings, broken := 0, 0
	for k := range from.Result.Findings {
		f := &from.Result.Findings[k]
		switch {
		case compare.Acceptable(f):
			findings++
		case f.Severity == rules.Error && f.Suppressed == "":
			broken++
		}
	}
	if findings > 0 {
		fmt.Fprintf(i.Stdout, "%s are there today; accept them as they are with\n  occlint baseline write --reason \"...\" %s\n", counted(findings, "finding"), logs)
	}
	switch {
	case broken > 0:
		fmt.Fprintf(i.Stdout, "%s can't be accepted and has to be mended; see them with\n  occlint %s\n", counted(broken, "error"), logs)
	case findings == 0:
		fmt.Fprintf(i.Stdout, "nothing to accept: occlint %s is green\n", logs)
	}
}

// logNames are the logs as the comments call them.
func logNames(args []string) []string {
	if len(args) == 0 {
		return []string{stdinName}
	}
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = filepath.ToSlash(a)
	}
	return names
}

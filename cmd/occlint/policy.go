package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/declare"
	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/rules"
)

// loadedConfig is what a gate judges by, before the log is known.
type loadedConfig struct {
	file string // shown to people; empty: no config

	// configPath and baselinePath are absolute; empty: there is none. The
	// baseline is named here also where policyFlags.noBaseline leaves it unread.
	configPath, baselinePath string
	tolerance                map[string]float64 // by rules.Field, or "spills"

	inputs   declare.Inputs // all but the log
	embedded *[]ptx.Entry   // PTX of the binaries that were read last
}

// loadConfig finds and reads the config and the baseline it names. A fault in
// either is the caller's to mend: exit 2, with every problem listed.
func (a *app) loadConfig(flags *policyFlags, root string) (*loadedConfig, error) {
	path, err := a.gateConfig(flags)
	if err != nil {
		return nil, err
	}
	var c *config.Config
	if path != "" {
		if c, err = a.readConfig(path); err != nil {
			return nil, err
		}
	}
	return a.useConfig(c, path, flags, root)
}

// useConfig prepares to judge by c, which is read from path or is about to be
// written there; nil is no config.
func (a *app) useConfig(c *config.Config, path string, flags *policyFlags, root string) (l *loadedConfig, err error) {
	l = &loadedConfig{embedded: &a.embedded, inputs: declare.Inputs{
		Root: root, Dir: a.Dir,
		Sources: flags.sources, PTX: flags.ptx, Defines: flags.defines,
		Partial: flags.partial, Today: time.Now().UTC(), Note: a.noteOnce(),
	}}
	if c == nil {
		return l, nil
	}
	c.File = path // reports name it from the root, messages from the working directory
	l.inputs.Config = c
	l.configPath, l.file = path, rootRelative(root, path, path)
	l.tolerance = c.Tolerance.ByField()
	if c.Baseline.Set {
		l.baselinePath = filepath.Join(filepath.Dir(path), filepath.FromSlash(c.Baseline.Value))
		if filepath.IsAbs(c.Baseline.Value) {
			l.baselinePath = c.Baseline.Value
		}
	}
	if l.baselinePath != "" && !flags.noBaseline {
		l.inputs.Baseline, err = a.readBaseline(l, root)
	}
	return l, err
}

// noteOnce prints notes, each once: a policy is made for every log.
func (a *app) noteOnce() func(string) {
	said := map[string]bool{}
	return func(text string) {
		if !said[text] {
			said[text] = true
			fmt.Fprintf(a.Stderr, "occlint: note: %s\n", escapeLines(text))
		}
	}
}

// gateConfig is the config to judge by: told, found, or none (empty).
func (a *app) gateConfig(flags *policyFlags) (string, error) {
	switch {
	case flags.noConfig && flags.config != "":
		return "", usageError("--config and --no-config exclude each other")
	case flags.noConfig:
		return "", nil
	case flags.config != "":
		return a.path(flags.config), nil
	}
	path, _ := config.Find(a.Dir)
	return path, nil
}

// readBaseline reads the baseline that the config names. One that is not there
// accepts nothing, so that every finding counts: that is said, and stops no
// command.
func (a *app) readBaseline(l *loadedConfig, root string) (*rules.Baseline, error) {
	shown := rootRelative(root, l.baselinePath, l.baselinePath)
	data, err := os.ReadFile(l.baselinePath)
	if errors.Is(err, os.ErrNotExist) {
		at := l.inputs.Config.Baseline.Pos
		fmt.Fprintf(a.Stderr, "occlint: note: %s\n", escapeLines(fmt.Sprintf(
			"%s:%d:%d: there is no baseline %q yet, so nothing is accepted; occlint baseline write makes one", l.file, at.Line, at.Column, shown)))
		return nil, nil
	}
	if err != nil {
		return nil, usageError("cannot read the baseline: %w", err)
	}
	base, err := compare.ReadBaseline(shown, data)
	if err != nil {
		return nil, usageError("%w", err)
	}
	base.Tolerance = l.tolerance
	return base, nil
}

// policyFor merges config, sources and PTX into what the rules judge log by.
func (l *loadedConfig) policyFor(log declare.Entries) (*rules.Policy, error) {
	in := l.inputs
	in.Log, in.Embedded = log, *l.embedded
	policy, err := declare.Policy(in)
	if err != nil {
		return nil, usageError("%w", err)
	}
	return policy, nil
}

func (g *gate) reportInput(policy *rules.Policy, result *rules.Result) *report.Input {
	return &report.Input{
		Result: result, Table: policy.Table,
		Version: version(), ConfigFile: g.loaded.file,
		Color: g.output.color, Env: g.Env,
		Quiet: g.output.quiet, ShowInfo: g.output.showInfo, NoGroup: g.output.noGroup,
	}
}

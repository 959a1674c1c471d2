package main

import (
	"path/filepath"
	"time"

	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// loadedConfig is what a gate judges by, before the log is known.
type loadedConfig struct {
	file    string // shown to people; empty: no config
	partial bool

	// configPath and baselinePath are absolute; empty: there is none. The
	// baseline is named here also where policyFlags.noBaseline leaves it unread.
	configPath, baselinePath string
	tolerance                map[string]float64 // by rules.Field, or "spills"
}

func (a *app) loadConfig(flags *policyFlags, _ string) (*loadedConfig, error) {
	return &loadedConfig{partial: flags.partial}, nil
}

// policyFor merges config, sources and PTX into what the rules judge log by.
func (l *loadedConfig) policyFor(*parse.Log) (*rules.Policy, error) {
	return &rules.Policy{Partial: l.partial, Today: time.Now()}, nil
}

func (g *gate) reportInput(log *parse.Log, policy *rules.Policy, result *rules.Result) *report.Input {
	return &report.Input{
		Log: log, Result: result, Table: policy.Table,
		Version: version(), ConfigFile: filepath.ToSlash(g.loaded.file),
		Color: g.output.color, Env: g.Env,
		Quiet: g.output.quiet, ShowInfo: g.output.showInfo, NoGroup: g.output.noGroup,
	}
}

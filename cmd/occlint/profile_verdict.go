package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/profile/judge"
)

// verdictSet are verdicts that fail.
type verdictSet map[judge.Verdict]bool

// verdicts are those that --fail-on-verdict or else the config names.
func (p *profiler) verdicts() (verdictSet, error) {
	set := verdictSet{}
	names := splitCommas(p.failOn)
	if len(names) == 0 && p.failOnGiven {
		return nil, usageError("--fail-on-verdict names no verdict: is the variable in it set? There are %s", strings.Join(verdictIDs(), ", "))
	}
	if len(names) == 0 {
		for _, v := range p.loaded.profile().FailOn {
			set[judge.Verdict(v.Value)] = true
		}
		return set, nil
	}
	for _, v := range names {
		if !slices.Contains(verdictIDs(), v) {
			return nil, usageError("--fail-on-verdict %q: there are %s", v, strings.Join(verdictIDs(), ", "))
		}
		set[judge.Verdict(v)] = true
	}
	return set, nil
}

func verdictIDs() []string {
	var ids []string
	for _, d := range judge.Docs() {
		ids = append(ids, string(d.Verdict))
	}
	return ids
}

// parseShare reads a share of the time: 1%, or 0.01.
func parseShare(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x >= 0 && x <= 1) {
		return 0, usageError("--min-share %q: want a share of the time, as 1%% or 0.01", text)
	}
	return x, nil
}

// profile is the config's section; all of it unset without a config.
func (l *loadedConfig) profile() *config.Profile {
	if l.inputs.Config == nil {
		return &config.Profile{}
	}
	return &l.inputs.Config.Profile
}

// table has the architectures, with the config's own.
func (l *loadedConfig) table() (*arch.Table, error) {
	policy, err := l.policyFor(nil)
	if err != nil {
		return nil, err
	}
	if policy.Table == nil {
		return arch.Builtin(), nil
	}
	return policy.Table, nil
}

// thresholds are the defaults with what the config changes.
func (l *loadedConfig) thresholds() judge.Thresholds {
	t, c := judge.Defaults(), l.profile()
	if c.TooShort.Set {
		t.TooShortMicros = float64(c.TooShort.Value)
	}
	for _, s := range []struct {
		to    *float64
		field config.Field[config.Percent]
		scale float64
	}{
		{&t.SpillsHotPercent, c.SpillsHot, 1}, {&t.GridPercent, c.GridFilled, 1}, {&t.UnevenPercent, c.Busy, 1}, {&t.IssuePercent, c.Issue, 1},
		{&t.EligibleWarps, c.Ready, 0.01}, {&t.SaturatedPercent, c.Saturated, 1}, {&t.TensorPercent, c.Tensor, 1}, {&t.NearPercent, c.NearLimit, 1},
		{&t.MemoryStallPercent, c.MemoryStalls, 1}, {&t.AchievedPercent, c.Achieved, 1},
	} {
		if s.field.Set {
			*s.to = float64(s.field.Value) * s.scale
		}
	}
	return t
}

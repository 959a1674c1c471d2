package report

import (
	"fmt"
	"slices"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// fewMessages fit on a screen together with the summary below them.
const fewMessages = 3

// inCI reports a run whose output is read as a log, from the top.
func (in *Input) inCI() bool { return in.Env != nil && in.Env("CI") == "true" }

// messages are what a report for people says of the findings.
func (in *Input) messages(findings []*rules.Finding) []*block {
	list := blocks(findings, in.NoGroup)
	if in.NoGroup {
		return list
	}
	return gather(list)
}

// gather joins messages that have one cause, for reports that people
// read from the top: what a log that is too short can't have is told with
// that, and exceptions that are of no use any more are one message, last.
// Machine formats keep every finding apart.
func gather(messages []*block) []*block { return gatherStale(gatherAbsent(messages)) }

// gatherAbsent counts in the message of a log that is too short the entries
// that match nothing in it: what they are for may only be missing.
func gatherAbsent(messages []*block) []*block {
	at := slices.IndexFunc(messages, func(b *block) bool {
		return b.worst.Rule == "untrusted-log" && b.worst.Detail == "expect" && b.worst.Severity == rules.Error
	})
	if at < 0 {
		return messages
	}
	declared, excepted := 0, 0
	kept := messages[:0:0]
	var short *block
	for i, b := range messages {
		switch {
		case i == at:
			short = b
			kept = append(kept, b)
		case b.worst.Rule == "unmatched" && b.worst.Arch == "":
			declared += len(b.all)
		case isStale(b.worst):
			excepted += len(b.all)
		default:
			kept = append(kept, b)
		}
	}
	if declared+excepted == 0 {
		return messages
	}
	worst := *short.worst
	worst.Notes = append(slices.Clip(worst.Notes), entryCounts(declared, excepted)+" that match nothing in this log are not listed, since their kernels may only be missing (--no-group lists them)")
	*short = block{worst: &worst, all: short.all, also: short.also, weight: short.weight}
	return kept
}

func entryCounts(declared, excepted int) string {
	switch {
	case excepted == 0:
		return plural(declared, "budget")
	case declared == 0:
		return plural(excepted, "exception")
	}
	return plural(declared, "budget") + " and " + plural(excepted, "exception")
}

// gatherStale makes one message, and the last, of what the baseline accepts
// and nobody needs any more.
func gatherStale(messages []*block) []*block {
	kept := messages[:0:0]
	var stale []*block
	for _, b := range messages {
		if isStale(b.worst) && b.worst.Accepted != "" && b.worst.Severity > rules.Info {
			stale = append(stale, b)
		} else {
			kept = append(kept, b)
		}
	}
	if len(stale) < 2 {
		return messages
	}
	all := block{weight: stale[0].weight}
	var families []string
	for _, b := range stale {
		all.all = append(all.all, b.all...)
		for _, f := range b.all {
			if family := escaped(name.Family(f.Accepted)); !slices.Contains(families, family) {
				families = append(families, family)
			}
		}
	}
	worst := *stale[0].worst
	worst.Message = fmt.Sprintf("%d values that the baseline accepts are no longer needed", len(all.all))
	worst.Notes = []string{"of " + list(families, 3)}
	worst.Help = "occlint baseline prune takes them out"
	all.worst = &worst
	return append(kept, &all)
}

// isStale reports an exception that is of no use any more: things got better.
func isStale(f *rules.Finding) bool { return f.Rule == "stale-exception" && f.Suppressed == "" }

package judge

import "slices"

// Verdict is what is said of one kernel, by its id.
type Verdict string

// The verdicts, in the order in which they are tried.
const (
	ProfileStale     Verdict = "profile-stale"
	TooShort         Verdict = "too-short"
	SpillsHot        Verdict = "spills-hot"
	SpillsUnmeasured Verdict = "spills-unmeasured"
	GridTooSmall     Verdict = "grid-too-small"
	Uneven           Verdict = "uneven"
	NotOccupancy     Verdict = "occupancy-is-not-the-problem"
	Insufficient     Verdict = "insufficient"
	NearALimit       Verdict = "near-a-limit"
	StalledUnknown   Verdict = "stalled-unknown"
	OtherLatency     Verdict = "other-latency"
	LatencyUnfilled  Verdict = "latency-unfilled"
	LatencyILP       Verdict = "latency-ilp"
	RaiseOrILP       Verdict = "raise-occupancy-or-ilp"
	notJudged        Verdict = ""
)

// said is what a verdict says of a launch.
type said struct {
	message string
	help    string
	missing []string // sections of the profiler that would tell
}

// A check tells whether a verdict holds.
type check struct {
	verdict Verdict
	holds   func(*facts) (said, bool)
	// asNote: the message is worth a note where an earlier verdict counts. Of
	// those that advise something none is: after a saturated unit, say, the
	// advice to raise occupancy would be wrong.
	asNote bool
	// open reports that the report lacks what the verdict rests on, so that it
	// may hold where holds says no; nil where that can't be.
	open func(*facts) bool
}

// checks are tried in this order.
func checks() []check {
	return []check{
		{Insufficient, checkMixed, false, nil},
		{ProfileStale, checkStale, false, openStale},
		{TooShort, checkTooShort, false, func(f *facts) bool { return !known(f.micros) }},
		{SpillsHot, checkSpillsHot, true, openSpills},
		{SpillsUnmeasured, checkSpillsUnmeasured, true, nil},
		{GridTooSmall, checkGrid, true, func(f *facts) bool { return !known(f.waves()) }},
		{Uneven, checkUneven, true, func(f *facts) bool { return !known(f.busy) }},
		{NotOccupancy, checkIssue, true, func(f *facts) bool { return !known(f.issue) }},
		{NotOccupancy, checkEligible, true, func(f *facts) bool { return !known(f.eligible) }},
		{NotOccupancy, checkSaturated, true, func(f *facts) bool { return !known(f.saturation()) }},
		{Insufficient, checkInsufficient, false, nil},
		{NearALimit, checkNear, false, nil},
		{StalledUnknown, checkStalledUnknown, false, nil},
		{OtherLatency, checkOtherLatency, false, nil},
		{LatencyUnfilled, checkUnfilled, false, func(f *facts) bool { return !known(f.achieved / f.theoretical) }},
		{LatencyILP, checkILP, false, func(f *facts) bool { return !known(f.theoretical) }},
		{RaiseOrILP, checkRaise, false, nil},
	}
}

// judgement is the verdict on one launch.
type judgement struct {
	verdict Verdict
	said
	notes []string
	// open are the verdicts that it may have in place of this one: what they
	// rest on is not in the report.
	open  []Verdict
	alone bool // nothing beside the verdict is worth a word
}

// judge tries the checks in order.
func (f *facts) judge() judgement {
	var j judgement
	for _, c := range checks() {
		if unjudged(j.verdict) {
			j.opens(c.verdict)
		}
		if j.alone {
			continue
		}
		s, ok := c.holds(f)
		switch {
		case !ok && j.verdict == notJudged && c.open != nil && c.open(f):
			j.opens(c.verdict)
		case !ok:
		case j.verdict == notJudged:
			j.verdict, j.said = c.verdict, s
			j.alone = c.verdict == ProfileStale || c.verdict == TooShort || f.launch.Mixed != ""
		case c.verdict == Uneven && j.verdict == GridTooSmall:
			// Of course SMs without a block stand idle.
		case c.asNote:
			j.notes = append(j.notes, s.message)
			j.missing = append(j.missing, s.missing...)
		}
	}
	// What is decided after all, by a later check of the same verdict.
	j.open = slices.DeleteFunc(j.open, func(v Verdict) bool { return v == j.verdict })
	return j
}

// unjudged reports a verdict that only says what is missing: behind it any
// other may stand.
func unjudged(v Verdict) bool {
	return v == ProfileStale || v == SpillsUnmeasured || v == Insufficient || v == StalledUnknown
}

func (j *judgement) opens(v Verdict) {
	if !slices.Contains(j.open, v) {
		j.open = append(j.open, v)
	}
}

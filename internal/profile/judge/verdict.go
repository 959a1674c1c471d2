package judge

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
}

// checks are tried in this order.
func checks() []check {
	return []check{
		{Insufficient, checkMixed, false},
		{ProfileStale, checkStale, false},
		{TooShort, checkTooShort, false},
		{SpillsHot, checkSpillsHot, true},
		{SpillsUnmeasured, checkSpillsUnmeasured, true},
		{GridTooSmall, checkGrid, true},
		{Uneven, checkUneven, true},
		{NotOccupancy, checkIssue, true},
		{NotOccupancy, checkEligible, true},
		{NotOccupancy, checkSaturated, true},
		{Insufficient, checkInsufficient, false},
		{NearALimit, checkNear, false},
		{StalledUnknown, checkStalledUnknown, false},
		{OtherLatency, checkOtherLatency, false},
		{LatencyUnfilled, checkUnfilled, false},
		{LatencyILP, checkILP, false},
		{RaiseOrILP, checkRaise, false},
	}
}

// judgement is the verdict on one launch.
type judgement struct {
	verdict Verdict
	said
	notes []string
}

// judge tries the checks in order.
func (f *facts) judge() judgement {
	var j judgement
	for _, c := range checks() {
		s, ok := c.holds(f)
		switch {
		case !ok:
		case j.verdict == notJudged:
			j.verdict, j.said = c.verdict, s
			if c.verdict == ProfileStale || c.verdict == TooShort || f.launch.Mixed != "" {
				return j // nothing else is worth a word
			}
		case c.verdict == Uneven && j.verdict == GridTooSmall:
			// Of course SMs without a block stand idle.
		case c.asNote:
			j.notes = append(j.notes, s.message)
			j.missing = append(j.missing, s.missing...)
		}
	}
	return j
}

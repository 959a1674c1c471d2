package judge

import (
	"github.com/occlint/occlint/internal/profile"
)

// sameLaunch is all that the verdict on a launch without counters rests on: a
// trace has some thousand different ones among a million.
type sameLaunch struct {
	names              profile.Names
	arch, device       string
	grid, block        profile.Dim
	registers, static  float64
	dynamic, shared    float64
	sms, grids, blocks float64
	short              bool
}

// before is what such a launch came to.
type before struct {
	group *group
	match match
}

// mostBefore bounds what is remembered.
const mostBefore = 1 << 16

// sameAs is the key of a launch without counters; false for others.
func (j *Judge) sameAs(l *profile.Launch) (k sameLaunch, ok bool) {
	v := &l.Values
	for _, m := range []profile.Metric{profile.IssuePercent, profile.ComputePercent, profile.MemoryPercent, profile.AchievedPercent, profile.TheoreticalPercent, profile.LocalLoads, profile.LocalSpills, profile.BusyCycles} {
		if v.Has(m) {
			return k, false
		}
	}
	duration, timed := v.Of(profile.DurationNanos)
	if !timed || l.Mixed != "" || l.ID != "" || l.RoundedBytes != 0 {
		return k, false
	}
	return sameLaunch{
		names: l.Names, arch: l.Arch, device: l.Device, grid: l.Grid, block: l.Block,
		registers: v.Or(profile.RegistersPerThread, -1), static: v.Or(profile.StaticSharedBytes, -1),
		dynamic: v.Or(profile.DynamicSharedBytes, -1), shared: v.Or(profile.SharedBytes, -1),
		sms: v.Or(profile.SMs, -1), grids: v.Or(profile.GridBlocks, -1), blocks: v.Or(profile.BlockThreads, -1),
		short: duration/1e3 < j.options.Thresholds.TooShortMicros,
	}, true
}

// again counts a launch in that is like one before it, as far as its verdict
// goes. It is false for a launch that is longer than all before: that one is
// shown.
func (j *Judge) again(b *before, l *profile.Launch) bool {
	duration := l.Values.Or(profile.DurationNanos, 0)
	if duration/1e3 > b.group.longest {
		return false
	}
	t := duration * float64(l.Merged)
	r, k := &j.result, &b.group.kernel
	r.Launches += l.Merged
	r.TimeNanos += t
	k.Launches += l.Merged
	k.TimeNanos += t
	switch {
	case b.match.record != nil:
		r.Joined += l.Merged
		if !b.match.record.Inside {
			r.Beside += l.Merged
		}
	case b.match.stale != nil:
		r.Others += l.Merged
		r.Stale += t
	default:
		r.Unjoined += t
	}
	return true
}

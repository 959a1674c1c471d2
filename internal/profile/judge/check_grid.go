package judge

import (
	"fmt"
	"math"
)

// checkGrid: the grid is what limits the resident warps.
func checkGrid(f *facts) (said, bool) {
	if f.grid < f.sms {
		return said{
			message: fmt.Sprintf("%s for %.0f SMs: %.0f of them have nothing to do", blocks(f.grid), f.sms, f.sms-f.grid),
			help:    "deal the work out to more blocks",
		}, true
	}
	places := f.places()
	if !(f.grid < f.thresholds.GridPercent/100*places) {
		return said{}, false
	}
	return said{
		message: fmt.Sprintf("%s fill %s %% of the %.0f that fit at once: resident warps are limited by the grid, not by resources",
			blocks(f.grid), short(100*f.grid/places), places),
		help: "deal the work out to more blocks, or to larger ones",
	}, true
}

// checkUneven: SMs stand idle while others work.
func checkUneven(f *facts) (said, bool) {
	if !(f.busy < f.thresholds.UnevenPercent) {
		return said{}, false
	}
	why, help := "blocks of different length, or some that start late", "give each block as much work as the others, or have blocks fetch their work"
	if s := f.lastRound(); s != "" {
		why, help = s, "another number of blocks, or blocks that fetch their work"
	}
	return said{
		message: fmt.Sprintf("an SM works %s %% of the time on average: %s; no bound changes that", short(f.busy), why),
		help:    help,
	}, true
}

// lastRound tells that the last round of blocks is nearly empty; empty where
// that explains nothing.
func (f *facts) lastRound() string {
	const fewRounds, mostFilled = 8, 0.25
	for _, places := range []float64{f.places(), f.sms} {
		rounds := math.Floor(f.grid / places)
		left := f.grid - rounds*places
		if rounds >= 1 && rounds <= fewRounds && left > 0 && left/places <= mostFilled {
			return fmt.Sprintf("%s are %.0f more than %.0f %s of %.0f", blocks(f.grid), left, rounds, plural(rounds, "round"), places)
		}
	}
	return ""
}

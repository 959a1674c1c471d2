package arch

import "math"

// BytesNeeded is how many bytes each SM must keep in flight for the memory to
// be busy all the time: what arrives at full bandwidth during one latency
// (Little's law). Under load the latency grows, so this is the least that can
// do; docs/occupancy.md holds it against a measurement.
func (g *GPU) BytesNeeded() float64 {
	return BytesNeeded(float64(g.LatencyCycles), g.ClockHz, g.BandwidthBytesPerSec, g.SMs)
}

// BytesNeeded is GPU.BytesNeeded for any numbers: latency in cycles, clock in
// Hz, bandwidth of the whole GPU in bytes per second. It is 0 where a divisor
// is not positive.
func BytesNeeded(latencyCycles, clockHz, bandwidthBytesPerSec float64, sms int) float64 {
	if clockHz <= 0 || sms <= 0 {
		return 0
	}
	return latencyCycles / clockHz * bandwidthBytesPerSec / float64(sms)
}

// Flight compares what a launch keeps in flight with what the GPU needs. All
// is per SM.
type Flight struct {
	Need    float64 // bytes
	Have    float64 // bytes: resident threads × bytes per thread
	Threads int     // resident

	// BytesPerThread would be enough with the threads that are resident; 0
	// when none are.
	BytesPerThread int
	// ThreadsNeeded would be enough with the bytes per thread as they are, and
	// BlocksNeeded blocks have them. 0 when nothing is kept in flight.
	ThreadsNeeded, BlocksNeeded int
	// Reachable tells whether the SM has warp and block slots for so many
	// blocks of this size. Registers, shared memory or barriers may still stop
	// them: SM.Reach says what they must become. It is false for a launch of
	// which not one block fits.
	Reachable bool
}

// Enough tells whether the launch keeps the memory busy.
func (f Flight) Enough() bool { return f.Have >= f.Need }

// BandwidthShare is the most of the GPU's bandwidth that the launch can use,
// 0 to 1.
func (f Flight) BandwidthShare() float64 {
	if f.Need <= 0 {
		return 1
	}
	return min(1, f.Have/f.Need)
}

// Flight computes what blocks of so many threads, o.Blocks of them on each SM,
// keep in flight when each thread has bytesPerThread under way.
func (g *GPU) Flight(o Occupancy, threads, bytesPerThread int) Flight {
	f := Flight{Need: g.BytesNeeded(), Threads: o.Blocks * max(threads, 0)}
	f.Have = float64(f.Threads) * float64(bytesPerThread)
	if f.Threads > 0 {
		f.BytesPerThread = int(math.Ceil(f.Need / float64(f.Threads)))
	}
	if bytesPerThread > 0 {
		f.ThreadsNeeded = int(math.Ceil(f.Need / float64(bytesPerThread)))
		if threads > 0 {
			f.BlocksNeeded = ceil(f.ThreadsNeeded, threads)
		}
		f.Reachable = o.Blocks > 0 && f.BlocksNeeded <= min(o.Limits[Warps], o.Limits[Blocks])
	}
	return f
}

// Waves is how a grid fills a GPU, one set of resident blocks after another.
type Waves struct {
	Grid     int64 // blocks
	PerWave  int64 // blocks resident on the whole GPU
	Full     int64 // waves that fill it
	LastGrid int64 // blocks in the last, partly filled wave; 0 when all are full
}

// Waves computes how a grid of blocks fills the GPU.
func (g *GPU) Waves(o Occupancy, grid int64) Waves {
	w := Waves{Grid: max(grid, 0), PerWave: int64(g.SMs) * int64(o.Blocks)}
	if w.PerWave > 0 {
		w.Full, w.LastGrid = w.Grid/w.PerWave, w.Grid%w.PerWave
	}
	return w
}

// Count is the number of waves, the last one counted in full.
func (w Waves) Count() int64 {
	if w.LastGrid > 0 {
		return w.Full + 1
	}
	return w.Full
}

// IdlePercent is the share of all waves' places that stay empty: the tail.
func (w Waves) IdlePercent() float64 {
	if w.LastGrid == 0 {
		return 0
	}
	// The places of all waves may be more than 63 bits count.
	return 100 * float64(w.PerWave-w.LastGrid) / (float64(w.Count()) * float64(w.PerWave))
}

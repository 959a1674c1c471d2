package judge

// Thresholds are what the verdicts are told apart by. Use Defaults and change
// what you want.
type Thresholds struct {
	TooShortMicros       float64 // shorter launches are start-up for the most part
	SpillsHotPercent     float64 // local loads and stores among the executed instructions
	GridPercent          float64 // of the blocks that fit at once
	UnevenPercent        float64 // busy time of an SM on average, of the busiest one's
	IssuePercent         float64 // cycles with an issue
	EligibleWarps        float64 // ready per scheduler and cycle
	SaturatedPercent     float64 // of a unit's peak
	TensorPercent        float64 // of the tensor pipes' peak
	NearPercent          float64 // of a unit's peak
	MemoryStallPercent   float64 // waits for memory among all waits
	AchievedPercent      float64 // achieved occupancy, of the theoretical one
	FullOccupancyPercent float64 // occupancy that counts as full
}

// Defaults are the thresholds that were checked against times; docs/profile.md
// says how.
func Defaults() Thresholds {
	return Thresholds{
		TooShortMicros: 10, SpillsHotPercent: 5, GridPercent: 90, UnevenPercent: 80, IssuePercent: 80, EligibleWarps: 1,
		SaturatedPercent: 80, TensorPercent: 50, NearPercent: 60, MemoryStallPercent: 50, AchievedPercent: 80,
		FullOccupancyPercent: 99.5,
	}
}

package judge

import "slices"

// Doc explains one verdict: `occlint explain verdict:ID` and docs/profile.md
// are made from it.
type Doc struct {
	Verdict Verdict
	Title   string // what it says, as the end of "means that ..."
	When    string // the condition, in the words of the report, thresholds with their keys
	Why     string // Markdown
	Do      string // Markdown
	Example Example
}

// Example is a report under testdata/profile with what is said of one launch
// of it; empty where none of the real reports has such a launch.
type Example struct {
	Report, Log string // file names under testdata/profile
	ID          string // of the launch; its place in the list where the report has no IDs
	Change      string // what was changed to test the verdict, and what that did to the time
}

// Docs lists the verdicts in the order in which they are tried.
func Docs() []Doc {
	return []Doc{
		{
			Verdict: ProfileStale, Title: "the profile is of another build than the log",
			When: "The name has a record, but the registers of the launch are not max(16, those of the record), or the static shared memory differs. " +
				"A profiler never says fewer than 16 registers, and otherwise says what the compiler said, so this is the fingerprint of the join.",
			Why:     "Advice from one build's numbers and another build's times is worth nothing.",
			Do:      "Profile the build that the log is of.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own-12.4.log", ID: "0", Change: "The log is of CUDA 12.4 (17 registers), the profile of a build by 13.0 (15, shown as 16)."},
		}, {
			Verdict: TooShort, Title: "the launch is too short to be judged",
			When:    "It took less than `too_short_us` (10).",
			Why:     "Launching, filling the SMs and draining them takes some microseconds; the counters are of that for the most part.",
			Do:      "Nothing about occupancy. Many such launches are worth joining: larger batches, fused kernels, CUDA graphs.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "25"},
		}, {
			Verdict: SpillsHot, Title: "spilled registers are a part of what runs",
			When: "Local loads and stores are `spills_hot` (5%) of the executed instructions or more; where the report counts those of spills apart, they count. " +
				"Nothing is said where the compiler spilled nothing: local memory is of indexed arrays then.",
			Why: "A spill outside of loops costs nothing; one in a loop costs more than the occupancy that it bought. How often each spill load runs is counted, not guessed: " +
				"local loads per warp, by the spill loads in the code. Nothing else is worth a thought before.",
			Do: "Allow more registers: larger bounds, a larger or no `maxrregcount`. `occlint where` says in which loop they are, and `occlint tune` what other bounds would give.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "7",
				Change: "`__launch_bounds__(256, 2)` in place of `(256, 8)`: 93 registers, no spills, 25 % occupancy: 9.54 ms became 0.61 ms."},
		}, {
			Verdict: SpillsUnmeasured, Title: "the log has spills, and the report doesn't count them",
			When:    "The record has spills, and the report has no counter of local memory.",
			Why:     "Whether they run is what matters, and nothing else may be advised before it is known.",
			Do:      "Record with `--section MemoryWorkloadAnalysis_Tables` or `--set full`, and export `--page raw`.",
			Example: Example{Report: "own-live.metrics.csv", Log: "own.log", ID: "1"},
		}, {
			Verdict: GridTooSmall, Title: "there are too few blocks for the device",
			When: "The grid has fewer blocks than there are SMs, or less than `grid_filled` (90%) of those that fit at once.",
			Why:  "The resident warps are limited by the grid and not by registers or shared memory: nothing that is done about those changes anything.",
			Do:   "Deal the work out to more blocks.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "16",
				Change: "The same work in 1056 blocks: 0.422 ms became 0.031 ms."},
		}, {
			Verdict: Uneven, Title: "some SMs stand idle while others work",
			When: "An SM works less than `busy` (80%) of the time on average: its active cycles against those of the busiest SM (or against all cycles, on a details page).",
			Why: "Blocks of different length, or a last round with few blocks. Measured busy cycles tell it; the number of waves alone doesn't: 3.33 waves " +
				"can keep all SMs busy for 98 % of the time. No bound changes that.",
			Do: "Give each block as much to do, choose a grid that fills whole rounds, or let blocks fetch their work.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "18",
				Change: "As much work dealt out evenly: 1.78 ms became 0.61 ms."},
		}, {
			Verdict: NotOccupancy, Title: "more warps would only queue",
			When: "A warp issues in `issue` (80%) of the cycles, or `ready` (100%) of a warp and more is ready in each cycle, or compute or memory does `saturated` (80%) " +
				"of what it can, or a tensor pipe `tensor` (50%).",
			Why: "This comes before any look at occupancy. A kernel at 12.5 % with full issue slots is right as it is, and so is a warp-specialised GEMM: " +
				"\"no warp was ready\" alone says nothing.",
			Do: "Make it do less: fewer instructions, less traffic through the unit that is named, other pipes.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "9",
				Change: "A quarter of the blocks per SM: 3.75 ms stayed 3.74 ms. A padded tile, so that no two threads meet in a bank: 0.128 ms."},
		}, {
			Verdict: Insufficient, Title: "the report can't tell",
			When:    "It lacks the throughput of compute and memory (SpeedOfLight), or the issue slots and ready warps (SchedulerStats). Also where a summary averages launches that aren't alike.",
			Why:     "Without a test of saturation every advice about occupancy would be a guess.",
			Do:      "Record with `--set detailed` or `full`, and export `--page raw`. Notes say what can be known without.",
			Example: Example{Report: "own-live.metrics.csv", Log: "own.log", ID: "0"},
		}, {
			Verdict: NearALimit, Title: "a unit is busy enough that little is left",
			When: "Compute or memory does `near_limit` (60%) of what it can, or more.",
			Why:  "The most that any occupancy can buy is what that unit has left. It may be worth a step, or nothing at all.",
			Do:   "Measure one step before you pay for it with registers or shared memory.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "4",
				Change: "Twice the blocks: 0.149 ms became 0.143 ms (1.05x; the bound was 1.33x)."},
		}, {
			Verdict: StalledUnknown, Title: "warps wait, and the page doesn't say for what",
			When:    "The report has no stall reasons: the details page and the summary never do.",
			Why:     "A chain of dependent arithmetic at 25 % occupancy looks just like waits for memory there, and gains nothing from three times the warps.",
			Do:      "Export `--page raw` from a report that was recorded with `--set full` or `--section WarpStateStats`.",
			Example: Example{Report: "own-small.details.txt.gz", Log: "own.log", ID: "0"},
		}, {
			Verdict: OtherLatency, Title: "warps wait for something else than memory",
			When: "Less than `memory_stalls` (50%) of all waits are for memory (long scoreboard, lg throttle, tex throttle, drain).",
			Why:  "What helps depends on what they wait for, and occupancy helps less with it, or not at all.",
			Do:   "Follow the reasons: more independent work per thread against dependent arithmetic, smaller blocks or fewer barriers, fewer or wider accesses of shared memory.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "12",
				Change: "Four chains in place of one, as many operations: 1.27 ms became 0.36 ms."},
		}, {
			Verdict: LatencyUnfilled, Title: "there is room for warps that are not there",
			When: "Waits are for memory, and less than `achieved` (80%) of the theoretical occupancy is resident.",
			Why:  "Raising what is possible doesn't help where what is possible isn't used: a grid of one wave leaves a place empty as soon as its block ends.",
			Do:   "More and shorter blocks, or blocks of one length.",
			Example: Example{Report: "more.raw.csv.gz", Log: "more.log", ID: "0",
				Change: "Blocks of one length, as much work in all: 0.84 ms became 0.72 ms. A quarter of the length and four times the blocks filled the places (95 %) and was no faster."},
		}, {
			Verdict: LatencyILP, Title: "memory latency is not hidden, and occupancy is full",
			When: "Waits are for memory, nothing is near a limit, and every warp that fits is there.",
			Why:  "What is in flight is threads times loads per thread, and there are no more threads.",
			Do:   "More independent loads per thread: unroll, load 8 or 16 bytes at once, prefetch.",
			Example: Example{Report: "more.raw.csv.gz", Log: "more.log", ID: "3",
				Change: "Four independent loads in place of one: 0.215 ms became 0.128 ms, and the DRAM is full."},
		}, {
			Verdict: RaiseOrILP, Title: "more resident warps can help, and so can more loads per thread",
			When: "All that comes before is ruled out: waits are for memory, nothing is near a limit, the places are filled, and there is room for more warps.",
			Why: "This is the only verdict that advises occupancy. The steps are those of the launch's own block size and dynamic shared memory; the bound is what the added " +
				"warps and the busiest unit allow, and what really comes is less.",
			Do: "What takes less registers or shared memory to gain a block, or more loads in flight per thread, which costs none. " +
				"Beware when you test it with extra dynamic shared memory: that takes L1 away as well.",
			Example: Example{Report: "own.raw.csv.gz", Log: "own.log", ID: "0",
				Change: "Eight blocks in place of two: 0.138 ms became 0.066 ms. Eight loads in place of one at two blocks: 0.088 ms."},
		},
	}
}

// DocOf finds a verdict's text.
func DocOf(id string) (Doc, bool) {
	docs := Docs()
	i := slices.IndexFunc(docs, func(d Doc) bool { return string(d.Verdict) == id })
	if i < 0 {
		return Doc{}, false
	}
	return docs[i], true
}

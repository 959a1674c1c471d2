package config

import (
	"time"

	"github.com/occlint/occlint/internal/name"
)

// Version is the only version of the format so far.
const Version = 1

// FileName is the name that Find looks for.
const FileName = ".occlint.yml"

// fileNames are all that Find looks for, the first that is there.
var fileNames = []string{FileName, ".occlint.yaml"}

// Config is a whole file. The comments of the fields below are the
// descriptions that editors show, by way of the JSON Schema.
type Config struct {
	// File is the path that the config was read from, as it was given.
	File string `yaml:"-"`
	// Chain lists the files that the config is made of, File first; each
	// extends the next.
	Chain []string `yaml:"-"`

	// Version is the number of the format: 1.
	Version Field[int] `yaml:"version" need:"write \"version: 1\" as the first line"`
	// Root says that this file does not extend the one above its directory.
	Root Field[bool] `yaml:"root"`
	// Extends names the file whose settings count where this one has none, relative to this file. Default: the nearest .occlint.yml above, in the same repository.
	Extends Field[string] `yaml:"extends"`
	// Archs lists the architectures to judge. sm_90 covers sm_90a and sm_90f. Others are read but not judged. Default: all in the log.
	Archs []Field[Arch] `yaml:"archs" nonempty:"true"`
	// Expect says what a full log must hold at least.
	Expect Expect `yaml:"expect"`
	// Sources lists globs of CUDA files, relative to this file, whose launch bounds and comments are read.
	Sources []Field[Glob] `yaml:"sources"`
	// PTX lists globs of PTX files, relative to this file, whose directives are read.
	PTX []Field[Glob] `yaml:"ptx"`
	// Defines gives the values of macros that the build passes with -D; null says that it does not pass one.
	Defines Map[Field[Macro]] `yaml:"defines" keys:"macro"`
	// GPU is the device that bytes_in_flight is judged for.
	GPU Field[GPUName] `yaml:"gpu"`
	// Defaults applies to every kernel, below what the source, PTX and kernels say.
	Defaults Defaults `yaml:"defaults"`
	// Kernels declares bounds and budgets by name; a later entry wins, field by field.
	Kernels []Kernel `yaml:"kernels"`
	// Rules sets the severity of rules: off, info, warning or error.
	Rules Map[Field[Severity]] `yaml:"rules" keys:"rule"`
	// Ignore suppresses findings, each with a reason.
	Ignore []Ignore `yaml:"ignore"`
	// Baseline is the file of accepted findings, relative to this file.
	Baseline Field[string] `yaml:"baseline"`
	// Tolerance is how much worse than the baseline still passes.
	Tolerance Tolerance `yaml:"tolerance"`
	// Profile says by what occlint profile tells its verdicts apart, and which of them fail.
	Profile Profile `yaml:"profile"`
	// CustomArchs describes architectures that occlint does not know.
	CustomArchs Map[CustomArch] `yaml:"custom_archs" keys:"arch"`
	// CustomGPUs describes devices that occlint does not know.
	CustomGPUs Map[CustomGPU] `yaml:"custom_gpus" keys:"gpu"`
}

// Expect says what a full log must hold at least.
type Expect struct {
	// Kernels is the least number of kernels; fewer in a full log is an error.
	Kernels Field[int] `yaml:"kernels" min:"1"`
}

// Limits are the declarations and budgets that can be given for kernels.
type Limits struct {
	// LaunchBounds declares the most threads per block, the fewest blocks per SM and the cluster size: 256, [256, 4] or [256, 4, 2].
	LaunchBounds Field[Bounds] `yaml:"launch_bounds"`
	// Block is the number of threads per block really launched. Default: the maximum of the launch bounds.
	Block Field[int] `yaml:"block" min:"1"`
	// DynamicShared is the dynamic shared memory of a block, in bytes or with a unit: 96KiB. Undeclared counts as 0.
	DynamicShared Field[Bytes] `yaml:"dynamic_shared"`
	// MaxRegisters declares a cap on registers per thread, as __maxnreg__ does; registers is the budget.
	MaxRegisters Field[int] `yaml:"maxnreg" min:"1"`
	// Registers is the most registers per thread.
	Registers Field[int] `yaml:"registers"`
	// Spills is the most bytes of spills: one number for stores and for loads, or {stores: 16, loads: 16}.
	Spills Spills `yaml:"spills"`
	// LoopSpills is the most bytes of spills in one pass through a loop, stores and loads; what a loop has, only a binary tells.
	LoopSpills Field[Bytes] `yaml:"loop_spills"`
	// Stack is the largest stack frame in bytes.
	Stack Field[Bytes] `yaml:"stack"`
	// Shared is the most shared memory of a block, static and dynamic, in bytes or with a unit.
	Shared Field[Bytes] `yaml:"shared"`
	// Barriers is the most named barriers of a block.
	Barriers Field[int] `yaml:"barriers"`
	// MinOccupancy is the least theoretical occupancy, in percent: 25%.
	MinOccupancy Field[Percent] `yaml:"min_occupancy"`
	// BytesInFlight is how many bytes each thread keeps in flight; checked against latency and bandwidth of the GPU.
	BytesInFlight Field[Bytes] `yaml:"bytes_in_flight"`
	// Message is shown with each finding, in the team's own words.
	Message Field[string] `yaml:"message"`
}

// Defaults applies to every kernel.
type Defaults struct {
	Pos    Pos `yaml:"-"`
	Limits `yaml:",inline"`
	// ByArch overrides fields on one architecture.
	ByArch Map[Limits] `yaml:"by_arch" keys:"arch"`
}

// Kernel declares bounds and budgets for the kernels that it matches.
type Kernel struct {
	Pos Pos `yaml:"-"`
	// Inherited says that another file has the entry, so that it may match nothing here.
	Inherited bool `yaml:"-"`
	// Match is a whole demangled name without parameters, or a mangled one, with * and ?; or re: and a regular expression.
	Match  Field[*name.Pattern] `yaml:"match" need:"say which kernels the entry is for, \"*\" for all"`
	Limits `yaml:",inline"`
	// ByArch overrides fields on one architecture.
	ByArch Map[Limits] `yaml:"by_arch" keys:"arch"`
}

// Ignore suppresses the findings of one rule for the kernels that it matches.
type Ignore struct {
	Pos Pos `yaml:"-"`
	// Inherited says that another file has the entry, so that it may match nothing here.
	Inherited bool `yaml:"-"`
	// Rule is the id of the rule.
	Rule Field[Rule] `yaml:"rule" need:"say which rule is ignored"`
	// Match selects kernels as in kernels. Default: all.
	Match Field[*name.Pattern] `yaml:"match"`
	// Archs limits the entry to these architectures. Default: all.
	Archs []Field[Arch] `yaml:"archs" nonempty:"true"`
	// Reason says why the findings are accepted.
	Reason Field[string] `yaml:"reason" need:"say why the findings are accepted"`
	// Until is the last day on which the entry counts: 2027-03-01.
	Until Field[time.Time] `yaml:"until"`
}

// Tolerance is how much worse than the baseline still passes.
type Tolerance struct {
	// Registers per thread.
	Registers Field[int] `yaml:"registers"`
	// Spills in bytes, for stores and for loads.
	Spills Field[Bytes] `yaml:"spills"`
	// SpillStores in bytes.
	SpillStores Field[Bytes] `yaml:"spill_stores"`
	// SpillLoads in bytes.
	SpillLoads Field[Bytes] `yaml:"spill_loads"`
	// Stack in bytes.
	Stack Field[Bytes] `yaml:"stack"`
	// Shared memory in bytes.
	Shared Field[Bytes] `yaml:"shared"`
	// Barriers of a block.
	Barriers Field[int] `yaml:"barriers"`
	// Blocks per SM.
	Blocks Field[int] `yaml:"blocks"`
	// Occupancy in percentage points.
	Occupancy Field[Percent] `yaml:"occupancy"`
}

// Profile has the thresholds and budgets of occlint profile. Budgets are off
// unless they are declared.
type Profile struct {
	// TooShort is the time in microseconds below which a launch is mostly start-up: 10.
	TooShort Field[int] `yaml:"too_short_us"`
	// SpillsHot is the share of local loads and stores among the executed instructions from which spills are hot: 5%.
	SpillsHot Field[Percent] `yaml:"spills_hot"`
	// GridFilled is the share of the blocks that fit at once below which a grid is too small: 90%.
	GridFilled Field[Percent] `yaml:"grid_filled"`
	// Busy is the share of the time that an SM works on average below which the work is uneven: 80%.
	Busy Field[Percent] `yaml:"busy"`
	// Issue is the share of cycles with an issue from which the issue slots are full: 80%.
	Issue Field[Percent] `yaml:"issue"`
	// Ready is how many warps are ready per cycle, in percent of one, from which more of them wait for their turn: 100%.
	Ready Field[Percent] `yaml:"ready"`
	// Saturated is the share of its peak from which a unit is full: 80%.
	Saturated Field[Percent] `yaml:"saturated"`
	// Tensor is the share of their peak from which the tensor pipes are well used: 50%.
	Tensor Field[Percent] `yaml:"tensor"`
	// NearLimit is the share of its peak from which a unit leaves little to gain: 60%.
	NearLimit Field[Percent] `yaml:"near_limit"`
	// MemoryStalls is the share of waits for memory among all below which other waits count: 50%.
	MemoryStalls Field[Percent] `yaml:"memory_stalls"`
	// Achieved is the share of the theoretical occupancy below which places stay empty: 80%.
	Achieved Field[Percent] `yaml:"achieved"`
	// FailOn lists verdicts that make occlint profile exit with 1.
	FailOn []Field[VerdictName] `yaml:"fail_on" nonempty:"true"`
	// MaxTimeShareSpilling is a budget: the most of the time that kernels may have that spill, by their record or by their counters.
	MaxTimeShareSpilling Field[Percent] `yaml:"max_time_share_spilling"`
	// MinAchieved is a budget: the least that a kernel achieves of its theoretical occupancy, judged from 1% of the time on.
	MinAchieved Field[Percent] `yaml:"min_achieved_of_theoretical"`
}

// CustomArch describes an architecture by its difference from a known one.
type CustomArch struct {
	Pos Pos `yaml:"-"`
	// Like is the known architecture that gives every number not set here.
	Like Field[Arch] `yaml:"like" need:"name the known architecture that gives the numbers not set here"`
	// WarpsPerSM is the number of resident warps per SM.
	WarpsPerSM Field[int] `yaml:"warps_per_sm" min:"1"`
	// BlocksPerSM is the number of resident blocks per SM.
	BlocksPerSM Field[int] `yaml:"blocks_per_sm" min:"1"`
	// ThreadsPerBlock is the most threads of a block.
	ThreadsPerBlock Field[int] `yaml:"threads_per_block" min:"1"`
	// RegistersPerSM is the number of 32-bit registers per SM.
	RegistersPerSM Field[int] `yaml:"registers_per_sm" min:"1"`
	// RegistersPerBlock is the most registers of a block.
	RegistersPerBlock Field[int] `yaml:"registers_per_block" min:"1"`
	// RegistersPerThread is the most registers of a thread.
	RegistersPerThread Field[int] `yaml:"registers_per_thread" min:"1"`
	// RegisterUnit is the unit in which a warp gets registers.
	RegisterUnit Field[int] `yaml:"register_unit" min:"1"`
	// Partitions is the number of parts of the register file.
	Partitions Field[int] `yaml:"partitions" min:"1"`
	// SharedPerSM is the shared memory per SM.
	SharedPerSM Field[Bytes] `yaml:"shared_per_sm" min:"1"`
	// SharedPerBlock is the most shared memory of a block after opting in.
	SharedPerBlock Field[Bytes] `yaml:"shared_per_block" min:"1"`
	// StaticSharedPerBlock is the most shared memory of a block without opting in.
	StaticSharedPerBlock Field[Bytes] `yaml:"static_shared_per_block" min:"1"`
	// SharedReserved is the system's share of each block's shared memory.
	SharedReserved Field[Bytes] `yaml:"shared_reserved"`
	// SharedUnit is the unit in which shared memory is handed out.
	SharedUnit Field[Bytes] `yaml:"shared_unit" min:"1"`
	// BarriersPerSM is the pool of named barriers of an SM; 0 where there is no limit.
	BarriersPerSM Field[int] `yaml:"barriers_per_sm"`
	// BarriersPerBlock is the most named barriers of a block.
	BarriersPerBlock Field[int] `yaml:"barriers_per_block" min:"1"`
}

// CustomGPU describes a device, alone or by its difference from a known one.
type CustomGPU struct {
	Pos Pos `yaml:"-"`
	// Like is the known device that gives every number not set here.
	Like Field[GPUName] `yaml:"like"`
	// Arch is the device's architecture.
	Arch Field[Arch] `yaml:"arch"`
	// SMs is the number of SMs.
	SMs Field[int] `yaml:"sms" min:"1"`
	// Bandwidth of the device memory: 3.35TB/s.
	Bandwidth Field[Bandwidth] `yaml:"bandwidth"`
	// Clock is the boost clock: 1.98GHz.
	Clock Field[Hertz] `yaml:"clock"`
	// Latency of a load from device memory, in cycles.
	Latency Field[int] `yaml:"latency" min:"1"`
}

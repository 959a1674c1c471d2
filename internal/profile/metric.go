package profile

// Metric is one number that is measured of a launch.
type Metric uint8

// The metrics, with the unit in which a Launch has them.
const (
	DurationNanos      Metric = iota // under the profiler
	ComputePercent                   // of what the SMs can do at most
	MemoryPercent                    // of what the busiest part of the memory system can
	DRAMPercent                      //
	L2Percent                        //
	L1Percent                        // L1, texture and shared memory
	TensorPercent                    // the busiest of the tensor pipes
	TheoreticalPercent               // occupancy as the report computes it
	AchievedPercent                  // occupancy as measured
	ActiveWarps                      // per scheduler and cycle
	EligibleWarps                    // per scheduler and cycle
	IssuePercent                     // of the cycles in which a warp was issued
	Instructions                     // executed by warps
	LocalLoads                       // instructions executed by warps
	LocalStores                      // instructions executed by warps
	LocalSpills                      // loads and stores of spilled registers alone
	BusyCycles                       // of an SM, on average
	LongestCycles                    // of the busiest SM, or else of the whole launch
	SharedConflicts                  // bank conflicts of shared memory
	SharedWavefronts                 // passes through shared memory, conflicts with them
	RegistersPerThread               // as the driver has them: 16 at least
	StaticSharedBytes                // per block
	DynamicSharedBytes               // per block
	SharedBytes                      // per block, static and dynamic together, where a report has only that
	Barriers                         // named, per block
	GridBlocks                       // in all
	BlockThreads                     // in all
	SMs                              // of the device, or of the part that the context has
	ClusterBlocks                    // per cluster; 0 or 1 for none
	UsesGreenContext                 // 1: SMs is a part of the device
	UsesMPS                          // 1: the device may have been shared
	UsesDynamicLaunch                // 1: the kernel launches kernels
	metrics                          // how many there are
)

// Values are the numbers that a report has of a launch. The zero Values has
// none.
type Values struct {
	have  uint64
	value [metrics]float64
}

// Set states a number.
func (v *Values) Set(m Metric, x float64) {
	v.have |= 1 << m
	v.value[m] = x
}

// Has reports whether the report states the number.
func (v *Values) Has(m Metric) bool { return v.have&(1<<m) != 0 }

// Of returns the number and whether the report states one.
func (v *Values) Of(m Metric) (float64, bool) { return v.value[m], v.Has(m) }

// Or returns the number, or other where the report states none.
func (v *Values) Or(m Metric, other float64) float64 {
	if !v.Has(m) {
		return other
	}
	return v.value[m]
}

// kind is what a metric is measured in.
type kind uint8

const (
	ofCount   kind = iota // whatever the unit says that it counts
	ofTime                // nanoseconds
	ofSize                // bytes
	ofPercent             // a share
)

// A source is one name that a metric has in some version of the profiler.
type source struct {
	metric Metric
	kind   kind
	factor float64 // by which the number is multiplied; 0 is 1
	rank   uint8   // of several names of one metric in a report the lowest counts
}

// rawSources are the names of metrics, as the raw page, --metrics and the
// binary report have them. The later ones of a metric are what older versions
// or other sections have instead.
var rawSources = map[string]source{
	"gpu__time_duration.sum": {metric: DurationNanos, kind: ofTime},
	"gpu__time_duration.avg": {metric: DurationNanos, kind: ofTime, rank: 1},

	"sm__throughput.avg.pct_of_peak_sustained_elapsed":                     {metric: ComputePercent, kind: ofPercent},
	"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed":     {metric: MemoryPercent, kind: ofPercent},
	"gpu__compute_memory_sol_throughput.avg.pct_of_peak_sustained_elapsed": {metric: MemoryPercent, kind: ofPercent, rank: 1},
	"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed":               {metric: DRAMPercent, kind: ofPercent},
	"dram__throughput.avg.pct_of_peak_sustained_elapsed":                   {metric: DRAMPercent, kind: ofPercent, rank: 1},
	"lts__throughput.avg.pct_of_peak_sustained_elapsed":                    {metric: L2Percent, kind: ofPercent},
	"l1tex__throughput.avg.pct_of_peak_sustained_active":                   {metric: L1Percent, kind: ofPercent},

	"sm__maximum_warps_per_active_cycle_pct":            {metric: TheoreticalPercent, kind: ofPercent},
	"sm__warps_active.avg.pct_of_peak_sustained_active": {metric: AchievedPercent, kind: ofPercent},

	"smsp__warps_active.avg.per_cycle_active":             {metric: ActiveWarps},
	"smsp__warps_eligible.avg.per_cycle_active":           {metric: EligibleWarps},
	"smsp__issue_active.avg.pct_of_peak_sustained_active": {metric: IssuePercent, kind: ofPercent},
	"smsp__issue_active.avg.per_cycle_active":             {metric: IssuePercent, factor: 100, rank: 1},

	"smsp__inst_executed.sum":                         {metric: Instructions},
	"sm__inst_executed.sum":                           {metric: Instructions, rank: 1},
	"smsp__sass_inst_executed.sum":                    {metric: Instructions, rank: 2},
	"sass__inst_executed_local_loads":                 {metric: LocalLoads},
	"smsp__sass_inst_executed_op_local_ld.sum":        {metric: LocalLoads, rank: 1},
	"smsp__inst_executed_op_local_ld.sum":             {metric: LocalLoads, rank: 2},
	"sass__inst_executed_local_stores":                {metric: LocalStores},
	"smsp__sass_inst_executed_op_local_st.sum":        {metric: LocalStores, rank: 1},
	"smsp__inst_executed_op_local_st.sum":             {metric: LocalStores, rank: 2},
	"derived__local_spilling_requests":                {metric: LocalSpills},
	"sass__inst_executed_register_spilling_mem_local": {metric: LocalSpills, rank: 1},

	"sm__cycles_active.avg":   {metric: BusyCycles},
	"sm__cycles_active.max":   {metric: LongestCycles},
	"sm__cycles_elapsed.max":  {metric: LongestCycles, rank: 1},
	"gpc__cycles_elapsed.max": {metric: LongestCycles, rank: 2},

	"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": {metric: SharedConflicts},
	"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum":     {metric: SharedWavefronts},

	"launch__registers_per_thread":           {metric: RegistersPerThread},
	"launch__shared_mem_per_block_static":    {metric: StaticSharedBytes, kind: ofSize},
	"launch__shared_mem_per_block_dynamic":   {metric: DynamicSharedBytes, kind: ofSize},
	"launch__barrier_count":                  {metric: Barriers},
	"launch__grid_size":                      {metric: GridBlocks},
	"launch__block_size":                     {metric: BlockThreads},
	"launch__sm_count":                       {metric: SMs},
	"device__attribute_multiprocessor_count": {metric: SMs, rank: 1},
	"launch__cluster_size":                   {metric: ClusterBlocks},
	"launch__uses_green_context":             {metric: UsesGreenContext},
	"launch__uses_mps":                       {metric: UsesMPS},
	"launch__uses_cdp":                       {metric: UsesDynamicLaunch},
}

// labelSources are the labels of the details page and the terminal, with the
// start of the section that they count in: "Memory Throughput" is a share of
// the peak in one section and bytes per second in another.
var labelSources = map[string][]labelSource{
	"Duration":                     {{"GPU Speed Of Light", source{metric: DurationNanos, kind: ofTime}}},
	"Compute (SM) Throughput":      {{"GPU Speed Of Light", source{metric: ComputePercent, kind: ofPercent}}},
	"SM [%]":                       {{"GPU Speed Of Light", source{metric: ComputePercent, kind: ofPercent}}},
	"SOL SM":                       {{"GPU Speed Of Light", source{metric: ComputePercent, kind: ofPercent}}},
	"Memory Throughput":            {{"GPU Speed Of Light", source{metric: MemoryPercent, kind: ofPercent}}},
	"Memory [%]":                   {{"GPU Speed Of Light", source{metric: MemoryPercent, kind: ofPercent}}},
	"SOL Memory":                   {{"GPU Speed Of Light", source{metric: MemoryPercent, kind: ofPercent}}},
	"DRAM Throughput":              {{"GPU Speed Of Light", source{metric: DRAMPercent, kind: ofPercent}}},
	"SOL FB":                       {{"GPU Speed Of Light", source{metric: DRAMPercent, kind: ofPercent}}},
	"SOL DRAM":                     {{"GPU Speed Of Light", source{metric: DRAMPercent, kind: ofPercent}}},
	"L2 Cache Throughput":          {{"GPU Speed Of Light", source{metric: L2Percent, kind: ofPercent}}},
	"SOL L2":                       {{"GPU Speed Of Light", source{metric: L2Percent, kind: ofPercent}}},
	"SOL L2 Cache":                 {{"GPU Speed Of Light", source{metric: L2Percent, kind: ofPercent}}},
	"L1/TEX Cache Throughput":      {{"GPU Speed Of Light", source{metric: L1Percent, kind: ofPercent}}},
	"SOL TEX":                      {{"GPU Speed Of Light", source{metric: L1Percent, kind: ofPercent}}},
	"SOL L1/TEX Cache":             {{"GPU Speed Of Light", source{metric: L1Percent, kind: ofPercent}}},
	"SM Active Cycles":             {{"GPU Speed Of Light", source{metric: BusyCycles}}},
	"Elapsed Cycles":               {{"GPU Speed Of Light", source{metric: LongestCycles}}},
	"One or More Eligible":         {{"Scheduler Statistics", source{metric: IssuePercent, kind: ofPercent}}},
	"Active Warps Per Scheduler":   {{"Scheduler Statistics", source{metric: ActiveWarps}}},
	"Eligible Warps Per Scheduler": {{"Scheduler Statistics", source{metric: EligibleWarps}}},
	"Executed Instructions":        {{"Instruction Statistics", source{metric: Instructions}}},
	"Local Memory Spilling Requests": {
		{"Memory Workload Analysis", source{metric: LocalSpills}},
	},
	"Block Size":                      {{"Launch Statistics", source{metric: BlockThreads}}},
	"Grid Size":                       {{"Launch Statistics", source{metric: GridBlocks}}},
	"Cluster Size":                    {{"Launch Statistics", source{metric: ClusterBlocks}}},
	"Registers Per Thread":            {{"Launch Statistics", source{metric: RegistersPerThread}}},
	"Dynamic Shared Memory Per Block": {{"Launch Statistics", source{metric: DynamicSharedBytes, kind: ofSize}}},
	"Static Shared Memory Per Block":  {{"Launch Statistics", source{metric: StaticSharedBytes, kind: ofSize}}},
	"# SMs":                           {{"Launch Statistics", source{metric: SMs}}},
	"Uses Green Context":              {{"Launch Statistics", source{metric: UsesGreenContext}}},
	"Theoretical Occupancy":           {{"Occupancy", source{metric: TheoreticalPercent, kind: ofPercent}}},
	"Achieved Occupancy":              {{"Occupancy", source{metric: AchievedPercent, kind: ofPercent}}},
}

type labelSource struct {
	section string // what the section's title starts with
	source
}

package rules

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/arch"
)

func bytesInFlight() *Rule {
	return &Rule{
		ID:    "bytes-in-flight",
		Title: "too few bytes in flight to fill the memory's bandwidth",
		Why: "A load takes hundreds of cycles, so the memory is busy only while enough bytes are on their way: latency × bandwidth ÷ SMs ÷ clock, 9 to 10 KB for each SM of an H100. " +
			"A kernel has the resident threads times the bytes that each of them keeps in flight. Both count: few threads with eight loads each can beat full occupancy with one.\n\n" +
			"The bytes per thread are declared, since no log has them: the size of a load times the independent loads in a row. Kernels of another architecture than the GPU's are not judged.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z8reduce_aPKfPfm' for 'sm_90'
ptxas info    : Function properties for _Z8reduce_aPKfPfm
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 0 barriers
`,
			Config: `version: 1
gpu: H100-SXM
kernels:
  - match: reduce_a
    block: 256
    bytes_in_flight: 4
`,
			Policy: func() *Policy {
				p := policyFor(Declaration{Match: "reduce_a", Block: Declared(256), BytesInFlight: Declared[int64](4)})
				p.GPU = "H100-SXM"
				return p
			},
			Finding: "reduce_a keeps 8192 bytes in flight per SM on sm_90, 780 fewer than the 8972 that fill the bandwidth of H100-SXM",
		},
		Fix:     "Keep more loads in flight per thread: wider loads (`float4`), unrolling with independent accumulators, `cp.async` or TMA. Or raise the occupancy. `occlint calc --gpu H100-SXM --threads 256 --registers 64 --bytes-in-flight 32` shows which of them reaches it.",
		Default: Warning,
		Options: []Option{
			{"gpu", "The device: a name of the table, or one under `custom_gpus`."},
			{"bytes_in_flight", "Bytes that one thread keeps in flight: the size of a load times the independent loads."},
			{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."},
		},
		Kernel: checkBytesInFlight,
		Log:    checkGPUArch,
	}
}

func checkBytesInFlight(u *Subject) {
	perThread := u.decl.BytesInFlight
	if !perThread.Set || u.isFunction() {
		return
	}
	gpu := u.judge.gpu
	if gpu == nil {
		u.Report(Finding{
			Message:  "declares bytes in flight and no GPU is named, so it can't be judged",
			Declared: perThread.Origin,
			Help:     "name the device in the config: gpu: H100-SXM",
		})
		return
	}
	if !u.onGPU() {
		return
	}
	if u.Occupancy == nil {
		u.Report(Finding{
			Message:  fmt.Sprintf("declares bytes in flight and its occupancy is not known%s, so it can't be judged", u.on()),
			Declared: perThread.Origin,
			Help:     "declare what is launched: block: 256, or launch_bounds",
		})
		return
	}
	flight := gpu.Flight(*u.Occupancy, u.Launch.Threads, clampInt(perThread.Value))
	if flight.Enough() {
		return
	}
	notes := append([]string{
		fmt.Sprintf("%d resident threads × %d bytes = %s bytes", flight.Threads, perThread.Value, number(flight.Have)),
		fmt.Sprintf("%s: %d cycles × %.0f GB/s ÷ %d SMs ÷ %.0f MHz = %.0f bytes",
			gpu.Name, gpu.LatencyCycles, gpu.BandwidthBytesPerSec/1e9, gpu.SMs, gpu.ClockHz/1e6, flight.Need),
	}, u.occupancyNotes()...)
	u.Report(Finding{
		Message: fmt.Sprintf("keeps %.0f bytes in flight per SM%s, %.0f fewer than the %.0f that fill the bandwidth of %s",
			flight.Have, u.on(), flight.Need-flight.Have, flight.Need, gpu.Name),
		Value: flight.Have, Limit: flight.Need, Unit: "bytes", Field: FieldBytesInFlight,
		Limiters: u.Occupancy.Limiters,
		Declared: perThread.Origin,
		Notes:    notes,
		Help:     u.inFlightHelp(flight),
	})
}

func (u *Subject) inFlightHelp(f arch.Flight) string {
	var ways []string
	if f.BytesPerThread > 0 {
		ways = append(ways, fmt.Sprintf("%d bytes in flight per thread with the %d threads that are resident", f.BytesPerThread, f.Threads))
	}
	if f.Reachable {
		way := fmt.Sprintf("%d resident threads with the bytes as they are", f.ThreadsNeeded)
		if f.BlocksNeeded > u.Occupancy.Blocks {
			way += " (" + u.reachHelp(f.BlocksNeeded) + ")"
		}
		ways = append(ways, way)
	}
	if len(ways) == 0 {
		return "no block is resident; see cannot-launch"
	}
	help := ways[0] + " would be enough"
	if len(ways) > 1 {
		help = strings.Join(ways, ", or ") + ", would be enough"
	}
	if !f.Reachable {
		help += "; no occupancy alone is"
	}
	return help
}

// onGPU reports whether a kernel is compiled for the GPU that is named.
func (u *Subject) onGPU() bool { return covers(u.judge.table, u.judge.gpu.Arch, u.arch.name) }

// checkGPUArch says so when bytes in flight are declared for kernels of other
// architectures than the GPU's alone.
func checkGPUArch(t *Totals) {
	gpu := t.judge.gpu
	if gpu == nil {
		return
	}
	other := 0
	for u, n := range t.Subjects() {
		if !u.decl.BytesInFlight.Set || u.isFunction() {
			continue
		}
		if u.onGPU() {
			return
		}
		other += n
	}
	if other == 0 {
		return
	}
	t.Report(Finding{
		Message: fmt.Sprintf("the GPU %s is %s, and none of the %s with declared bytes in flight is compiled for it",
			gpu.Name, gpu.Arch, count(int64(other), "kernel")),
		Help: "name the device that the kernels are built for: gpu: in the config",
	})
}

package arch

import (
	"fmt"
	"slices"
)

// GPU is one product: how many SMs of which architecture, and how fast its
// memory is.
type GPU struct {
	Name                 string   // "H100-SXM"
	Aliases              []string // other names it is found by
	Arch                 string   // "sm_90"
	SMs                  int      // enabled ones
	BandwidthBytesPerSec float64  // of the device memory, as specified
	ClockHz              float64  // boost clock, as specified
	LatencyCycles        int      // of a load from device memory, typical and unloaded
	// LatencyFrom says where the latency comes from, since no specification
	// has it: who measured it, or which GPU it is taken from.
	LatencyFrom string
}

// builtinGPUs lists the GPUs. SMs, bandwidth and boost clock are the vendor's;
// the document is named at each entry. Latencies are measured with a chain of
// dependent loads over far more memory than the L2 holds.
func builtinGPUs() []*GPU {
	const (
		gbps = 1e9
		mhz  = 1e6
		// github.com/markdewing/AI_kernels, latency/README.md.
		dewing = "measured: markdewing/AI_kernels"
		// Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU
		// Architecture, arXiv 2402.13499, table of memory latencies. Its buffer
		// is small, so misses of the TLB are not in it.
		luo = "measured: arXiv 2402.13499"
		// github.com/YKTian-x2b/AmpereArchViaMicroBenchMark, on an RTX 3060.
		ampere = "as measured on another sm_86: YKTian-x2b/AmpereArchViaMicroBenchMark"
		// testdata/occupancy/latency-h200.txt.
		h200 = "measured on an H200: testdata/occupancy/latency-h200.txt"
	)
	return []*GPU{
		// NVIDIA Tesla V100 datasheet and whitepaper WP-08608, table 1.
		{"V100-SXM2", []string{"V100"}, "sm_70", 80, 900 * gbps, 1530 * mhz, 460, dewing},
		// NVIDIA A100 datasheet (2021) and Ampere whitepaper, table 4.
		{"A100-SXM-40GB", []string{"A100-40GB", "A100-40"}, "sm_80", 108, 1555 * gbps, 1410 * mhz, 466, luo},
		{"A100-SXM-80GB", []string{"A100", "A100-80GB", "A100-80", "A100-SXM"}, "sm_80", 108, 2039 * gbps, 1410 * mhz, 466, luo},
		{"A100-PCIe-80GB", []string{"A100-PCIe"}, "sm_80", 108, 1935 * gbps, 1410 * mhz, 466, luo},
		// NVIDIA A10 and A40 product briefs PB-10415 and PB-10132.
		{"A10", nil, "sm_86", 72, 600 * gbps, 1695 * mhz, 530, ampere},
		{"A40", nil, "sm_86", 84, 696 * gbps, 1740 * mhz, 530, ampere},
		// NVIDIA GA102 whitepaper v2, table of GeForce RTX 3090.
		{"RTX-3090", []string{"3090", "GeForce RTX 3090"}, "sm_86", 82, 936 * gbps, 1695 * mhz, 530, ampere},
		// NVIDIA Ada whitepaper v2, table of GeForce RTX 4090.
		{"RTX-4090", []string{"4090", "GeForce RTX 4090"}, "sm_89", 128, 1008 * gbps, 2520 * mhz, 636, dewing},
		// NVIDIA L4 and L40S datasheets and product briefs PB-11316 and PB-11647.
		{"L4", nil, "sm_89", 58, 300 * gbps, 2040 * mhz, 636, "as measured on an RTX 4090"},
		{"L40S", nil, "sm_89", 142, 864 * gbps, 2520 * mhz, 636, "as measured on an RTX 4090"},
		// NVIDIA H100 datasheet and Hopper whitepaper v1.04, table 3. The SXM part
		// clocks 1980 MHz in its rates outside the tensor cores.
		{"H100-SXM", []string{"H100", "H100-SXM5"}, "sm_90", 132, 3350 * gbps, 1980 * mhz, 690, "as measured on an H200 and a GH200"},
		{"H100-PCIe", nil, "sm_90", 114, 2000 * gbps, 1755 * mhz, 690, "as measured on an H200 and a GH200"},
		{"H100-NVL", nil, "sm_90", 132, 3900 * gbps, 1785 * mhz, 690, "as measured on an H200 and a GH200"},
		// NVIDIA GH200 datasheet, 96 GB part.
		{"GH200", nil, "sm_90", 132, 4000 * gbps, 1980 * mhz, 690, dewing},
		// NVIDIA H200 datasheet; SMs and clock read off the device.
		{"H200", []string{"H200-SXM"}, "sm_90", 132, 4800 * gbps, 1980 * mhz, 691, h200},
		// NVIDIA DGX B200 datasheet: 64 TB/s for eight; SMs and clock as the
		// driver reports them.
		{"B200", []string{"B200-SXM"}, "sm_100", 148, 8000 * gbps, 1965 * mhz, 860, dewing},
		// NVIDIA RTX Blackwell whitepaper v1.1, tables of RTX 5090 and RTX PRO 6000.
		{"RTX-5090", []string{"5090", "GeForce RTX 5090"}, "sm_120", 170, 1792 * gbps, 2407 * mhz, 936, dewing},
		{"RTX-PRO-6000", []string{"RTX PRO 6000 Blackwell"}, "sm_120", 188, 1792 * gbps, 2617 * mhz, 864, dewing},
		// NVIDIA DGX Spark datasheet: 6,144 cores (48 SMs), 273 GB/s; the clock as
		// the driver reports it.
		{"GB10", []string{"DGX Spark"}, "sm_121", 48, 273 * gbps, 2418 * mhz, 864, "not measured; taken from RTX-PRO-6000"},
	}
}

// GPU finds a GPU by any of its names; case, spaces and dashes don't matter.
// The error is an *UnknownError.
func (t *Table) GPU(name string) (*GPU, error) {
	want := plain(name)
	for _, g := range t.gpus {
		if want == plain(g.Name) {
			return g, nil
		}
	}
	for _, g := range t.gpus {
		if slices.ContainsFunc(g.Aliases, func(a string) bool { return plain(a) == want }) {
			return g, nil
		}
	}
	e := &UnknownError{Kind: "GPU", Name: name}
	for _, g := range t.gpus {
		e.Known = append(e.Known, g.Name)
	}
	e.Nearest = nearest(name, e.Known)
	return nil, e
}

// GPUs lists the GPUs, oldest architecture first and custom ones last.
func (t *Table) GPUs() []*GPU { return slices.Clone(t.gpus) }

// check says what of a GPU makes no sense.
func (g *GPU) check() error {
	switch {
	case g.SMs <= 0:
		return fmt.Errorf("GPU %s: the number of SMs is not set", g.Name)
	case !(g.BandwidthBytesPerSec > 0):
		return fmt.Errorf("GPU %s: the bandwidth is not set", g.Name)
	case !(g.ClockHz > 0):
		return fmt.Errorf("GPU %s: the clock is not set", g.Name)
	case g.LatencyCycles <= 0:
		return fmt.Errorf("GPU %s: the latency is not set", g.Name)
	}
	return nil
}

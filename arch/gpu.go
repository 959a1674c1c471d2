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
	BandwidthBytesPerSec float64  // of the device memory, as published
	ClockHz              float64  // of the SMs: the boost clock as published, or the clock that devices report
	LatencyCycles        int      // of a load from device memory, typical and unloaded
	// LatencyFrom says where the latency comes from, since no specification
	// has it: who measured it, or which GPU it is taken from.
	LatencyFrom string
}

// builtinGPUs lists the GPUs.
//
// SMs, bandwidth and clock are as commonly published. Only the H200's were
// read off a device here. Public text that agrees with an entry is named
// beside it; an entry without any was not verified. Clocks differ between
// boards and power limits.
//
// Latencies are one figure of somebody's measurement, and how it was measured
// differs: with the clocks not locked (dewing), or with a chain of dependent
// loads over 4 GiB (H200). Where a latency is taken over from another GPU, it
// is taken over in cycles: at another clock that is another time.
func builtinGPUs() []*GPU {
	const (
		gbps = 1e9
		mhz  = 1e6
		// github.com/markdewing/AI_kernels at 0d701ad, latency/README.md, column
		// "Main Memory", in clock cycles: V100 460, A100 SXM 550 (80 GB), 4090
		// 636, H100 SXM 700, GH200 690, 5090 936, RTX PRO 6000 864, B200 860.
		dewing = "measured: markdewing/AI_kernels"
		a100   = "as measured on an A100-SXM-80GB"
		h100   = "in cycles as measured on an H100-SXM"
		// github.com/YKTian-x2b/AmpereArchViaMicroBenchMark at 3c75227,
		// GlobalMem_Bandwidth_Latency/README.md: 475 to 563 cycles on an RTX
		// 3060, by the way of measuring. 530 is picked from their middle.
		ampere = "picked from 475 to 563 as measured on an RTX 3060: YKTian-x2b/AmpereArchViaMicroBenchMark"
		ada    = "in cycles as measured on an RTX-4090"
		// testdata/occupancy/latency-h200.txt.
		h200 = "measured on an H200: testdata/occupancy/latency-h200.txt"
	)
	return []*GPU{
		{"V100-SXM2", []string{"V100"}, "sm_70", 80, 900 * gbps, 1530 * mhz, 460, dewing},
		{"A100-SXM-40GB", []string{"A100-40GB", "A100-40"}, "sm_80", 108, 1555 * gbps, 1410 * mhz, 550, a100},
		{"A100-SXM-80GB", []string{"A100", "A100-80GB", "A100-80", "A100-SXM"}, "sm_80", 108, 2039 * gbps, 1410 * mhz, 550, dewing},
		{"A100-PCIe-80GB", []string{"A100-PCIe"}, "sm_80", 108, 1935 * gbps, 1410 * mhz, 550, a100},
		{"A10", nil, "sm_86", 72, 600 * gbps, 1695 * mhz, 530, ampere},
		{"A40", nil, "sm_86", 84, 696 * gbps, 1740 * mhz, 530, ampere},
		{"RTX-3090", []string{"3090", "GeForce RTX 3090"}, "sm_86", 82, 936 * gbps, 1695 * mhz, 530, ampere},
		// A device's own answers, in NVIDIA/nvbench pull request 207: 128 SMs,
		// 1008 GB/s, default clock 2520 MHz.
		{"RTX-4090", []string{"4090", "GeForce RTX 4090"}, "sm_89", 128, 1008 * gbps, 2520 * mhz, 636, dewing},
		{"L4", nil, "sm_89", 58, 300 * gbps, 2040 * mhz, 636, ada},
		{"L40S", nil, "sm_89", 142, 864 * gbps, 2520 * mhz, 636, ada},
		{"H100-SXM", []string{"H100", "H100-SXM5"}, "sm_90", 132, 3350 * gbps, 1980 * mhz, 700, dewing},
		{"H100-PCIe", nil, "sm_90", 114, 2000 * gbps, 1755 * mhz, 700, h100},
		// Not verified: bandwidth and clock.
		{"H100-NVL", nil, "sm_90", 132, 3900 * gbps, 1785 * mhz, 700, h100},
		// The part with 96 GB. Not verified: SMs, bandwidth and clock.
		{"GH200", nil, "sm_90", 132, 4000 * gbps, 1980 * mhz, 690, dewing},
		// SMs and clock read off the device that the measurements of
		// testdata/occupancy were made on.
		{"H200", []string{"H200-SXM"}, "sm_90", 132, 4800 * gbps, 1980 * mhz, 691, h200},
		// 148 SMs: pytorch/ao pull request 4002. The bandwidth is the round figure
		// of announcements; by bus width and memory clock it is 7670 GB/s.
		{"B200", []string{"B200-SXM"}, "sm_100", 148, 8000 * gbps, 1965 * mhz, 860, dewing},
		{"RTX-5090", []string{"5090", "GeForce RTX 5090"}, "sm_120", 170, 1792 * gbps, 2407 * mhz, 936, dewing},
		// Not verified: the clock.
		{"RTX-PRO-6000", []string{"RTX PRO 6000 Blackwell"}, "sm_120", 188, 1792 * gbps, 2617 * mhz, 864, dewing},
		// 273 GB/s is published for DGX Spark; a talk at Hot Chips had 301. 2418
		// MHz is its default clock, and 3003 MHz the most it goes up to.
		{"GB10", []string{"DGX Spark"}, "sm_121", 48, 273 * gbps, 2418 * mhz, 864, "not measured; in cycles as RTX-PRO-6000"},
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

// check says what of a GPU makes no sense. The bounds are far from what any
// GPU has.
func (g *GPU) check() error {
	for _, n := range []struct {
		what        string
		value       float64
		least, most float64
	}{
		{"the number of SMs", float64(g.SMs), 1, 1e5},
		{"the bandwidth", g.BandwidthBytesPerSec, 1e6, 1e17},
		{"the clock", g.ClockHz, 1e6, 1e12},
		{"the latency", float64(g.LatencyCycles), 1, 1e6},
	} {
		switch {
		case n.value == 0:
			return fmt.Errorf("%s is not set", n.what)
		case !(n.value >= n.least && n.value <= n.most): // NaN as well
			return fmt.Errorf("%s is %g, want %g to %g", n.what, n.value, n.least, n.most)
		}
	}
	return nil
}

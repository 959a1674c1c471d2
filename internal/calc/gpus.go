package calc

import (
	"io"
	"strconv"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
)

// GPUTable lists the GPUs of a table with what each SM must keep in flight.
func GPUTable(known *arch.Table) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "GPU", Key: "gpu"}, {Title: "arch", Key: "arch"}, {Title: "SMs", Key: "sms", Right: true},
		{Title: "GB/s", Key: "bandwidth_gb_per_s", Right: true}, {Title: "MHz", Key: "clock_mhz", Right: true},
		{Title: "latency", Key: "latency_cycles", Right: true}, {Title: "bytes needed per SM", Key: "needed_bytes_per_sm", Right: true},
		{Title: "latency from", Key: "latency_from", Flex: true},
	}}
	for _, g := range known.GPUs() {
		t.Rows = append(t.Rows, []string{
			name.Escape(g.Name), g.Arch, strconv.Itoa(g.SMs), decimals(g.BandwidthBytesPerSec / 1e9), decimals(g.ClockHz / 1e6),
			strconv.Itoa(g.LatencyCycles), strconv.Itoa(int(g.BytesNeeded() + 0.5)), name.Escape(g.LatencyFrom),
		})
	}
	return t
}

type jsonGPU struct {
	Name          string  `json:"name"`
	Arch          string  `json:"arch"`
	SMs           int     `json:"sms"`
	Bandwidth     float64 `json:"bandwidth_bytes_per_second"`
	ClockHz       float64 `json:"clock_hz"`
	LatencyCycles int     `json:"latency_cycles"`
	LatencyFrom   string  `json:"latency_from,omitempty"`
}

func gpuJSON(g *arch.GPU) jsonGPU {
	return jsonGPU{Name: g.Name, Arch: g.Arch, SMs: g.SMs, Bandwidth: g.BandwidthBytesPerSec, ClockHz: g.ClockHz,
		LatencyCycles: g.LatencyCycles, LatencyFrom: g.LatencyFrom}
}

// WriteGPUs writes the GPUs of a table as JSON, with what each SM must keep in
// flight.
func WriteGPUs(w io.Writer, known *arch.Table) error {
	type listed struct {
		jsonGPU
		Need float64 `json:"needed_bytes_per_sm"`
	}
	out := struct {
		Schema int      `json:"schema"`
		GPUs   []listed `json:"gpus"`
	}{Schema: Schema}
	for _, g := range known.GPUs() {
		out.GPUs = append(out.GPUs, listed{gpuJSON(g), g.BytesNeeded()})
	}
	return encode(w, out)
}

// BestThreads is the smallest block size with the most resident warps; 0 when
// none fits.
func BestThreads(sm *arch.SM, l arch.Launch) int {
	s := suggest(sm, l, 0)
	if len(s.Best) == 0 {
		return 0
	}
	return s.Best[0].Threads
}

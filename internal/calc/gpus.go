package calc

import (
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

// BestThreads is the smallest block size with the most resident warps; 0 when
// none fits.
func BestThreads(sm *arch.SM, l arch.Launch) int {
	s := suggest(sm, l, 0)
	if len(s.Best) == 0 {
		return 0
	}
	return s.Best[0].Threads
}

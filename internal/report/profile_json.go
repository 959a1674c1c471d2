package report

import (
	"bufio"
	"encoding/json"
	"math"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/parse"
)

// profileJSON is a whole profile. Keys may be added within a schema's version,
// never changed. What isn't known is left out, and never 0.
type profileJSON struct {
	Schema  int                 `json:"schema"`
	Kernels []profileKernelJSON `json:"kernels"`
	Summary profileSummaryJSON  `json:"summary"`
}

type profileKernelJSON struct {
	Name         string             `json:"name,omitempty"`
	Demangled    string             `json:"demangled"`
	Arch         string             `json:"arch,omitempty"`
	Device       string             `json:"device,omitempty"`
	Grid         []int64            `json:"grid,omitempty"`
	Grids        int                `json:"grids,omitempty"`
	Block        []int64            `json:"block,omitempty"`
	Threads      int                `json:"threads,omitempty"`
	Dynamic      *int               `json:"dynamic_shared_bytes,omitempty"`
	Registers    *int               `json:"registers,omitempty"`
	IDs          []string           `json:"ids"`
	Launches     int64              `json:"launches"`
	TimeMillis   float64            `json:"time_ms"`
	Share        float64            `json:"time_share"`
	Waves        *float64           `json:"waves,omitempty"`
	Theoretical  *float64           `json:"theoretical_percent,omitempty"`
	Achieved     *float64           `json:"achieved_percent,omitempty"`
	Blocks       int                `json:"blocks,omitempty"`
	Limits       map[string]int     `json:"limits,omitempty"`
	Limiters     []string           `json:"limiters,omitempty"`
	Issue        *float64           `json:"issue_percent,omitempty"`
	Eligible     *float64           `json:"eligible_warps,omitempty"`
	Active       *float64           `json:"active_warps,omitempty"`
	Stalls       map[string]float64 `json:"stalls,omitempty"`
	Throughput   map[string]float64 `json:"throughput,omitempty"`
	Local        *float64           `json:"local_instructions,omitempty"`
	Instructions *float64           `json:"instructions,omitempty"`
	Busy         *float64           `json:"busy_percent,omitempty"`
	Verdict      judge.Verdict      `json:"verdict"`
	Message      string             `json:"message"`
	Notes        []string           `json:"notes"`
	Missing      []string           `json:"missing"`
	Help         string             `json:"help,omitempty"`
	Joined       judge.Joined       `json:"joined,omitempty"`
	Record       *profileRecordJSON `json:"record,omitempty"`
	Place        *parse.Place       `json:"place,omitempty"` // in the report
}

type profileRecordJSON struct {
	Name       string       `json:"name"`
	Arch       string       `json:"arch"`
	Registers  *int         `json:"registers,omitempty"`
	Shared     *int         `json:"shared_bytes,omitempty"`
	Stack      *int         `json:"stack_bytes,omitempty"`
	SpillStore *int         `json:"spill_store_bytes,omitempty"`
	SpillLoad  *int         `json:"spill_load_bytes,omitempty"`
	Place      *parse.Place `json:"place,omitempty"`
}

type profileSummaryJSON struct {
	Launches   int64              `json:"launches"`
	TimeMillis float64            `json:"time_ms"`
	Devices    []string           `json:"devices"`
	Records    int                `json:"records"`
	Unjoined   float64            `json:"unjoined_share"`
	Stale      float64            `json:"stale_share"`
	NotShown   int                `json:"not_shown"`
	Problems   []profileFaultJSON `json:"problems"`
	More       int                `json:"more_problems,omitempty"`
}

type profileFaultJSON struct {
	Place *parse.Place `json:"place,omitempty"`
	Text  string       `json:"text"`
}

func (p *profileWriter) json(w *bufio.Writer) error {
	r := p.result
	out := profileJSON{Schema: 1, Kernels: make([]profileKernelJSON, len(p.kernels)), Summary: profileSummaryJSON{
		Launches: r.Launches, TimeMillis: r.TimeNanos / 1e6, Devices: append([]string{}, r.Devices...), Records: r.Records,
		Unjoined: r.Unjoined, Stale: r.Stale, NotShown: len(r.Kernels) - len(p.kernels), Problems: []profileFaultJSON{}, More: p.More,
	}}
	for _, problem := range p.Problems {
		out.Summary.Problems = append(out.Summary.Problems, profileFaultJSON{profilePlace(problem.Place), problem.Text})
	}
	for i := range p.kernels {
		out.Kernels[i] = newProfileKernelJSON(&p.kernels[i])
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func newProfileKernelJSON(k *judge.Kernel) profileKernelJSON {
	c := &k.Counters
	out := profileKernelJSON{
		Name: k.Name, Demangled: k.Shown, Arch: k.Arch, Device: k.Device, Threads: k.Threads,
		Grid: dimJSON(k.Grid), Block: dimJSON(k.Block), Dynamic: countJSON(k.Dynamic), Registers: countJSON(k.Registers),
		IDs: append([]string{}, k.IDs...), Launches: k.Launches, TimeMillis: k.TimeNanos / 1e6, Share: k.Share, Waves: measured(k.Waves),
		Achieved: measured(c.Achieved), Issue: measured(c.Issue), Eligible: measured(c.Eligible), Active: measured(c.ActiveWarps),
		Local: measured(c.Local), Instructions: measured(c.Instructions), Busy: measured(c.Busy),
		Verdict: k.Verdict, Message: k.Message, Notes: append([]string{}, k.Notes...), Missing: append([]string{}, k.Missing...), Help: k.Help,
		Joined: k.Joined, Place: profilePlace(k.Place),
	}
	if k.Grids > 1 {
		out.Grids = k.Grids
	}
	if o := k.Occupancy; o != nil {
		theoretical := o.Percent()
		out.Theoretical, out.Blocks, out.Limiters = &theoretical, o.Blocks, o.Limiters.Names()
		out.Limits = map[string]int{}
		for r := range arch.AllResources() {
			if o.Limits[r] != arch.Unknown {
				out.Limits[r.String()] = o.Limits[r]
			}
		}
	}
	for _, s := range c.Stalls {
		if out.Stalls == nil {
			out.Stalls = map[string]float64{}
		}
		out.Stalls[s.Reason] = s.Ratio
	}
	for unit, x := range map[string]float64{"compute": c.Compute, "memory": c.Memory, "dram": c.DRAM, "l2": c.L2, "l1": c.L1, "tensor": c.Tensor} {
		if !math.IsNaN(x) {
			if out.Throughput == nil {
				out.Throughput = map[string]float64{}
			}
			out.Throughput[unit] = x
		}
	}
	if r := k.Record; r != nil {
		out.Record = &profileRecordJSON{r.Name, r.Arch, countJSON(r.Registers), countJSON(r.SharedBytes), countJSON(r.StackBytes),
			countJSON(r.SpillStoreBytes), countJSON(r.SpillLoadBytes), profilePlace(profile.Place{File: r.File, Line: r.Line})}
	}
	return out
}

func dimJSON(d profile.Dim) []int64 {
	if d.Count() == 0 {
		return nil
	}
	return d[:]
}

func countJSON(n int) *int {
	if n == arch.Unknown {
		return nil
	}
	return &n
}

func measured(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func profilePlace(p profile.Place) *parse.Place {
	return placeJSON(parse.Place{File: p.File, Line: p.Line})
}

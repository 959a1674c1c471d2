package calc

import (
	"encoding/json"
	"io"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
)

// Schema is the version of the JSON that WriteJSON writes. Keys may be added
// within a version, never changed.
const Schema = 1

type jsonAnswer struct {
	Kernel       string  `json:"kernel,omitempty"`
	Demangled    string  `json:"demangled,omitempty"`
	Arch         string  `json:"arch"`
	Threads      int     `json:"threads"`
	ThreadsFrom  string  `json:"threads_from,omitempty"` // absent: given; else suggested, launch_bounds or declared
	Registers    *int    `json:"registers,omitempty"`    // absent: not known
	SharedBytes  int     `json:"shared_bytes"`
	DynamicBytes int     `json:"dynamic_shared_bytes,omitempty"`
	Barriers     *int    `json:"barriers,omitempty"` // absent: not known
	Blocks       int     `json:"blocks"`
	Warps        int     `json:"warps"`
	WarpSlots    int     `json:"warp_slots"`
	Percent      float64 `json:"percent"`

	Limits              map[string]*int `json:"limits"` // null: does not apply
	Limiters            []string        `json:"limiters"`
	WarpsPerBlock       int             `json:"warps_per_block"`
	RegistersPerBlock   *int            `json:"registers_per_block,omitempty"` // absent: not known
	SharedBytesPerBlock int             `json:"shared_bytes_per_block"`
	Waste               jsonWaste       `json:"waste"`

	Steps   []jsonStep       `json:"steps"`
	Bounds  *jsonBounds      `json:"launch_bounds,omitempty"`
	Memory  *jsonMemory      `json:"gpu,omitempty"`
	Sweeps  []jsonSweep      `json:"sweeps,omitempty"`
	Suggest *jsonSuggestions `json:"suggest,omitempty"`
}

type jsonWaste struct {
	Registers           *int `json:"registers_per_block,omitempty"` // absent: not known
	ReservedSharedBytes int  `json:"reserved_shared_bytes_per_block"`
	RoundingSharedBytes int  `json:"rounding_shared_bytes_per_block"`
	FreeRegisters       *int `json:"free_registers,omitempty"` // absent: not known
	FreeSharedBytes     int  `json:"free_shared_bytes"`
	FreeWarps           int  `json:"free_warps"`
}

type jsonStep struct {
	Resource string `json:"resource"`
	Now      int    `json:"now"`
	Fewer    int    `json:"fewer"` // 0: fewer of this alone gain nothing
	GainTo   int    `json:"gain_to_blocks"`
	Free     int    `json:"free"`
	LoseTo   int    `json:"lose_to_blocks"`
}

// jsonFit is what fits, in short.
type jsonFit struct {
	Threads   int      `json:"threads"`
	Registers int      `json:"registers,omitempty"`
	Blocks    int      `json:"blocks"`
	Warps     int      `json:"warps"`
	Percent   float64  `json:"percent"`
	Limiters  []string `json:"limiters"`
}

func fit(threads, registers int, o *arch.Occupancy) jsonFit {
	return jsonFit{threads, registers, o.Blocks, o.Warps, o.Percent(), o.Limiters.Names()}
}

type jsonBounds struct {
	Threads   int      `json:"threads"`
	MinBlocks int      `json:"min_blocks"`
	Cap       int      `json:"register_cap"`
	Honoured  bool     `json:"honoured"`
	Reason    string   `json:"reason,omitempty"`
	Over      int      `json:"registers_over_cap"`
	Most      int      `json:"most_threads,omitempty"` // where threads is more than a block can have
	With      jsonFit  `json:"with"`
	Without   *jsonFit `json:"without,omitempty"`
}

type jsonMemory struct {
	jsonGPU
	OtherArch bool `json:"other_arch,omitempty"` // the GPU is of another architecture than the answer: nothing follows

	Flight *jsonFlight `json:"bytes_in_flight,omitempty"`
	Waves  *jsonWaves  `json:"waves,omitempty"`
}

type jsonFlight struct {
	PerThread      int     `json:"bytes_per_thread"`
	Need           float64 `json:"needed_bytes_per_sm"`
	Have           float64 `json:"bytes_per_sm"`
	Enough         bool    `json:"enough"`
	BandwidthShare float64 `json:"bandwidth_share"`
	WouldDo        int     `json:"bytes_per_thread_needed,omitempty"`
	Threads        int     `json:"threads_per_sm_needed,omitempty"`
	Blocks         int     `json:"blocks_per_sm_needed,omitempty"`
	Reachable      bool    `json:"threads_reachable"` // by warp and block slots, with this block size
}

type jsonWaves struct {
	Grid        int64   `json:"grid"`
	PerWave     int64   `json:"blocks_per_wave"`
	Waves       int64   `json:"waves"`
	LastWave    int64   `json:"last_wave_blocks"`
	IdlePercent float64 `json:"idle_percent"`
}

type jsonSweep struct {
	Of     string      `json:"of"`
	Now    *int        `json:"now,omitempty"`
	Points []jsonPoint `json:"points"`
}

type jsonPoint struct {
	From     int      `json:"from"`
	To       int      `json:"to"`
	Blocks   int      `json:"blocks"`
	Warps    int      `json:"warps"`
	Percent  float64  `json:"percent"`
	Limiters []string `json:"limiters"`
}

type jsonSuggestions struct {
	Best     []jsonFit   `json:"most_warps"`
	ByBlocks []jsonRange `json:"by_blocks"`
	Nearest  []jsonRange `json:"nearest,omitempty"` // where no block size has exactly the blocks that were asked for
}

type jsonRange struct {
	Blocks   int     `json:"blocks"`
	Smallest jsonFit `json:"smallest"`
	Largest  jsonFit `json:"largest"`
}

// WriteJSON writes the answers as one JSON object.
func WriteJSON(w io.Writer, answers []Answer) error {
	out := struct {
		Schema  int          `json:"schema"`
		Answers []jsonAnswer `json:"answers"`
	}{Schema: Schema, Answers: make([]jsonAnswer, len(answers))}
	for i := range answers {
		out.Answers[i] = answers[i].json()
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(name.JSONWriter(w))
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func (a *Answer) json() jsonAnswer {
	w := a.Waste()
	j := jsonAnswer{
		Kernel: a.Kernel, Arch: a.Arch, Threads: a.Launch.Threads, ThreadsFrom: string(a.ThreadsFrom), Registers: known(a.Launch.Registers, 1),
		SharedBytes: a.Launch.SharedBytes, DynamicBytes: a.DynamicBytes, Barriers: known(a.Launch.Barriers, 0),
		Blocks: a.Blocks, Warps: a.Warps, WarpSlots: a.WarpSlots, Percent: a.Percent(),
		Limits: map[string]*int{}, Limiters: a.Limiters.Names(), WarpsPerBlock: a.WarpsPerBlock,
		RegistersPerBlock: known(a.registersPerBlock(), 0), SharedBytesPerBlock: a.SharedBytesPerBlock,
		Waste: jsonWaste{known(w.Registers, 0), w.ReservedBytes, w.RoundingBytes, known(w.FreeRegisters, 0), w.FreeSharedBytes, w.FreeWarps},
		Steps: make([]jsonStep, 0, len(a.Steps)),
	}
	if a.Kernel != "" {
		j.Demangled = name.Demangle(a.Kernel)
	}
	for r := range arch.AllResources() {
		j.Limits[r.String()] = known(a.Limits[r], 0)
	}
	for _, s := range a.Steps {
		j.Steps = append(j.Steps, jsonStep{s.Resource.String(), s.Now, s.Fewer, s.GainTo, s.Free, s.LoseTo})
	}
	a.jsonParts(&j)
	return j
}

func (a *Answer) jsonParts(j *jsonAnswer) {
	if b := a.Bounds; b != nil {
		j.Bounds = &jsonBounds{b.Threads, b.MinBlocks, b.Registers, b.Honoured, b.Reason.String(), b.Over, b.MostThreads, fit(b.Threads, b.WithRegisters, &b.With), nil}
		if b.Without != nil {
			without := fit(b.Threads, a.Launch.Registers, b.Without)
			j.Bounds.Without = &without
		}
	}
	if a.Memory != nil {
		j.Memory = a.Memory.json()
	}
	for i := range a.Sweeps {
		j.Sweeps = append(j.Sweeps, a.Sweeps[i].json())
	}
	if s := a.Suggest; s != nil {
		j.Suggest = &jsonSuggestions{Best: []jsonFit{}, ByBlocks: []jsonRange{}}
		for i := range s.Best {
			j.Suggest.Best = append(j.Suggest.Best, s.Best[i].fit())
		}
		for i := range s.ByBlocks {
			j.Suggest.ByBlocks = append(j.Suggest.ByBlocks, s.ByBlocks[i].json())
		}
		for i := range s.Nearest {
			j.Suggest.Nearest = append(j.Suggest.Nearest, s.Nearest[i].json())
		}
	}
}

func (r *BlocksRange) json() jsonRange { return jsonRange{r.Blocks, r.Smallest.fit(), r.Largest.fit()} }

func (b *BlockSize) fit() jsonFit { return fit(b.Threads, 0, &b.Occupancy) }

func (m *Memory) json() *jsonMemory {
	j := &jsonMemory{jsonGPU: gpuJSON(m.GPU), OtherArch: m.OtherArch}
	if f := m.Flight; f != nil {
		j.Flight = &jsonFlight{m.BytesInFlight, f.Need, f.Have, f.Enough(), f.BandwidthShare(), f.BytesPerThread, f.ThreadsNeeded, f.BlocksNeeded, f.Reachable}
	}
	if w := m.Waves; w != nil {
		j.Waves = &jsonWaves{w.Grid, w.PerWave, w.Count(), w.LastGrid, w.IdlePercent()}
	}
	return j
}

func (s *Sweep) json() jsonSweep {
	least := 1
	if s.Of == arch.Shared {
		least = 0 // a launch without any is known to have none
	}
	j := jsonSweep{Of: SweepName(s.Of), Now: known(s.Now, least), Points: make([]jsonPoint, len(s.Points))}
	for i := range s.Points {
		p := &s.Points[i]
		j.Points[i] = jsonPoint{p.From, p.To, p.Blocks, p.Warps, p.Percent(), p.Limiters.Names()}
	}
	return j
}

// known is nil below least: a number that is not known.
func known(n, least int) *int {
	if n < least {
		return nil
	}
	return &n
}

// SweepName is what --sweep calls a quantity.
func SweepName(of arch.Resource) string {
	if of == arch.Warps {
		return "threads"
	}
	return of.String()
}

package where

import (
	"encoding/json"
	"io"

	"github.com/occlint/occlint/internal/name"
)

// The JSON form. Keys may be added within schema 1, never changed; what is not
// known is absent or null. Offsets count from the function's start.
type jsonReport struct {
	Schema  int          `json:"schema"`
	Kernels []jsonKernel `json:"kernels"`
	Lines   []jsonLine   `json:"lines"`
	Notes   []string     `json:"notes,omitempty"`
}

type jsonKernel struct {
	Name            string     `json:"name"`
	Demangled       string     `json:"demangled"`
	Kind            string     `json:"kind"`
	Parent          string     `json:"parent,omitempty"`
	Arch            string     `json:"arch"`
	File            string     `json:"file"`
	SpillStoreBytes *int64     `json:"spill_store_bytes,omitempty"`
	SpillLoadBytes  *int64     `json:"spill_load_bytes,omitempty"`
	ArrayStoreBytes *int64     `json:"array_store_bytes,omitempty"`
	ArrayLoadBytes  *int64     `json:"array_load_bytes,omitempty"`
	Exact           bool       `json:"exact"`
	LogStoreBytes   *int64     `json:"log_spill_store_bytes,omitempty"`
	LogLoadBytes    *int64     `json:"log_spill_load_bytes,omitempty"`
	Instructions    int        `json:"instructions"`
	CalledDepth     int        `json:"called_depth,omitempty"`
	Loops           []jsonLoop `json:"loops"`
	Sites           []jsonSite `json:"sites"`
	Calls           []jsonCall `json:"calls,omitempty"`
	Notes           []string   `json:"notes,omitempty"`
}

type jsonLoop struct {
	ID                 int    `json:"id"`
	Parent             *int   `json:"parent"`
	Depth              int    `json:"depth"`
	Start              uint32 `json:"start"`
	End                uint32 `json:"end"` // of its last instruction
	File               string `json:"file,omitempty"`
	Line               int    `json:"line,omitempty"`
	LastLine           int    `json:"last_line,omitempty"`
	InlinedAt          []at   `json:"inlined_at,omitempty"`
	Instructions       int    `json:"instructions"`
	SpillStoreBytes    int64  `json:"spill_store_bytes"`
	SpillLoadBytes     int64  `json:"spill_load_bytes"`
	ArrayStoreBytes    int64  `json:"array_store_bytes"`
	ArrayLoadBytes     int64  `json:"array_load_bytes"`
	OwnSpillStoreBytes int64  `json:"own_spill_store_bytes"`
	OwnSpillLoadBytes  int64  `json:"own_spill_load_bytes"`
}

type jsonSite struct {
	Offset     uint32 `json:"offset"`
	Access     string `json:"access"`
	Bytes      int    `json:"bytes"`
	Spill      *bool  `json:"spill,omitempty"`
	LoopDepth  *int   `json:"loop_depth,omitempty"`
	LeastDepth *int   `json:"least_loop_depth,omitempty"` // where loop_depth isn't known
	Loop       *int   `json:"loop"`
	File       string `json:"file,omitempty"`
	Line       int    `json:"line,omitempty"`
	InlinedAt  []at   `json:"inlined_at,omitempty"`
}

type jsonCall struct {
	Offset    uint32 `json:"offset"`
	Name      string `json:"name"`
	LoopDepth int    `json:"loop_depth"`
	Loop      *int   `json:"loop"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
}

type jsonLine struct {
	File            string `json:"file"`
	Line            int    `json:"line"`
	InlinedAt       *at    `json:"inlined_at,omitempty"`
	LoopDepth       int    `json:"loop_depth"`
	Kernels         int    `json:"kernels"`
	SpillStoreBytes int64  `json:"spill_store_bytes"`
	SpillLoadBytes  int64  `json:"spill_load_bytes"`
	ArrayStoreBytes int64  `json:"array_store_bytes"`
	ArrayLoadBytes  int64  `json:"array_load_bytes"`
	OtherStoreBytes int64  `json:"local_store_bytes,omitempty"` // what can't be told to be either
	OtherLoadBytes  int64  `json:"local_load_bytes,omitempty"`
}

// at is a line that something was inlined at.
type at struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// WriteJSON writes the JSON form.
func WriteJSON(w io.Writer, r *Report) error {
	out := jsonReport{Schema: 1, Kernels: []jsonKernel{}, Lines: []jsonLine{}, Notes: r.Notes}
	for _, k := range r.Kernels {
		out.Kernels = append(out.Kernels, jsonKernelOf(k))
	}
	for _, l := range r.Lines {
		j := jsonLine{l.File, l.Line, nil, l.Depth, l.Kernels, l.SpillStoreBytes, l.SpillLoadBytes, l.ArrayStoreBytes, l.ArrayLoadBytes, l.OtherStoreBytes, l.OtherLoadBytes}
		if l.Inlined.Line > 0 {
			j.InlinedAt = &at{l.Inlined.File, l.Inlined.Line}
		}
		out.Lines = append(out.Lines, j)
	}
	e := json.NewEncoder(name.JSONWriter(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(out)
}

func jsonKernelOf(k *Kernel) jsonKernel {
	j := jsonKernel{
		Name: k.Name, Demangled: name.Demangle(k.Name), Kind: "function", Parent: k.Parent, Arch: k.Arch, File: k.File,
		Exact: k.Certainty == Exact, Instructions: k.Instructions, CalledDepth: k.CalledDepth,
		Loops: []jsonLoop{}, Sites: []jsonSite{}, Notes: k.Notes,
	}
	if k.Entry {
		j.Kind = "entry"
	}
	if k.Certainty != Unknown {
		j.SpillStoreBytes, j.SpillLoadBytes = &k.SpillStoreBytes, &k.SpillLoadBytes
		j.ArrayStoreBytes, j.ArrayLoadBytes = &k.ArrayStoreBytes, &k.ArrayLoadBytes
	}
	if k.Log != nil {
		j.LogStoreBytes, j.LogLoadBytes = &k.Log.StoreBytes, &k.Log.LoadBytes
	}
	for i := range k.Loops {
		l := &k.Loops[i]
		j.Loops = append(j.Loops, jsonLoop{
			l.ID, loopID(l.Parent), l.Depth, l.Start, l.End, l.Place.File, l.Place.Line, l.LastLine, inlined(l.Place),
			l.Instructions, l.SpillStoreBytes, l.SpillLoadBytes, l.ArrayStoreBytes, l.ArrayLoadBytes, l.OwnSpillStoreBytes, l.OwnSpillLoadBytes,
		})
	}
	for i := range k.Sites {
		s := &k.Sites[i]
		out := jsonSite{Offset: s.Offset, Access: "store", Bytes: s.Bytes, Loop: loopID(s.Loop), File: s.Place.File, Line: s.Place.Line, InlinedAt: inlined(s.Place)}
		if s.Load {
			out.Access = "load"
		}
		if s.Told {
			out.Spill = &s.Spill
		}
		if s.DepthKnown {
			out.LoopDepth = &s.Depth
		} else {
			out.LeastDepth = &s.Depth
		}
		j.Sites = append(j.Sites, out)
	}
	for i := range k.Calls {
		c := &k.Calls[i]
		j.Calls = append(j.Calls, jsonCall{c.Offset, c.Name, c.Depth, loopID(c.Loop), c.Place.File, c.Place.Line})
	}
	return j
}

func loopID(id int) *int {
	if id < 0 {
		return nil
	}
	return &id
}

func inlined(p Place) []at {
	var list []at
	for _, q := range p.Inlined {
		list = append(list, at{q.File, q.Line})
	}
	return list
}

package compare

import (
	"encoding/json"
	"io"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// jsonDiff is the JSON form. Keys may be added within schema 1, never changed;
// an absent number is one that the log does not state.
type jsonDiff struct {
	Schema     int          `json:"schema"`
	Old        string       `json:"old"`
	New        string       `json:"new"`
	Thresholds []string     `json:"thresholds"`
	Summary    jsonSummary  `json:"summary"`
	Kernels    []jsonKernel `json:"kernels"`
	Notes      []string     `json:"notes"`
	Gains      []jsonGain   `json:"spill_gains,omitempty"`
}

type jsonSummary struct {
	Compared  int  `json:"compared"`
	Regressed int  `json:"regressed"`
	Worse     int  `json:"worse"`
	Better    int  `json:"better"`
	Unknown   int  `json:"unknown"`
	Added     int  `json:"added"`
	Removed   int  `json:"removed"`
	Unchanged int  `json:"unchanged"`
	Trusted   bool `json:"trusted"`
}

// jsonKernel is one kernel that is not unchanged.
type jsonKernel struct {
	Name      string             `json:"name"`
	OldName   string             `json:"old_name,omitempty"` // where it differs
	Demangled string             `json:"demangled"`
	Parent    string             `json:"parent,omitempty"`
	Kind      parse.Kind         `json:"kind,omitzero"`
	Arch      string             `json:"arch,omitempty"`
	Status    string             `json:"status"`
	Old       map[string]float64 `json:"old,omitempty"`
	New       map[string]float64 `json:"new,omitempty"`
	Changes   []jsonChange       `json:"changes,omitempty"`
	OldStage  parse.Stage        `json:"old_stage,omitzero"`
	NewStage  parse.Stage        `json:"new_stage,omitzero"`
	OldPlace  parse.Place        `json:"old_place,omitzero"`
	Place     parse.Place        `json:"place,omitzero"`
	Source    parse.Place        `json:"source,omitzero"`
}

type jsonChange struct {
	Field     string   `json:"field"`
	Unit      string   `json:"unit"`
	Old       *float64 `json:"old,omitempty"`
	New       *float64 `json:"new,omitempty"`
	Delta     *float64 `json:"delta,omitempty"`
	Worse     bool     `json:"worse"`
	Threshold string   `json:"threshold,omitempty"` // the one that is broken
}

// JSON writes every change, whatever view's limit; trusted says whether both
// logs could be judged.
func (d *Diff) JSON(w io.Writer, view View, trusted bool) error {
	out := jsonDiff{
		Schema: 1, Old: view.Old, New: view.New,
		Thresholds: []string{}, Kernels: []jsonKernel{}, Notes: append([]string{}, d.Notes()...),
		Gains: view.gainsJSON(),
		Summary: jsonSummary{
			Compared: d.Common(), Regressed: d.Count(Regressed), Worse: d.Count(Worse), Better: d.Count(Better),
			Unknown: d.Count(Unknown), Added: d.Count(Added), Removed: d.Count(Removed), Unchanged: d.Count(Unchanged),
			Trusted: trusted,
		},
	}
	for _, t := range d.Thresholds {
		out.Thresholds = append(out.Thresholds, t.Text)
	}
	for i := range d.Pairs {
		if p := &d.Pairs[i]; p.Status != Unchanged {
			out.Kernels = append(out.Kernels, p.json())
		}
	}
	enc := json.NewEncoder(name.JSONWriter(w))
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

func (p *Pair) json() jsonKernel {
	k := jsonKernel{
		Name: p.Name, Demangled: name.Demangle(p.Name), Parent: p.Parent, Kind: p.Kind, Arch: p.Arch,
		Status: p.Status.String(), Old: p.Old.json(), New: p.New.json(),
		OldStage: p.OldStage, NewStage: p.NewStage, OldPlace: p.OldPlace, Place: p.Place, Source: p.Source,
	}
	if p.OldName != p.Name {
		k.OldName = p.OldName
	}
	for _, c := range p.Changes {
		j := jsonChange{
			Field: c.Field.String(), Unit: c.Field.unit(),
			Old: c.Old.json(), New: c.New.json(), Worse: c.Worse(), Threshold: c.Threshold,
		}
		if c.Known() {
			j.Delta = Value{c.Delta(), true}.json()
		}
		k.Changes = append(k.Changes, j)
	}
	return k
}

func (v Value) json() *float64 {
	if !v.Stated {
		return nil
	}
	return &v.Number
}

func (v Values) json() map[string]float64 {
	m := map[string]float64{}
	for f, value := range v {
		if value.Stated {
			m[Field(f).String()] = value.Number
		}
	}
	return m
}

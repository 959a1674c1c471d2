package arch

import (
	"errors"
	"fmt"
	"slices"
)

// CustomGPU is a GPU that a user adds, alone or by its difference from a known
// one. A zero number is taken from Like.
type CustomGPU struct {
	Name                 string // a known name replaces that entry
	Like                 string // may be empty
	Arch                 string
	SMs                  int
	BandwidthBytesPerSec float64
	ClockHz              float64
	LatencyCycles        int
}

// listWord asks for all GPUs where one is named, so none can be called so.
const listWord = "list"

// WithGPUs is the table with GPUs added. One can be like another of them,
// whichever is named first. Errors are as those of With.
func (t *Table) WithGPUs(custom ...CustomGPU) (*Table, error) {
	out := t.clone()
	names, likes := make([]string, len(custom)), make([]string, len(custom))
	for i, c := range custom {
		names[i] = plain(c.Name)
	}
	for i, c := range custom {
		if likes[i] = plain(c.Like); !slices.Contains(names, likes[i]) {
			likes[i] = t.plainGPU(c.Like)
		}
	}
	order, circular := dependencies(names, likes)
	var errs []error
	for _, i := range order {
		g, err := out.buildGPU(custom[i])
		if err != nil {
			errs = append(errs, &CustomError{"GPU", custom[i].Name, err})
			continue
		}
		out.gpus = slices.DeleteFunc(out.gpus, func(old *GPU) bool { return plain(old.Name) == plain(g.Name) })
		out.gpus = append(out.gpus, g)
	}
	for _, i := range circular {
		errs = append(errs, &CustomError{"GPU", custom[i].Name, circle(custom[i].Like)})
	}
	return out, errors.Join(errs...)
}

// plainGPU is the plain name of the entry that a name means.
func (t *Table) plainGPU(name string) string {
	if g, err := t.GPU(name); err == nil {
		return plain(g.Name)
	}
	return plain(name)
}

func (t *Table) buildGPU(c CustomGPU) (*GPU, error) {
	switch plain(c.Name) {
	case "":
		return nil, errors.New("a GPU needs a name with letters or digits")
	case listWord:
		return nil, fmt.Errorf("%q is no name for a GPU: where one is named, the word asks for all of them", c.Name)
	}
	g := &GPU{Arch: c.Arch, SMs: c.SMs, BandwidthBytesPerSec: c.BandwidthBytesPerSec, ClockHz: c.ClockHz, LatencyCycles: c.LatencyCycles}
	if c.Like != "" {
		like, err := t.GPU(c.Like)
		if err != nil {
			return nil, fmt.Errorf("like: %w", err)
		}
		g.inherit(like)
	}
	g.Name = c.Name
	if c.LatencyCycles > 0 {
		g.LatencyFrom = "given by the user"
	}
	if _, err := t.Lookup(g.Arch); err != nil {
		return nil, err
	}
	return g, g.check()
}

// inherit takes what is not set from another GPU. A latency is taken over in
// cycles. Where the clock is another, that is another time, so the entry then
// says at which clock the cycles were counted.
func (g *GPU) inherit(like *GPU) {
	g.LatencyFrom = "as " + like.Name
	if g.ClockHz > 0 && g.ClockHz != like.ClockHz {
		g.LatencyFrom = fmt.Sprintf("in cycles as %s, which has %.0f MHz", like.Name, like.ClockHz/1e6)
	}
	if g.Arch == "" {
		g.Arch = like.Arch
	}
	if g.SMs == 0 {
		g.SMs = like.SMs
	}
	if g.BandwidthBytesPerSec == 0 {
		g.BandwidthBytesPerSec = like.BandwidthBytesPerSec
	}
	if g.ClockHz == 0 {
		g.ClockHz = like.ClockHz
	}
	if g.LatencyCycles == 0 {
		g.LatencyCycles = like.LatencyCycles
	}
}

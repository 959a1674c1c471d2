package report

import (
	"math"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// htmlData is what the page's script reads. Keys of kernels are short: there
// are 10,000 of them. Every string is safe to show as text.
type htmlData struct {
	Archs    []string            `json:"archs"`
	Kernels  []htmlKernel        `json:"kernels"`
	Findings []htmlFinding       `json:"findings"`
	Launches []htmlLaunch        `json:"launches"`
	Rules    map[string]htmlRule `json:"rules"`
	Compared bool                `json:"compared"`

	left     int // rows that the page does not hold
	byRecord map[int]int
	launches map[arch.Launch]map[string]int
	archs    map[string]int
	pairs    map[htmlKey]*compare.Pair
}

type htmlKey struct{ name, parent, arch string }

type htmlKernel struct {
	Name      string         `json:"n"`
	Demangled string         `json:"d"`
	Short     string         `json:"s"`
	Arch      int            `json:"a"`
	Function  bool           `json:"k,omitempty"`
	Parent    string         `json:"p,omitempty"`
	Registers int64          `json:"r"` // -1: not stated
	Stores    int64          `json:"ss"`
	Loads     int64          `json:"sl"`
	Stack     int64          `json:"st"`
	Shared    int64          `json:"sh"`
	Barriers  int64          `json:"b"`
	Occupancy *htmlOccupancy `json:"o,omitempty"`
	Why       string         `json:"why,omitempty"` // there is no occupancy
	Launch    *int           `json:"c,omitempty"`
	Assumed   bool           `json:"assumed,omitempty"` // the curves' block size is nobody's
	Target    float64        `json:"target,omitempty"`  // percent
	Defects   string         `json:"x,omitempty"`
	Findings  []int          `json:"f,omitempty"`
	Log       [][2]string    `json:"log,omitempty"`
	Declared  [][3]string    `json:"dec,omitempty"`
	Status    string         `json:"cs,omitempty"`
	Changes   []htmlChange   `json:"ch,omitempty"`
	Places    *htmlPlaces    `json:"pl,omitempty"`
}

type htmlOccupancy struct {
	Percent  float64 `json:"percent"`
	Blocks   int     `json:"blocks"`
	Threads  int     `json:"threads"`
	Warps    int     `json:"warps"`
	Slots    int     `json:"slots"`
	Limiters string  `json:"limiters"`
}

type htmlChange struct {
	Field     string `json:"field"`
	Old       string `json:"old"`
	New       string `json:"new"`
	Worse     bool   `json:"worse,omitempty"`
	Threshold string `json:"threshold,omitempty"`
}

type htmlFinding struct {
	Rule       string   `json:"rule"`
	Severity   string   `json:"severity"`
	Message    string   `json:"message"`
	Place      string   `json:"place,omitempty"`
	Declared   string   `json:"declared,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Help       string   `json:"help,omitempty"`
	Suppressed string   `json:"suppressed,omitempty"`
}

type htmlRule struct {
	Why string `json:"why"`
	Fix string `json:"fix"`
}

type htmlLaunch struct {
	Threads int         `json:"threads"`
	Limits  [][5]any    `json:"limits"`
	Curves  []htmlCurve `json:"curves"`
}

type htmlCurve struct {
	Title string    `json:"title"`
	Words string    `json:"words"`
	Label string    `json:"label"` // of today's point
	Most  int       `json:"most"`
	Now   int       `json:"now"`
	At    float64   `json:"at"`
	Ticks [][2]any  `json:"ticks"`
	Steps []float64 `json:"steps"` // from, to, percent, from, to, percent, …
}

// assumedThreads is the block size of the curves where none is declared.
const assumedThreads = 256

func newHTMLData(in *Input) *htmlData {
	d := &htmlData{
		Archs: []string{}, Kernels: []htmlKernel{}, Findings: []htmlFinding{}, Launches: []htmlLaunch{},
		Rules: map[string]htmlRule{}, Compared: in.Diff != nil,
		byRecord: map[int]int{}, launches: map[arch.Launch]map[string]int{}, archs: map[string]int{},
		pairs: map[htmlKey]*compare.Pair{},
	}
	if in.Diff != nil {
		for i := range in.Diff.Pairs {
			p := &in.Diff.Pairs[i]
			d.pairs[htmlKey{p.Name, p.Parent, p.Arch}] = p
		}
	}
	rows, left := in.htmlRows()
	d.left = left
	in.shorten(func(yield func(string) bool) {
		for n := range rowNames(rows) {
			if !yield(n) {
				return
			}
		}
		longNames(in.all())(yield)
	})
	for i := range rows {
		d.addKernel(in, &rows[i])
	}
	for i := range in.Result.Findings {
		d.addFinding(in, &in.Result.Findings[i])
	}
	for _, r := range rules.Registry() {
		if _, used := d.Rules[r.ID]; used {
			d.Rules[r.ID] = htmlRule{plainMarkdown(r.Why), plainMarkdown(r.Fix)}
		}
	}
	return d
}

// htmlKernels is how many records a page holds: what a browser still sorts and
// filters while one looks.
const htmlKernels = 20_000

// htmlRows are the rows of the page's table, and how many it leaves out. Of
// too many, those with findings come first, then the log's first.
func (in *Input) htmlRows() (rows []row, left int) {
	rows = in.rows(&ShowOptions{})
	if len(rows) <= htmlKernels {
		return rows, 0
	}
	found := map[int]bool{}
	for i := range in.Result.Findings {
		found[in.owner(&in.Result.Findings[i])] = true
	}
	has := func(r row) int {
		if found[r.index] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(rows, func(a, b row) int { return has(a) - has(b) })
	return rows[:htmlKernels], len(rows) - htmlKernels
}

// kernelOf is the index of the record that a finding is about, or -1.
func (d *htmlData) kernelOf(in *Input, f *rules.Finding) int {
	if i, ok := d.byRecord[in.owner(f)]; ok {
		return i
	}
	return -1
}

func (d *htmlData) addFinding(in *Input, f *rules.Finding) {
	k := d.kernelOf(in, f)
	if k < 0 || f.Severity == rules.Off {
		return // findings on the log stand above the table
	}
	h := htmlFinding{Rule: f.Rule, Severity: f.Severity.String(), Message: in.message(f), Place: place(anchor(f)),
		Declared: declaredWords(f.Declared), Help: brief(f.Help), Suppressed: brief(f.Suppressed)}
	for _, n := range f.Notes {
		h.Notes = append(h.Notes, brief(n))
	}
	d.Kernels[k].Findings = append(d.Kernels[k].Findings, len(d.Findings))
	d.Findings = append(d.Findings, h)
	d.Rules[f.Rule] = htmlRule{}
}

func (d *htmlData) addKernel(in *Input, r *row) {
	k := &r.kernel
	shared := k.SharedBytes.Or(-1)
	if shared < 0 && k.Registers.Stated() && k.Defect == 0 {
		shared = 0
	}
	h := htmlKernel{
		Name: clip(escaped(k.Name), htmlName), Short: in.shortName(k.Name), Arch: d.arch(k.Arch), Function: k.Kind == parse.Function,
		Registers: k.Registers.Or(-1), Stores: k.SpillStoreBytes.Or(-1), Loads: k.SpillLoadBytes.Or(-1), Stack: k.StackBytes.Or(-1),
		Shared: shared, Barriers: k.Barriers.Or(-1), Defects: r.record.Defect.String(), Log: logLines(&r.record),
	}
	h.Demangled = h.Short
	if k.Name != "" {
		h.Demangled = clip(escaped(in.demangled(k.Name)), htmlName)
	}
	if k.Parent != "" {
		h.Parent = in.shortName(k.Parent)
	}
	if j, judged := in.Result.Of(r.index); judged {
		d.judged(in, &h, &j)
	}
	if p := d.pairs[htmlKey{k.Name, k.Parent, k.Arch}]; p != nil {
		h.Status = p.Status.String()
		for _, c := range p.Changes {
			h.Changes = append(h.Changes, htmlChange{strings.ReplaceAll(c.Field.String(), "_", " "), c.Old.String(), c.New.String(), c.Worse(), escaped(c.Threshold)})
		}
	}
	if in.Places != nil {
		h.Places = newHTMLPlaces(in.Places(k.Name, k.Parent, k.Arch, k.SpillStoreBytes.Or(-1), k.SpillLoadBytes.Or(-1)))
	}
	d.byRecord[r.index] = len(d.Kernels)
	d.Kernels = append(d.Kernels, h)
}

// htmlName is the longest name, in runes, that the page holds; some templates
// have names of 64 KiB.
const htmlName = 4000

func (d *htmlData) arch(name string) int {
	i, ok := d.archs[name]
	if !ok {
		i = len(d.Archs)
		d.archs[name] = i
		d.Archs = append(d.Archs, escaped(name))
	}
	return i
}

// judged adds what fits, the limits and the declarations.
func (d *htmlData) judged(in *Input, h *htmlKernel, j *rules.Judgement) {
	h.Declared = declarations(j.Declared)
	sm, err := in.table().Lookup(j.Kernel.Arch)
	registers, stated := j.Kernel.Registers.Value()
	switch {
	case h.Function:
		return
	case err != nil:
		h.Why = "the architecture is not known"
		return
	case !stated || registers > math.MaxInt32:
		h.Why = "the log states no registers"
		return
	}
	l := arch.Launch{Threads: j.Threads, Registers: int(registers), SharedBytes: int(min(j.SharedBytes, math.MaxInt32)), Barriers: arch.Unknown}
	if n, ok := j.Kernel.Barriers.Value(); ok && n < math.MaxInt32 {
		l.Barriers = int(n)
	}
	if o := j.Occupancy; o != nil {
		h.Occupancy = &htmlOccupancy{round1(o.Percent()), o.Blocks, j.Threads, o.Warps, o.WarpSlots, o.Limiters.String()}
	} else {
		h.Why = "no block size is declared"
		l.Threads, h.Assumed = assumedThreads, true
	}
	h.Target = target(sm, j)
	i := d.launch(sm, l)
	h.Launch = &i
}

// launch is the index of a launch's curves; kernels that ask for the same
// share them.
func (d *htmlData) launch(sm *arch.SM, l arch.Launch) int {
	if d.launches[l] == nil {
		d.launches[l] = map[string]int{}
	}
	if i, ok := d.launches[l][sm.Name]; ok {
		return i
	}
	i := len(d.Launches)
	d.launches[l][sm.Name] = i
	o := sm.Occupancy(l)
	h := htmlLaunch{Threads: l.Threads, Limits: limitRows(sm, l, &o)}
	for _, c := range Curves(sm, l, 0) {
		h.Curves = append(h.Curves, newHTMLCurve(&c))
	}
	d.Launches = append(d.Launches, h)
	return i
}

func newHTMLCurve(c *Curve) htmlCurve {
	title, ticks, label := c.axis()
	here, _ := c.here() // a launch of a judged kernel says all of it
	h := htmlCurve{Title: title, Words: c.words(), Label: c.value(c.Now), Most: c.Most(), Now: c.Now, At: round1(here)}
	for _, t := range ticks {
		h.Ticks = append(h.Ticks, [2]any{t, label(t)})
	}
	for i := range c.Points {
		p := &c.Points[i]
		percent := round1(p.Percent())
		if n := len(h.Steps); n > 0 && h.Steps[n-1] == percent {
			h.Steps[n-2] = float64(p.To) // another limiter, the same occupancy
			continue
		}
		h.Steps = append(h.Steps, float64(p.From), float64(p.To), percent)
	}
	return h
}

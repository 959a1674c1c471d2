package profile

import (
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// Sink takes each launch as it is read. The Launch is the sink's to keep.
// What it returns stops the reading.
type Sink func(*Launch) error

// BinarySink takes each device binary of a report once; nil takes none.
type BinarySink func(*Binary)

// A draft is a launch whose numbers are still text.
type draft struct {
	collector
	cells []draftCell
}

type draftCell struct {
	target target
	unit   string
	text   string
	line   int
	// differs: the launches that a summary averages have different values.
	differs bool
}

// shapeWords name the numbers that all launches of one average must share and
// that a summary doesn't tell them apart by.
var shapeWords = map[Metric]string{DynamicSharedBytes: "dynamic shared memory"}

// A drafter turns drafts into launches as soon as it is known how the file
// writes numbers.
type drafter struct {
	report  *Report
	sink    Sink
	seps    separators
	pending []draft // complete, and not to be read yet
	names   interned
	draft   draft // being filled
	open    bool
}

// mostPending is how many launches may wait for the first number that shows
// the format. Every launch of a real report has one.
const mostPending = 1 << 12

func newDrafter(r *Report, sink Sink) *drafter {
	return &drafter{report: r, sink: sink, names: interned{}}
}

// add takes the text of one number.
func (d *drafter) add(t *target, unit, text []byte, line int) {
	d.draft.cells = append(d.draft.cells, draftCell{target: *t, unit: d.names.of(unit), text: string(text), line: line})
}

// addDiffering takes a number that is the average of different ones.
func (d *drafter) addDiffering(t *target, unit, text []byte, line int) {
	d.add(t, unit, text, line)
	d.draft.cells[len(d.draft.cells)-1].differs = true
}

// end finishes the open launch.
func (d *drafter) end() error {
	if !d.open {
		return nil
	}
	d.open = false
	done := d.draft
	d.draft = draft{cells: nil}
	if len(d.pending) == 0 && (!d.seps.undecided() || !done.ambiguous()) {
		return d.emit(&done)
	}
	d.pending = append(d.pending, done)
	if !d.seps.undecided() {
		return d.release()
	}
	if len(d.pending) >= mostPending {
		return d.undecidable()
	}
	return nil
}

// release emits what waited.
func (d *drafter) release() error {
	for i := range d.pending {
		if err := d.emit(&d.pending[i]); err != nil {
			return err
		}
	}
	d.pending = nil
	return nil
}

// finish ends the file.
func (d *drafter) finish() error {
	if err := d.end(); err != nil {
		return err
	}
	if err := d.seps.contradict(d.report.File); err != nil {
		return err
	}
	if len(d.pending) > 0 {
		return d.undecidable()
	}
	return nil
}

func (d *drafter) undecidable() error {
	for i := range d.pending {
		for _, c := range d.pending[i].cells {
			if ambiguous(c.text) {
				return &Error{Place{d.report.File, c.line},
					"whether " + strconv.Quote(c.text) + " has a decimal sign or a separator of thousands can't be told: no number of the file shows it",
					"export it again: " + exportPlain}
			}
		}
	}
	return nil
}

func (f *draft) ambiguous() bool {
	for i := range f.cells {
		if ambiguous(f.cells[i].text) {
			return true
		}
	}
	return false
}

// emit reads the numbers of a draft and gives the launch to the sink.
func (d *drafter) emit(f *draft) error {
	if err := d.seps.contradict(d.report.File); err != nil {
		return err
	}
	for i := range f.cells {
		c := &f.cells[i]
		x, absent, ok := d.seps.number(c.text)
		switch {
		case !ok:
			d.report.problem(c.line, "not a number: "+strconv.Quote(name.Brief(c.text, 40)))
		case absent:
		case c.differs:
			f.launch.Mixed = shapeWords[c.target.metric]
		case !f.put(&c.target, x, c.unit):
			d.report.problem(c.line, "the unit "+strconv.Quote(name.Brief(c.unit, 20))+" is not known for "+c.text)
		}
	}
	f.round()
	d.report.Launches++
	l := f.launch
	return d.sink(&l)
}

// round notes how coarse the sizes are: a page for people scales them and
// prints two decimals.
func (f *draft) round() {
	for i := range f.cells {
		c := &f.cells[i]
		factor, ok := c.target.kind.factor(c.unit)
		if c.target.kind != ofSize || !ok || factor <= 1 {
			continue
		}
		if at := strings.LastIndexAny(c.text, ".,"); at < 0 || len(c.text)-at-1 == 2 {
			f.launch.RoundedBytes = max(f.launch.RoundedBytes, int(factor)/100)
		}
	}
}

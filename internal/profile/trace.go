package profile

import (
	"bufio"
	"errors"
	"fmt"
)

// readTrace reads a Chrome trace as PyTorch's profiler writes it, one event at
// a time. It has the geometry, registers, shared memory and duration of each
// launch, and no counters. What it says of occupancy is an estimate of its own
// and isn't read: "est. achieved occupancy %" is 0 where shared memory needs
// the opt-in, and "blocks per SM" is the grid over the SMs.
func readTrace(in *bufio.Reader, r *Report, sink Sink) error {
	r.Form = FormTrace
	t := &trace{s: newJSONScanner(in), report: r, sink: sink, names: interned{}, devices: map[int64]device{}}
	c, err := t.s.token()
	if err == nil {
		if c == '[' {
			err = t.s.array(t.event)
		} else {
			err = t.s.object(t.top)
		}
	}
	switch {
	case errors.Is(err, errJSONEnds) && t.last > 0:
		// A process that was ended leaves such a file; all events before count.
		r.problem(t.s.line(), "the trace ends in the middle: shares of time are of what is there")
	case errors.Is(err, errJSONEnds), errors.Is(err, errJSON):
		return &Error{Place{r.File, t.s.line()}, "the trace can't be read: " + err.Error(), "write it again with export_chrome_trace"}
	case err != nil:
		return err
	}
	if err := t.flush(); err != nil {
		return err
	}
	if r.Launches == 0 {
		return &Error{Place{r.File, 0}, "the trace has no kernel", "record with ProfilerActivity.CUDA among the activities"}
	}
	return nil
}

// trace is the state of readTrace.
type trace struct {
	s       *jsonScanner
	report  *Report
	sink    Sink
	names   interned
	devices map[int64]device
	last    int          // events
	held    []heldLaunch // launches before the devices are known
	known   bool
}

type heldLaunch struct {
	launch Launch
	device int64
}

// device is what the trace says of one.
type device struct {
	name         string
	major, minor float64
	sms          float64
}

// mostHeld bounds what is kept of a trace whose devices come last.
const mostHeld = 1 << 16

func (t *trace) top(key string, c byte) error {
	switch {
	case key == "traceEvents" && c == '[':
		return t.s.array(t.event)
	case key == "deviceProperties" && c == '[':
		t.known = true
		if err := t.s.array(t.device); err != nil {
			return err
		}
		return t.flush()
	}
	return t.s.skip(c)
}

func (t *trace) device(c byte) error {
	if c != '{' {
		return t.s.skip(c)
	}
	d, id := device{}, int64(0)
	err := t.s.object(func(key string, c byte) error {
		var to *float64
		switch key {
		case "name":
			b, err := t.s.string(c, 256)
			d.name = string(b)
			return err
		case "id":
			x, _, err := t.s.number(c)
			id = int64(x)
			return err
		case "computeMajor":
			to = &d.major
		case "computeMinor":
			to = &d.minor
		case "numSms":
			to = &d.sms
		default:
			return t.s.skip(c)
		}
		x, _, err := t.s.number(c)
		*to = x
		return err
	})
	if len(t.devices) < 1024 {
		t.devices[id] = d
	}
	return err
}

// event reads one event; those that are no launch are passed over.
func (t *trace) event(c byte) error {
	if c != '{' {
		return t.s.skip(c)
	}
	var e heldLaunch
	line, kernel, timed := 0, false, false
	e.launch.Merged = 1
	err := t.s.object(func(key string, c byte) error {
		switch key {
		case "cat":
			b, err := t.s.string(c, 32)
			if kernel = string(b) == "kernel" || string(b) == "Kernel"; kernel {
				line = t.s.line()
			}
			return err
		case "name":
			b, err := t.s.string(c, mostName)
			e.launch.Names = namesOf(t.names.of(b))
			return err
		case "dur":
			x, ok, err := t.s.number(c)
			if ok && x >= 0 {
				e.launch.Values.Set(DurationNanos, x*1e3) // microseconds
				timed = true
			}
			return err
		case "args":
			if c == '{' {
				return t.s.object(func(key string, c byte) error { return t.arg(&e, key, c) })
			}
		}
		return t.s.skip(c)
	})
	if err != nil {
		return err
	}
	t.last++
	if !kernel {
		return nil
	}
	e.launch.Place = Place{t.report.File, line}
	if !timed || e.launch.Names.Shown() == "" || e.launch.Block.Count() == 0 {
		t.report.problem(line, "a kernel's event without name, duration or block")
		return nil
	}
	return t.take(&e)
}

func (t *trace) arg(e *heldLaunch, key string, c byte) error {
	var to Metric
	switch key {
	case "grid", "block":
		d, err := t.dim(c)
		if key == "grid" {
			e.launch.Grid = d
		} else {
			e.launch.Block = d
		}
		return err
	case "device":
		x, _, err := t.s.number(c)
		e.device = int64(x)
		return err
	case "registers per thread":
		to = RegistersPerThread
	case "shared memory":
		// Static and dynamic together; which is which is told with the record.
		to = SharedBytes
	default:
		return t.s.skip(c)
	}
	x, ok, err := t.s.number(c)
	if ok && x >= 0 && x < mostOf {
		e.launch.Values.Set(to, x)
	}
	return err
}

func (t *trace) dim(c byte) (d Dim, err error) {
	if c != '[' {
		return d, t.s.skip(c)
	}
	n := 0
	err = t.s.array(func(c byte) error {
		x, ok, err := t.s.number(c)
		if ok && n < len(d) && x >= 0 && x < mostOf {
			d[n] = int64(x)
		}
		n++
		return err
	})
	return d, err
}

// take gives a launch on, or keeps it until the devices are known.
func (t *trace) take(e *heldLaunch) error {
	if t.known || len(t.held) >= mostHeld {
		return t.give(e)
	}
	t.held = append(t.held, *e)
	return nil
}

func (t *trace) flush() error {
	for i := range t.held {
		if err := t.give(&t.held[i]); err != nil {
			return err
		}
	}
	t.held, t.known = nil, true
	return nil
}

func (t *trace) give(e *heldLaunch) error {
	l := e.launch
	if d, ok := t.devices[e.device]; ok {
		l.Device = d.name
		if d.major > 0 && d.major < 100 && d.minor >= 0 && d.minor < 10 {
			l.Arch = fmt.Sprintf("sm_%d%d", int(d.major), int(d.minor))
		}
		if d.sms > 0 {
			l.Values.Set(SMs, d.sms)
		}
	}
	t.report.Launches++
	return t.sink(&l)
}

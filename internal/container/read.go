package container

import (
	"io"
	"runtime"
	"runtime/debug"
	"sync"
)

// Found is an entry with what was made of its bytes.
type Found[T any] struct {
	Entry
	Value T
}

// Read finds every entry in a file of size bytes and calls use with its
// unpacked bytes, on all processors; they are good until use returns. Entries
// that are only named (LTO, unknown kinds) come without bytes. The answers
// stand in the order of the file. Read reports whether the file is of a known
// format; what could not be read is in the faults, and all else is read. Where
// wanted is not nil, entries that it refuses come without bytes, and cost
// nothing; it runs on any processor.
func Read[T any](r io.ReaderAt, size int64, use func(Entry, []byte) T, wanted func(Entry) bool) (found []Found[T], faults []Fault, known bool) {
	p := &pool[T]{use: use, wanted: wanted, work: make(chan job[T])}
	for range runtime.GOMAXPROCS(0) {
		p.workers.Go(p.run)
	}
	w := &walker{visit: p.add, wait: p.open.Wait}
	known = w.walk(file{io.NewSectionReader(r, 0, size), "", 0})
	close(p.work)
	p.workers.Wait()
	for _, f := range p.found {
		if f.fault != nil {
			w.fault(f.fault.Member, f.fault.Offset, "%s", f.fault.Text)
			continue
		}
		found = append(found, f.Found)
	}
	if more := w.told - len(w.faults); more > 0 {
		w.faults = append(w.faults, Fault{Text: "more than could be told was not readable"})
	}
	return found, w.faults, known
}

// Code wants compiled code alone.
func Code(e Entry) bool { return e.Kind == Cubin }

// pool hands items to workers; each unpacks one at a time.
type pool[T any] struct {
	use     func(Entry, []byte) T
	wanted  func(Entry) bool // nil: all
	work    chan job[T]
	workers sync.WaitGroup
	open    sync.WaitGroup // items that are not done
	found   []*answer[T]
}

type job[T any] struct {
	item
	to *answer[T]
}

type answer[T any] struct {
	Found[T]
	fault *Fault
}

func (p *pool[T]) add(it item) {
	a := &answer[T]{Found: Found[T]{Entry: it.Entry}}
	p.found = append(p.found, a)
	p.open.Add(1)
	p.work <- job[T]{it, a}
}

func (p *pool[T]) run() {
	// A file that is cut while it is mapped ends in a fault of memory.
	debug.SetPanicOnFault(true)
	var b buffers
	defer b.close()
	for j := range p.work {
		p.do(&b, j)
		p.open.Done()
	}
}

func (p *pool[T]) do(b *buffers, j job[T]) {
	if j.method == none || p.wanted != nil && !p.wanted(j.Entry) {
		j.to.Value = p.use(j.Entry, nil)
		return
	}
	defer func() {
		switch err := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			j.to.fault = &Fault{j.Member, j.Offset, "the file became shorter while it was read"}
		default:
			panic(err)
		}
	}()
	data, err := b.unpack(&j.item)
	if err != nil {
		j.to.fault = &Fault{j.Member, j.Offset, "an entry cannot be unpacked: " + err.Error()}
		return
	}
	j.to.Value = p.use(j.Entry, data)
}

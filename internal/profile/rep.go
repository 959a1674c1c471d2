package profile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The binary report (.ncu-rep), by the vendor's Customization Guide, chapter
// "Report File Format", and the .proto files that each installation has in
// extras/FileFormat. Both say that the format may change; what is read here
// was the same in reports of 2024.1 and 2025.3.
//
//	"NVR\0"
//	u32 length, FileHeader {1: version}
//	blocks, to the end of the file:
//	  u32 length, BlockHeader {1: sources, 2: results, 4: string table,
//	    5: size of the payload, 7, 8, 9: results of ranges, command lists, graphs}
//	  payload: each entry a u32 length and a message, in that order
const repMagic = "NVR\x00"

// The largest parts that are read. A length says more than a file has when it
// lies; what is allocated grows with what is really there.
const (
	mostHeaderBytes = 64 << 20
	mostEntryBytes  = 512 << 20
	mostBinaries    = 1 << 12
)

// repReader reads one report.
type repReader struct {
	in       *bufio.Reader
	report   *Report
	sink     Sink
	at       int64 // bytes read
	buf      []byte
	binaries BinarySink
	seen     map[[32]byte]bool // SHA-256 of the binaries that were given on
	names    interned
	strs     []string
	to       []target // of the string table's names
	is       []repSpecial
}

// readRep reads a binary report.
func readRep(in *bufio.Reader, r *Report, sink Sink, binaries BinarySink) error {
	r.Form = FormReport
	d := &repReader{in: in, report: r, sink: sink, binaries: binaries, seen: map[[32]byte]bool{}, names: interned{}}
	if _, err := io.CopyN(io.Discard, in, int64(len(repMagic))); err != nil {
		return d.fault("the file ends inside its first bytes")
	}
	d.at = int64(len(repMagic))
	if _, err := d.message(mostHeaderBytes, "the file's header"); err != nil {
		return err
	}
	for {
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			break
		}
		if err := d.block(); err != nil {
			return err
		}
	}
	if r.Launches == 0 {
		return emptyReport(r.File, true, "")
	}
	return nil
}

func (d *repReader) fault(what string) error {
	return &Error{Place{d.report.File, 0}, fmt.Sprintf("%s (at byte %d of the report)", what, d.at),
		"is the file whole? If it is, its version isn't known here: " + exportRaw}
}

// message reads a length and as many bytes, which are valid until the next
// call.
func (d *repReader) message(most uint32, what string) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(d.in, size[:]); err != nil {
		return nil, d.fault("the file ends before " + what)
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > most {
		return nil, d.fault(fmt.Sprintf("%s says that it has %d bytes; %d are the most that is read", what, n, most))
	}
	d.at += 4
	// Grown by what comes, never by what the length promises.
	const step = 1 << 20
	d.buf = d.buf[:0]
	for left := int(n); left > 0; {
		part := min(left, step)
		from := len(d.buf)
		d.buf = append(d.buf, make([]byte, part)...)
		if _, err := io.ReadFull(d.in, d.buf[from:]); err != nil {
			return nil, d.fault(fmt.Sprintf("the file ends inside %s, which says that it has %d bytes", what, n))
		}
		left -= part
	}
	d.at += int64(n)
	return d.buf, nil
}

// block reads one block: its header and its payload.
func (d *repReader) block() error {
	b, err := d.message(mostHeaderBytes, "a block's header")
	if err != nil {
		return err
	}
	h, ok := repBlockHeader(b)
	if !ok {
		return d.fault("a block's header can't be read")
	}
	if h.ranges > 0 {
		return &Error{Place{d.report.File, 0}, "the report is of whole ranges or graphs: one result has several launches, and none of them can be judged",
			"profile kernels one by one: leave --replay-mode range, app-range and --graph-profiling graph out"}
	}
	if len(h.strings) > 0 {
		d.strs = h.strings
		d.to, d.is = make([]target, len(h.strings)), make([]repSpecial, len(h.strings))
		for i, s := range h.strings {
			d.to[i], d.is[i] = targetOf(s), repSpecialOf(s)
		}
	}
	end := d.at + int64(h.payload)
	for range h.sources {
		if d.at >= end {
			return d.fault("a block has fewer entries than its header says")
		}
		b, err := d.message(mostEntryBytes, "a source entry")
		if err != nil {
			return err
		}
		d.source(b)
	}
	for range h.results {
		if d.at >= end {
			return d.fault("a block has fewer entries than its header says")
		}
		b, err := d.message(mostEntryBytes, "a result")
		if err != nil {
			return err
		}
		if err := d.result(b); err != nil {
			return err
		}
	}
	// What a later version puts behind.
	if left := end - d.at; left > 0 {
		n, err := io.CopyN(io.Discard, d.in, left)
		d.at += n
		if err != nil {
			return d.fault("the file ends inside a block")
		}
	}
	return nil
}

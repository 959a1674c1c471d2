package profile

import (
	"bufio"
	"errors"
	"io"
)

// Read reads one report of any form, which its bytes tell, compressed by gzip
// or zstd or not, and gives each launch to sink. The Report is what there is to say of
// the whole; it is returned with an error too. Device binaries that the report
// holds go to binaries. An *Error says that the report
// can't be used, and that no launch of it should be.
func Read(r io.Reader, file string, sink Sink, binaries BinarySink) (*Report, error) {
	report := &Report{File: file}
	in, err := plainReader(r)
	if err == nil {
		err = report.read(in, sink, binaries)
	}
	var known *Error
	if errors.As(err, &known) && known.Place.File == "" {
		known.Place.File = file
	}
	return report, err
}

func (r *Report) read(in *bufio.Reader, sink Sink, binaries BinarySink) error {
	head, err := in.Peek(SniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch Sniff(head) {
	case BinaryReport:
		return readRep(in, r, sink, binaries)
	case Trace:
		return readTrace(in, r, sink)
	case Table:
		return readTable(newLines(in, r.File), r, sink)
	case Text:
		return readText(newLines(in, r.File), r, sink)
	case NsysTable:
		return readNsys(newLines(in, r.File), r, sink)
	case refused:
		return refusal(head)
	case NotReport:
	}
	return &Error{Place{r.File, 0}, "not a profiler's report", "export one with: " + exportRaw}
}

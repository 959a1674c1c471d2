package profile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Read reads one report of any form, which its bytes tell, compressed by gzip
// or not, and gives each launch to sink. The Report is what there is to say of
// the whole; it is returned with an error too. Device binaries that the report
// holds go to binaries. An *Error says that the report
// can't be used, and that no launch of it should be.
func Read(r io.Reader, file string, sink Sink, binaries BinarySink) (*Report, error) {
	report := &Report{File: file}
	in := bufio.NewReaderSize(r, SniffBytes)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return report, &Error{Place{file, 0}, "not a gzip file: " + err.Error(), ""}
		}
		in = bufio.NewReaderSize(z, SniffBytes)
	}
	err := report.read(in, sink, binaries)
	var known *Error
	switch {
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF):
		return report, &Error{Place{file, 0}, "the compressed file is cut or damaged: " + err.Error(), "copy it again"}
	case errors.As(err, &known) && known.Place.File == "":
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

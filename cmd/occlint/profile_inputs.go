package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/internal/profile/judge"
)

// profileInputs are the arguments by what their bytes are.
type profileInputs struct {
	reports []string // "-" is stdin
	logs    []string
	stdin   *bufio.Reader // what is left of it, when it is a report
}

func (in *profileInputs) reportNames() []string {
	names := make([]string, len(in.reports))
	for i, r := range in.reports {
		names[i] = r
		if r == "-" {
			names[i] = stdinName
		}
	}
	return names
}

// inputs tells reports from logs and binaries.
func (p *profiler) inputs(args []string) (*profileInputs, error) {
	in := &profileInputs{}
	if len(args) == 0 {
		if p.stdinIsTerminal() {
			return nil, usageError("no report: name a file; occlint profile --help shows how to record one")
		}
		args = []string{"-"}
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return nil, usageError("- is named twice: stdin can be read once")
	}
	for _, arg := range args {
		kind, err := p.sniff(in, arg)
		switch {
		case err != nil:
			return nil, err
		case kind != profile.NotReport:
			in.reports = append(in.reports, arg)
		default:
			in.logs = append(in.logs, arg)
		}
	}
	if len(in.reports) == 0 {
		return nil, &exitError{exitUntrusted, fmt.Errorf("there is no profiler's report among %s; export one with: ncu -i REPORT.ncu-rep --csv --page raw --print-units base",
			counted(len(args), "file"))}
	}
	return in, nil
}

// sniff tells what one argument is.
func (p *profiler) sniff(in *profileInputs, arg string) (profile.Kind, error) {
	switch arg {
	case "":
		return 0, usageError("a report's name is empty: is the variable in it set?")
	case "-":
		in.stdin = bufio.NewReaderSize(p.Stdin, profile.SniffBytes)
		head, _ := in.stdin.Peek(profile.SniffBytes)
		if profile.Sniff(head) == profile.NotReport {
			return 0, &exitError{exitUntrusted, errors.New("what comes through stdin is not a profiler's report: logs and binaries are named as files")}
		}
		return profile.Sniff(head), nil
	}
	f, err := os.Open(p.path(arg))
	if err != nil {
		return 0, p.cannotOpen(arg, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return profile.NotReport, nil
	}
	head := make([]byte, profile.SniffBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, p.cannotOpen(arg, err)
	}
	return profile.Sniff(head[:n]), nil
}

// readReports is what all reports came to.
type readReports struct {
	result   *judge.Result
	problems []profile.Problem
	more     int
}

// read judges every launch of every report.
func (p *profiler) read(in *profileInputs, records []judge.Record, o judge.Options) (*readReports, error) {
	j := judge.New(records, o)
	read := &readReports{}
	for _, name := range in.reports {
		r, err := p.readReport(in, name, j)
		if r != nil {
			read.problems = append(read.problems, r.Problems...)
			read.more += r.MoreProblems
		}
		var known *profile.Error
		switch {
		case errors.As(err, &known):
			return nil, &exitError{exitUntrusted, err}
		case err != nil:
			return nil, usageError("cannot read the report %q: %w", name, err)
		}
	}
	read.result = j.Result()
	if r := read.result; p.arch == "" && (len(r.Devices) > 1 || len(r.Archs) > 1) {
		return nil, &exitError{exitUntrusted, fmt.Errorf("the reports are of different devices (%s), and shares of the time in one table would mix them: "+
			"give them one by one, or say with --arch what to compute for", strings.Join(append(r.Devices, r.Archs...), ", "))}
	}
	return read, nil
}

func (p *profiler) readReport(in *profileInputs, arg string, j *judge.Judge) (*profile.Report, error) {
	own := func(b *profile.Binary) { j.AddOwn(p.ownRecords(b)) }
	if arg == "-" {
		return profile.Read(in.stdin, stdinName, j.Add, own)
	}
	f, err := os.Open(p.path(arg))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	return profile.Read(f, rootRelative(p.root, p.path(arg), arg), j.Add, own)
}

// ownRecords are the records of a device binary that a report holds.
func (p *profiler) ownRecords(b *profile.Binary) []judge.Record {
	f, err := cubin.Parse(b.Data)
	if f == nil {
		fmt.Fprintf(p.Stderr, "occlint: note: %s can't be read, so its kernels are judged by the report alone: %s\n", escapeLines(b.Name), escapeLines(err.Error()))
		return nil
	}
	records := imageRecords(f, b.Name)
	for i := range records {
		records[i].Inside = true
	}
	return records
}

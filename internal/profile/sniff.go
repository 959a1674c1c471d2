package profile

import (
	"bytes"
	"io"
)

// Kind is what a file is, by its bytes.
type Kind uint8

// The kinds of files. NotReport is everything that isn't a profiler's: a log,
// a binary.
const (
	NotReport    Kind = iota
	Table             // Nsight Compute's CSV, also behind a program's output
	Text              // Nsight Compute's terminal pages
	BinaryReport      // .ncu-rep
	Trace             // Chrome trace
	NsysTable         // Nsight Systems' list of GPU activities
	refused           // a profiler's, and of no use here
)

// SniffBytes is how much of a file Sniff wants to see.
const SniffBytes = 64 << 10

// Sniff tells what a file is by its first bytes. A compressed one is what is
// inside.
func Sniff(head []byte) Kind {
	for _, magic := range []string{gzipMagic, zstdMagic, utf16LE, utf16BE} {
		if !bytes.HasPrefix(head, []byte(magic)) {
			continue
		}
		in, err := plainReader(bytes.NewReader(head))
		if err != nil {
			return NotReport
		}
		inner := make([]byte, SniffBytes)
		n, _ := io.ReadFull(in, inner) // the head ends in the middle
		head = inner[:n]
		break
	}
	switch {
	case bytes.HasPrefix(head, []byte(repMagic)):
		return BinaryReport
	case refusal(head) != nil:
		return refused
	}
	// A terminal's page begins with a bracket as well: [504] prof@127.0.0.1.
	if first := bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf"); len(first) > 0 && (first[0] == '{' || first[0] == '[') && sniffJSON(head) == Trace {
		return Trace
	}
	return sniffLines(head)
}

func sniffJSON(head []byte) Kind {
	for _, mark := range []string{`"traceEvents"`, `"deviceProperties"`, `"schemaVersion"`, `"ph":`, `"ph" :`} {
		if bytes.Contains(head, []byte(mark)) {
			return Trace
		}
	}
	return NotReport
}

func sniffLines(head []byte) Kind {
	found := NotReport
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case isHeader(line):
			return Table
		case isNsysHeader(line):
			return NsysTable
		case isTextResult(line):
			return Text
		case found == NotReport && isToolLine(line):
			// A live run, whose table comes later or never.
			found = Table
		}
	}
	return found
}

func isToolLine(line []byte) bool {
	_, ok := toolLine(line)
	return ok
}

// refusal explains reports that can't be used, with the command that writes
// one that can; nil for all other files.
func refusal(head []byte) *Error {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	has := func(words ...string) bool {
		for _, w := range words {
			if !bytes.Contains(first, []byte(w)) {
				return false
			}
		}
		return true
	}
	switch {
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return &Error{What: "the report is an SQLite database",
			Help: "export a table: nsys stats -r cuda_gpu_trace:mangled -f csv REPORT.nsys-rep"}
	case has("KernelName", "gpu-id"), has("Kernel_Name", "Agent_Id"), has("Dispatch_ID", "GPU_ID"):
		return &Error{What: "the report is of AMD's rocprof, whose kernels no ptxas compiled",
			Help: "profile on an NVIDIA device with: " + recordFull}
	case has("Time (%)", "Total Time (ns)", "Instances"):
		return &Error{What: "the summary of Nsight Systems has neither registers nor blocks",
			Help: "export the launches: nsys stats -r cuda_gpu_trace:mangled -f csv REPORT.nsys-rep"}
	case has(`"Type","Time(%)"`), bytes.Contains(head[:min(len(head), 4096)], []byte("NVPROF is profiling")):
		return &Error{What: "the report is of nvprof, which ended before the counters that are judged here",
			Help: "record with: " + recordFull}
	}
	return nil
}

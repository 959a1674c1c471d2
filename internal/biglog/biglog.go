// Package biglog makes build logs of any size for benchmarks. In go real
// records from testdata/ptxas; out comes a log with as many kernels as asked
// for, each under a mangled name of its own.
package biglog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// Shape says what the log looks like.
type Shape string

// The shapes.
const (
	Distinct   Shape = "distinct"   // every kernel has a name of its own
	Repeated   Shape = "repeated"   // RepeatedKernels names, over and over in other compilations
	Timestamps Shape = "timestamps" // as Distinct, every line behind a CI timestamp
	Colours    Shape = "colours"    // as Distinct, with ANSI colours and CR LF
)

// Shapes lists all of them.
var Shapes = []Shape{Distinct, Repeated, Timestamps, Colours}

// RepeatedKernels is how many names a Repeated log has.
const RepeatedKernels = 8000

const (
	kernelsPerModule = 40
	spillEvery       = 100 // one kernel in so many spills
)

// Write writes a log of at least size bytes and returns its number of kernels.
// ptxas is the folder testdata/ptxas.
func Write(w io.Writer, ptxas string, shape Shape, size int64) (kernels int, err error) {
	pools, err := loadPools(ptxas)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	written := int64(0)
	var line []byte
	emit := func(text []byte) error {
		line = shape.wrap(line[:0], text)
		n, err := out.Write(line)
		written += int64(n)
		return err
	}
	for ; written < size; kernels++ {
		if kernels%kernelsPerModule == 0 {
			if err := emit([]byte("ptxas info    : 0 bytes gmem")); err != nil {
				return kernels, err
			}
		}
		number := kernels
		if shape == Repeated {
			number %= RepeatedKernels
		}
		// A module is for one architecture.
		of := pools[number/kernelsPerModule%len(pools)]
		for _, l := range of.record(number).lines {
			if err := emit(l.named(number)); err != nil {
				return kernels, err
			}
		}
	}
	return kernels, out.Flush()
}

func (s Shape) wrap(dst, text []byte) []byte {
	switch s {
	case Timestamps:
		dst = append(dst, "2026-11-03T10:15:42.1234567Z "...)
		dst = append(dst, text...)
	case Colours:
		if tool, rest, found := bytes.Cut(text, []byte(" ")); found && len(tool) > 0 {
			dst = append(dst, "\x1b[1m"...)
			dst = append(dst, tool...)
			dst = append(dst, "\x1b[0m "...)
			dst = append(dst, rest...)
		} else {
			dst = append(dst, text...)
		}
		dst = append(dst, '\r')
	default:
		dst = append(dst, text...)
	}
	return append(dst, '\n')
}

// pool holds real records, those that spill apart from those that do not.
type pool struct{ clean, spilling []record }

func (p *pool) record(number int) record {
	if number%spillEvery == spillEvery-1 {
		return p.spilling[number/spillEvery%len(p.spilling)]
	}
	return p.clean[number%len(p.clean)]
}

// record is an entry and what ptxas says of it, with the callees behind it.
type record struct{ lines []line }

// line is a log line cut where its kernel's identifier ends, so that a number
// can be put in.
type line struct {
	before, ident, after []byte // ident: the identifier that grows, without its length
	mangled              bool   // the identifier has its length in front
}

// named returns the line with the number worked into its name.
func (l line) named(number int) []byte {
	if l.ident == nil {
		return l.before
	}
	out := append([]byte(nil), l.before...)
	if l.mangled {
		out = strconv.AppendInt(out, int64(len(l.ident)+8), 10)
	}
	out = append(out, l.ident...)
	out = fmt.Appendf(out, "_%07d", number)
	return append(out, l.after...)
}

var (
	compiling  = []byte("ptxas info    : Compiling entry function '")
	properties = []byte("ptxas info    : Function properties for ")
	module     = []byte(" bytes gmem")
)

// sources are whole-program logs, one job each, of two generations and a real
// project.
var sources = []string{
	"nvcc13.0/bounds-sm_90.log", "nvcc13.0/basics-sm_90.log", "nvcc12.4/bounds-sm_80.log",
	"nvcc12.4/basics-sm_90.log", "projects-nvcc13.0/llmc_train_gpt2_fp32.cu.log",
	"projects-nvcc13.0/cutlass_examples_00_basic_gemm_basic_gemm.cu.log",
}

// loadPools returns the records by their architecture.
func loadPools(ptxas string) ([]*pool, error) {
	byArch := map[string]*pool{}
	for _, file := range sources {
		data, err := os.ReadFile(filepath.Join(ptxas, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		m := entryArch.FindSubmatch(data)
		if m == nil {
			return nil, fmt.Errorf("biglog: no entry in %s", file)
		}
		p := byArch[string(m[1])]
		if p == nil {
			p = &pool{}
			byArch[string(m[1])] = p
		}
		p.add(data)
	}
	var pools []*pool
	for _, arch := range slices.Sorted(maps.Keys(byArch)) {
		p := byArch[arch]
		if len(p.clean) == 0 || len(p.spilling) == 0 {
			return nil, fmt.Errorf("biglog: %d clean and %d spilling records of %s under %s", len(p.clean), len(p.spilling), arch, ptxas)
		}
		pools = append(pools, p)
	}
	return pools, nil
}

var entryArch = regexp.MustCompile(`Compiling entry function '[^']+' for '([^']+)'`)

func (p *pool) add(data []byte) {
	var open record
	spills := false
	closeRecord := func() {
		switch {
		case open.lines == nil:
		case spills:
			p.spilling = append(p.spilling, open)
		default:
			p.clean = append(p.clean, open)
		}
		open, spills = record{}, false
	}
	for text := range bytes.Lines(data) {
		text = bytes.TrimRight(text, "\r\n")
		if bytes.HasPrefix(text, compiling) || bytes.HasSuffix(text, module) {
			closeRecord()
		}
		if open.lines == nil && !bytes.HasPrefix(text, compiling) {
			continue
		}
		open.lines = append(open.lines, cut(text))
		if bytes.Contains(text, []byte("spill stores")) && !bytes.Contains(text, []byte(", 0 bytes spill stores")) {
			spills = true
		}
	}
	closeRecord()
}

// cut finds the first identifier of a line's kernel name.
func cut(text []byte) line {
	var start int
	switch {
	case bytes.HasPrefix(text, compiling):
		start = len(compiling)
	case bytes.HasPrefix(text, properties):
		start = len(properties)
	default:
		return line{before: text}
	}
	name := text[start:]
	at := 0
	for _, prefix := range []string{"_ZN", "_Z"} {
		if bytes.HasPrefix(name, []byte(prefix)) {
			at = len(prefix)
			break
		}
	}
	for at > 0 {
		digits := at
		for digits < len(name) && name[digits] >= '0' && name[digits] <= '9' {
			digits++
		}
		length, err := strconv.Atoi(string(name[at:digits]))
		if err != nil || digits+length > len(name) {
			break
		}
		ident := name[digits : digits+length]
		if bytes.HasPrefix(ident, []byte("_GLOBAL__N_")) {
			// Two builds name this part differently, so it can't tell kernels apart.
			at = digits + length
			continue
		}
		return line{before: text[:start+at], ident: ident, after: name[digits+length:], mangled: true}
	}
	end := bytes.IndexByte(name, '\'')
	if end < 0 {
		end = len(name)
	}
	return line{before: text[:start], ident: name[:end], after: name[end:]}
}

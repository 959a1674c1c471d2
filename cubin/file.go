package cubin

import (
	"errors"

	"github.com/occlint/occlint/parse"
)

// File is one image. Its slices of bytes are parts of the data that was given
// to Parse, which must not change as long as they are used; its strings are
// copies.
type File struct {
	Arch        string // as ptxas prints it: "sm_90a"
	SM          int    // 90
	VirtualSM   int    // of the PTX that it was compiled from: 80 for -gencode arch=compute_80,code=sm_86; 0 where it does not say
	ABI         int    // 7 (through CUDA 12) or 8 (from 13.0 on)
	Toolkit     string // "12.4"; empty when the image does not say
	Tools       []Tool // ABI 8
	Relocatable bool   // compiled for separate linking (-rdc): not what runs
	Debug       bool   // has .debug_info: compiled with -G

	Sections  []Section
	Symbols   []Symbol
	Functions []Function // by section, then offset: an entry before what it calls

	GlobalBytes int64       // variables in global memory
	ConstBytes  parse.Banks // banks of the whole file, such as 3 for __constant__

	faults []error
	budget int // bytes of attributes that may still be read
}

// maxFaults bounds how many faults of one image are told.
const maxFaults = 8

func (f *File) fault(offset uint64, format string, args ...any) {
	if len(f.faults) < maxFaults {
		f.faults = append(f.faults, formatError(offset, format, args...))
	}
}

// Parse reads one image. The error joins every [*FormatError]; the File holds
// what could be read all the same, and is nil only where the header already
// says that this is no image that could be read.
func Parse(data []byte) (*File, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	f := &File{budget: len(data)}
	f.readSections(data, h)
	f.readArch(h)
	f.readSymbols()
	f.readFunctions()
	f.readFunctionSections()
	f.readFileAttributes()
	f.readSpills()
	return f, errors.Join(f.faults...)
}

// IsImage reports whether data begins as a cubin does.
func IsImage(data []byte) bool {
	return len(data) >= 20 && string(data[:6]) == "\x7fELF\x02\x01" && data[18] == machineCUDA && data[19] == 0
}

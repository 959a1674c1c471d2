package parse

import (
	"io"
	"io/fs"
)

// A forecast estimates how many records a log will have from how many its
// first part has. Growing a list of hundreds of thousands of records step by
// step costs more than reading them.
type forecast struct {
	total int64 // bytes of the log, 0 when unknown
	done  int64 // bytes read so far
}

// sizeOf returns the number of bytes that r still has, 0 when it can't tell.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }: // bytes.Reader, strings.Reader, bytes.Buffer
		return int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// capacity returns how much room a full list of n records, start of them from
// before this log, should have.
func (f *forecast) capacity(n, start int) int {
	const enough = 128 << 10 // bytes that make a sample
	if f.total == 0 || f.done < enough || f.done >= f.total {
		return max(16, 2*n)
	}
	rest := float64(f.total-f.done) / float64(f.done) * float64(n-start)
	return n + max(n/8, int(rest*1.02)) + 64
}

// addKernel appends an empty record.
func (a *assembler) addKernel() (*Kernel, int32) {
	list := a.log.Kernels
	if len(list) == cap(list) {
		grown := make([]Kernel, len(list), a.forecast.capacity(len(list), a.start.kernels))
		copy(grown, list)
		list = grown
	}
	n := len(list)
	list = list[:n+1]
	a.log.Kernels = list
	k := &list[n]
	*k = Kernel{}
	return k, int32(n)
}

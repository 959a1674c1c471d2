//go:build unix

package container

import (
	"os"
	"syscall"
)

// mapFile maps a file to be read; nil where that is not possible.
func mapFile(f *os.File, size int64) []byte {
	if size <= 0 || size != int64(int(size)) {
		return nil
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

func unmap(b []byte) {
	if b != nil {
		_ = syscall.Munmap(b)
	}
}

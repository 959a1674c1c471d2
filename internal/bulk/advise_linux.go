package bulk

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise asks for large pages. A kernel that has none to give says so, and
// nothing is lost.
func advise(b []byte) {
	page := uintptr(os.Getpagesize())
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := -start & (page - 1)
	if n := (uintptr(len(b)) - skip) &^ (page - 1); skip < uintptr(len(b)) && n > 0 {
		_ = unix.Madvise(b[skip:skip+n], unix.MADV_HUGEPAGE)
	}
}

// Package bulk makes the few large slices that a large log needs. In go an
// element type and a length; out comes a zeroed slice whose memory the kernel
// is asked to map in large pages: of small ones it maps half a million for a
// log of two gigabytes, one fault each.
package bulk

import "unsafe"

// large is the size in bytes from which on large pages are worth asking for.
const large = 4 << 20

// Slice is make([]T, n).
func Slice[T any](n int) []T {
	s := make([]T, n)
	if size := uintptr(n) * unsafe.Sizeof(*new(T)); size >= large {
		advise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size))
	}
	return s
}

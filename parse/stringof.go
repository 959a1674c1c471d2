package parse

import "unsafe"

// stringOf returns b as a string without a copy. The caller never writes to b
// again: an interner's blocks are only appended to.
func stringOf(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // see above
}

// Package container finds compiled device code in files: fat binaries, objects,
// executables, libraries, archives, wheels.
//
// In comes a file with its size; out comes every entry of device code in the
// order in which it stands there, unpacked, and a [Fault] with member and
// offset for each thing that could not be read. What a kind of file is, its
// first bytes say, never its name.
//
// Everything in a file is untrusted. No size or count of a header is believed
// before it was held against the bytes that are there. One entry at a time and
// worker is in memory, at most [MaxEntry] bytes unpacked; what has to be
// unpacked as a whole before it can be read, such as a library in a wheel, goes
// through a temporary file of at most [MaxMember] bytes.
//
// # The fat binary
//
// The layout was found by comparing files of CUDA 11.8 to 13.1. A container is
//
//	u32 0xBA55ED50, u16 version, u16 header size (16), u64 bytes that follow
//
// and then entries, each a header of at least 64 bytes and a payload:
//
//	0   u16  kind: 1 PTX, 2 cubin, 8 LTO intermediate code
//	4   u32  length of this header
//	8   u64  length of the payload, padded to 8
//	16  u32  compressed length, 0 when stored
//	28  u32  SM number
//	40  u64  flags: 0x2000 LZ4 (one raw block), 0x8000 zstd (one frame)
//	56  u64  unpacked length, 0 when stored
//
// A host ELF file holds containers one after the other, at multiples of 8, in
// the sections .nv_fatbin and __nv_relfatbin; a PE file in .nv_fatb and
// .nvFatBi (an object has the long names). What was linked stands in
// .nv_fatbin; an executable or library that was compiled with -rdc has the
// unlinked code in __nv_relfatbin as well, which is not what runs.
package container

// Package cubin reads compiled CUDA images (cubins): what ptxas and nvlink
// left in the file about each function, with no program of the toolkit.
//
// In comes one image in memory ([Parse]); out comes a [File] with the
// architecture, the toolkit, the functions and their numbers, and below them
// the sections, symbols, relocations and attribute records that they come
// from. Images inside fat binaries, objects, archives and libraries have to be
// unpacked before.
//
// # The format
//
// A cubin is a little-endian ELF64 file of machine 190 (EM_CUDA). NVIDIA does
// not document what is inside; everything below was found by comparing images
// of CUDA 11.8, 12.2, 12.4, 13.0 and 13.1 for sm_35 to sm_121 with what ptxas
// printed in the same compilation and with cuobjdump -res-usage.
//
//	offset  bytes  what
//	7       1      e_ident[EI_OSABI]: 0x33 (ABI 7) or 0x41 (ABI 8)
//	8       1      e_ident[EI_ABIVERSION]: 7 through CUDA 12.x, 8 from 13.0 on
//	16      2      e_type: 1 relocatable (-rdc), 2 linked
//	20      4      e_version: ABI 7 the toolkit, 0x7c = 124 = CUDA 12.4; ABI 8: 1
//	48      4      e_flags: ABI 7 the SM in bits 0-7, the virtual architecture in
//	               bits 16-23 and 0x800 for the suffix a; ABI 8 the SM in bits 8-15,
//	               the suffix only in .note.nv.tkinfo
//
// Sections, by name; F is a function's symbol:
//
//	.text.F               code; the low 24 bits of sh_info are the symbol that owns it,
//	                      bits 24-31 a register count (before sm_90, the function's own);
//	                      ABI 7: sh_flags bits 20-26 are the named barriers
//	.nv.info              attribute records of the file, see [Attribute]
//	.nv.info.F            attribute records of a function; sh_info is its .text section
//	.nv.shared.F          static shared memory, by its size; no bytes in the file
//	.nv.local.F           local memory of old images
//	.nv.constantN.F       constant bank N of a function; .nv.constantN of the file
//	.nv.global, .nv.global.init  global variables
//	.note.nv.tkinfo       ABI 8: the tool, its version and its command line
//	.note.nv.cuinfo       ABI 8: 16-bit words; the second is the virtual architecture,
//	                      the third the toolkit
//
// A symbol of type FUNC with bit 0x10 of st_other is an entry (a kernel).
// Other functions stand in their caller's section as local symbols named
// $caller$callee, or, in -G and -rdc builds, in a section of their own.
//
// # Why not debug/elf
//
// debug/elf refuses every image before CUDA 13, because e_version is not 1,
// has no field for e_flags, and reads symbol tables into one allocation per
// name. This reader is small, knows only what cubins use, and never allocates
// more than a few times the size of its input, whatever its headers say.
//
// # Trust
//
// Every number in an image is untrusted. Parse never panics, and what it
// returns is checked against the length of the data. Where something is
// wrong it returns a [*FormatError] with the offset, together with what could
// be read. What an image does not state is absent, not zero.
package cubin

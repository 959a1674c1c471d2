// Package lines reads which source line each instruction came from: the line
// table that nvcc -lineinfo and -G leave in a cubin.
//
// In go the bytes of .debug_line and .debug_str with the relocations of the
// former; out comes a table that answers an offset in a text section with a
// file, a line, and the chain of calls through which the code was inlined. It
// opens no files and shortens no paths.
package lines

// Package where says where a kernel uses local memory: in which loops, on which
// source lines, and whether that is spilled registers or arrays.
//
// In go text sections with what the file says about them (Unit); out come
// kernels with their loops and their sites (Read), and the ways to show them.
// It opens no binaries; only the listing of sources reads files.
package where

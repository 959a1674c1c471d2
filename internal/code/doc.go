// Package code reads what little of GPU machine code tells where local memory
// is used: local loads and stores, and the instructions that direct control.
//
// In go the bytes of one text section with its architecture, the functions that
// stand in it and its branch tables; out come the instructions that matter, the
// control-flow graph, and the natural loops with their nesting. It is no
// disassembler: every instruction that is neither a local access nor control
// flow is a slot of fixed size. It reads no files and knows no symbols.
package code

// Package declare decides what counts. In go the config, the sources, PTX and
// a parsed log; out comes one rules.Policy in which every field knows where it
// was declared.
//
// Per field the later one wins: the config's defaults, the source, PTX, the
// config's kernels in file order. The policy holds them in this order, and the
// rules merge.
package declare

// Package ptx reads what PTX says about its entries.
//
// In goes PTX as text: what nvcc -ptx writes, what a build keeps, or what
// cuobjdump takes out of a binary. Out comes one record for each entry, with
// the launch bounds and caps that ptxas will obey and whether the kernel uses
// dynamic shared memory. Reading costs time in proportion to the text, and
// memory in proportion to the names that stand at the top level of a module.
//
// The directives are those of NVIDIA's PTX ISA manual, chapter "Performance-
// Tuning Directives" and "Cluster Dimension Directives".
package ptx

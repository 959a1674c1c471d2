#!/bin/bash
# Records what nvcc says of the kernels here under each bound, for the stand-in
# of a compiler in the tests. Run with nvcc and cuobjdump 12.4 in PATH.
#
# NAME@BOUNDS.log is what ptxas printed, .ptx the heads of the entries (bodies
# are cut), .code a hash of each kernel's disassembly. The bounds are written
# into a copy of the source, as a person would.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# record SOURCE VARIANT [SED]: compile SOURCE as SED changes it.
record() {
  local stem=${1%.cu} as=${1%.cu}$2
  sed "${3-}" "$1" > "$scratch/$1"
  (cd "$scratch" && nvcc -arch=sm_90 -ptx -o u.ptx "$1" && nvcc -arch=sm_90 -cubin -Xptxas -v -o u.cubin "$1" 2> u.log) || return 1
  cp "$scratch/u.log" "$as.log"
  awk '/^{/ {print "{\nret;\n}"; body = 1} /^}/ {body = 0; next} !body' "$scratch/u.ptx" > "$as.ptx"
  cuobjdump -sass "$scratch/u.cubin" | awk '/Function :/ {name = $3} name {print name, $0}' | sort -s -k1,1 |
    awk '{if ($1 != n) {if (n) close(c); n = $1; c = "sha256sum | sed \"s/^\\(.\\{16\\}\\).*/" n " \\1/\""} print | c} END {close(c)}' > "$as.code"
}

bounds='__launch_bounds__(256, 4) stencil'
record stencil.cu ''
record stencil.cu @none "s/$bounds/stencil/"
record stencil.cu @256 "s/$bounds/__launch_bounds__(256) stencil/"
for b in 1 2 3 5 6 7; do record stencil.cu @256,$b "s/$bounds/__launch_bounds__(256, $b) stencil/"; done
for s in many own dropped refused; do record $s.cu ''; done
record dropped.cu @512,4 's/(512, 16)/(512, 4)/'
record dropped.cu @256,7 's/(256, 2, 4)/(256, 7, 4)/'
# A refusal of the assembler, brought about by shared memory.
record refused.cu @128,1 's/(128)/(128, 1)/'
record refused.cu @128,13 's/(128)/(128, 13)/;s/s\[128\]/s[100000]/' || cp "$scratch/u.log" refused@128,13.log

# Lines are asked for with PTX alone: the machine would drop such a minimum.
for s in stencil dropped refused; do
  sed "s/__launch_bounds__([^)]*)/__launch_bounds__(1021, __LINE__)/" $s.cu > "$scratch/$s.cu"
  (cd "$scratch" && nvcc -arch=sm_90 -ptx -o u.ptx $s.cu)
  awk '/^{/ {print "{\nret;\n}"; body = 1} /^}/ {body = 0; next} !body' "$scratch/u.ptx" > $s@lines.ptx
done

#!/bin/bash
# Compiles every source here for two architectures and records what nvcc says:
# NAME-ARCH.ptx, NAME-ARCH.log (nvcc -Xptxas -v) and NAME-ARCH.cmd (commands,
# exit codes). Where it is run with OUT set, that is the folder they go to.
cd "$(dirname "$0")" || exit 1
out=${OUT:-compiled}
mkdir -p "$out"
nvcc --version | tail -2 >"$out/toolkit.txt"
for src in */*.cu; do
	flags=()
	case $src in
	edges/defines.cu) flags=(-DTPB=320 -DUSE_BIG) ;;
	tensorlib/*) flags=(--expt-relaxed-constexpr) ;;
	esac
	name=${src%.cu}
	name=${name//\//-}
	for arch in sm_80 sm_90; do
		base=$out/$name-$arch
		ptx=(nvcc -std=c++17 -arch=$arch "${flags[@]}" -ptx "$src" -o "$base.ptx")
		log=(nvcc -std=c++17 -arch=$arch "${flags[@]}" -Xptxas -v -cubin "$src" -o /dev/null)
		"${ptx[@]}" 2>"$base.err"
		rc=$?
		echo "+ ${ptx[*]}" >"$base.cmd"
		echo "rc=$rc" >>"$base.cmd"
		"${log[@]}" >"$base.log" 2>&1
		rc=$?
		echo "+ ${log[*]}" >>"$base.cmd"
		echo "rc=$rc" >>"$base.cmd"
		[ -s "$base.err" ] || rm -f "$base.err"
	done
done
# Separate compilation names internal kernels in another way.
for src in edges/twin_a.cu edges/twin_b.cu; do
	name=${src%.cu}
	base=$out/${name//\//-}-rdc-sm_90
	nvcc -std=c++17 -arch=sm_90 -rdc=true -ptx "$src" -o "$base.ptx"
	nvcc -std=c++17 -arch=sm_90 -rdc=true -Xptxas -v -cubin "$src" -o /dev/null >"$base.log" 2>&1
	echo "+ nvcc -std=c++17 -arch=sm_90 -rdc=true -Xptxas -v -cubin $src -o /dev/null" >"$base.cmd"
done
ls "$out"

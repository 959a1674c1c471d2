#!/usr/bin/env bash
# Compares launch bounds: what nvcc writes into PTX, what occlint reads there,
# and what it reads from the sources of public projects.
#
#   scripts/bounds/bounds.sh compile CHECKOUTS OUT     nvcc -ptx for sm_80 and sm_90
#   scripts/bounds/bounds.sh compare CHECKOUTS OUT OCCLINT…
#
# CHECKOUTS has the projects of projects.txt, each at its commit. The numbers
# of the PTX that the others are held against are read by the awk program
# below, which shares nothing with occlint. The log that occlint gets has the
# names and architectures of the PTX and nothing else that counts here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
todo=$1 checkouts=$(cd "$2" && pwd) out=$3
mkdir -p "$out"
out=$(cd "$out" && pwd)

# NAME ARCH THREADS BLOCKS MAXNREG of each entry
entries() {
	awk '
		function done_() { if (name) print name, target, threads + 0, blocks + 0, regs + 0; name = "" }
		/^\.target/ { target = $2; sub(/,.*/, "", target) }
		/\.entry / { done_(); name = $0; sub(/.*\.entry[ \t]+/, "", name); sub(/\(.*/, "", name); threads = blocks = regs = 0 }
		/^\.(maxntid|reqntid)/ { line = $0; sub(/^[^ ]*/, "", line); n = split(line, d, ","); threads = 1; for (i = 1; i <= n; i++) threads *= d[i] }
		/^\.minnctapersm/ { blocks = $2 }
		/^\.maxnreg/ { regs = $2 }
		/^\{/ { done_() }' "$@" | sort -u
}

# the same of what occlint declared, with "unresolved" or "absent" for the numbers
declared() {
	jq -r '.kernels[] | [.name, .arch,
		if .unresolved then "unresolved"
		elif .launch_bounds or .declared.max_registers or .source or .declared.block then
			"\(.launch_bounds[0] // .declared.block.value // 0) \(.launch_bounds[1] // 0) \(.declared.max_registers.value // 0)"
		else "absent" end] | join(" ")' | sort -u
}

log() {
	awk '{ print "ptxas info    : Compiling entry function \x27" $1 "\x27 for \x27" $2 "\x27"
		print "ptxas info    : Function properties for " $1
		print "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
		print "ptxas info    : Used 32 registers, 360 bytes cmem[0]" }' "$1"
}

# LEFT and RIGHT have the same kernels; counts equal, other, unresolved, absent
count() {
	join -j 1 <(sed 's/ /@/' "$1" | sort) <(sed 's/ /@/' "$2" | sort) | awk -v wrong="$3" '
		$5 == "unresolved" { u++; next }
		$5 == "absent" { if ($2 + $4 == 0) none++; else { a++; print "absent:", $0 > wrong }; next }
		$2 == $5 && $3 == $6 && $4 == $7 { same++; if ($2 + $4 == 0) none_found++; next }
		{ other++; print "wrong:", $0 > wrong }
		END { printf "%d %d %d %d %d\n", same, u, a, none, other }'
}

compile() {
	local name=$1 flags=${4//@/$checkouts}
	mkdir -p "$out/$name"
	for file in $5; do
		case $file in drivers/*) path=$here/$file ;; *) path=$checkouts/$file ;; esac
		for arch in ${ARCHS:-sm_80 sm_90}; do
			[ "$name" = cutlass3 ] && arch=${arch/sm_90/sm_90a}
			[ "$arch" = sm_80 ] && [ "$name" = cutlass3 ] && continue # its kernels are for sm_90a alone
			to=$out/$name/$(basename "$file" .cu)-$arch.ptx
			# shellcheck disable=SC2086 # flags are several
			[ -s "$to" ] || timeout "${LIMIT:-600}" nvcc -w -ptx -arch="$arch" $flags "$path" -o "$to" >"$to.err" 2>&1 || { echo "not compiled: $to" >&2; rm -f "$to"; }
		done
	done
}

compare() {
	local name=$1 globs=$6
	ls "$out/$name"/*.ptx >/dev/null 2>&1 || { echo "$name: nothing is compiled" >&2; return; }
	entries "$out/$name"/*.ptx >"$out/$name/want"
	log "$out/$name/want" >"$out/$name/log"
	bounded=$(awk '$3 + $5 > 0' "$out/$name/want" | wc -l)
	set -f
	sources=() files=
	for g in $globs; do sources+=(--source "$checkouts/$g"); done
	for f in $5; do case $f in drivers/*) sources+=(--source "$here/$f") ;; esac; done
	set +f
	: >"$out/$name/wrong"
	for occlint in "${tools[@]}"; do
		"$occlint" declared "$out/$name/log" --ptx "$out/$name/*.ptx" --output json | declared >"$out/$name/ptx"
		"$occlint" declared "$out/$name/log" "${sources[@]}" --output json | declared >"$out/$name/source"
		read -r same _ absent none other < <(count "$out/$name/want" "$out/$name/ptx" "$out/$name/wrong")
		read -r ssame su sabsent snone sother < <(count "$out/$name/want" "$out/$name/source" "$out/$name/wrong")
		printf '%s|%s|%d|%d|PTX: %d equal, %d not|source: %d right, %d unresolved, %d not found (%d of them have no bounds), %d wrong\n' \
			"$(basename "$occlint")" "$name" "$(wc -l <"$out/$name/want")" "$bounded" $((same + none)) $((absent + other)) "$ssame" "$su" $((sabsent + snone)) "$snone" "$sother"
	done
}

tools=("${@:4}")
while IFS='|' read -r name dir commit flags files globs; do
	case $name in '#'* | '') continue ;; esac
	[ -z "${ONLY:-}" ] || [ "$ONLY" = "$name" ] || continue
	"$todo" "$name" "$dir" "$commit" "$flags" "$files" "$globs" </dev/null
done < <(grep -v '^#' "$here/projects.txt")

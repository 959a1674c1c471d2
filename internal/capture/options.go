package capture

import (
	"strings"
	"sync"
)

// option is one option of nvcc's command line under its long name.
type option struct {
	name  string // "output-file"
	value string
	// known is false for what nvcc itself does not know and may hand to the
	// host compiler.
	known bool
}

// valueOptions are nvcc's options that take a value, by every spelling, as
// `nvcc --help` of 11.8 to 13.0 lists them. The value follows after "=" or as
// the next word.
var valueOptions = spellings(`
	archive-options Xarchive
	archiver-binary arbin
	brief-diagnostics brief-diag
	compiler-bindir ccbin
	compiler-options Xcompiler
	cudadevrt
	cudart
	cudafe-options Xcudafe
	default-stream
	define-macro D
	dependency-drive-prefix ddp
	dependency-output MF
	dependency-target-name MT
	device-stack-protector
	diag-error
	diag-suppress
	diag-warn
	dopt
	drive-prefix dp
	entries e
	fatbin-options Xfatbin
	fdevice-time-trace
	fmad
	frandom-seed
	ftemplate-backtrace-limit
	ftemplate-depth
	ftz
	generate-code gencode
	gpu-architecture arch
	gpu-code code
	host-linker-script hls
	include-path I
	input-drive-prefix idp
	jump-table-density jtd
	keep-dir
	libdevice-directory ldir
	library l
	library-path L
	linker-options Xlinker
	machine m
	maxrregcount
	nvlink-options Xnvlink
	nvvm-options Xnvvm
	optimization-info opt-info
	optimize O
	options-file optf
	output-directory odir
	output-file o
	pre-include include
	prec-div
	prec-sqrt
	preprocessor-options Xpreprocessor
	ptxas-options Xptxas
	quote-dependency-target-name MQ
	relocatable-device-code rdc
	run-args
	split-compile
	split-compile-extended
	std
	system-include isystem
	target-directory target-dir
	threads t
	time
	tile-options Xtileas
	undefine-macro U
	Werror
	x
`)

// plainOptions take no value. Only those that decide what a call does are
// listed; the others change nothing here.
var plainOptions = spellings(`
	clean-targets clean
	compile c
	cubin
	cuda
	debug g
	device-c dc
	device-debug G
	device-link dlink
	device-w dw
	dlink-time-opt dlto
	dryrun
	extensible-whole-program ewp
	extra-device-vectorization
	fatbin
	fdevice-syntax-only
	generate-dependencies M
	generate-dependencies-with-compile MD
	generate-nonsystem-dependencies MM
	generate-nonsystem-dependencies-with-compile MMD
	generate-line-info lineinfo
	help h
	keep
	keep-device-functions
	lib
	link
	list-gpu-arch arch-ls
	list-gpu-code code-ls
	ltoir
	no-device-link nodlink
	objdir-as-tempdir objtemp
	optix-ir
	preprocess E
	ptx
	resource-usage res-usage
	run
	save-temps
	shared
	use_fast_math
	verbose v
	version V
`)

// spellings maps "--long" and "-short" to the long name. A line with one name
// has it in both spellings.
func spellings(list string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for line := range strings.Lines(list) {
			if f := strings.Fields(line); len(f) > 0 {
				m["--"+f[0]], m["-"+f[len(f)-1]] = f[0], f[0]
			}
		}
		return m
	})
}

// glued are the options whose value may follow without a blank: -O3, -Idir.
// Nvcc refuses that for -o and -x.
const glued = "IDULlOmt"

// nextOption reads the option that words begin with, a word that starts with
// "-". n is the number of words it takes.
func nextOption(words []string) (o option, n int) {
	word := words[0]
	key, value, hasValue := strings.Cut(word, "=")
	if name, ok := valueOptions()[key]; ok {
		switch {
		case hasValue:
			return option{name, value, true}, 1
		case len(words) > 1:
			return option{name, words[1], true}, 2
		}
		return option{name, "", true}, 1 // nvcc will complain
	}
	if name, ok := plainOptions()[word]; ok {
		return option{name, "", true}, 1
	}
	if len(word) > 2 && word[1] != '-' && strings.IndexByte(glued, word[1]) >= 0 {
		if name, ok := valueOptions()[word[:2]]; ok {
			return option{name, word[2:], true}, 1
		}
	}
	return option{word, "", false}, 1
}

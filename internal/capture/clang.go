package capture

import (
	"strings"
)

// clangNames are clang's options that have a counterpart in nvcc, whose name
// is used for both. Those that end in "=" or take a value without a blank are
// matched by their beginning, others as whole words.
var clangNames = map[string]string{
	"-c": "compile", "-E": "preprocess", "-S": "ptx", "-emit-llvm": "ptx", "-fsyntax-only": "fdevice-syntax-only",
	"--cuda-host-only": "cuda", "--version": "version", "--help": "help", "-###": "dryrun",
	"-M": "generate-dependencies", "-MM": "generate-nonsystem-dependencies",
	"-MD": "generate-dependencies-with-compile", "-MMD": "generate-nonsystem-dependencies-with-compile",
	"-ffast-math": "use_fast_math",
}

// clangValues are the options that take a value, as the next word, glued or
// behind "=".
var clangValues = []struct {
	option string
	name   string // in nvcc's terms; empty: of no interest
	glued  bool
}{
	{"--offload-arch=", "gpu-code", true}, {"--cuda-gpu-arch=", "gpu-code", true},
	{"-std=", "std", true}, {"-O", "optimize", true}, {"-D", "define-macro", true}, {"-U", "undefine-macro", true},
	{"-o", "output-file", true}, {"-x", "x", true}, {"-MF", "dependency-output", true},
	{"-Xcuda-ptxas", "ptxas-options", false},
	{"-Xcuda-fatbinary", "", false}, {"-Xclang", "", false}, {"-Xlinker", "", false}, {"-Xassembler", "", false},
	{"-Xpreprocessor", "", false}, {"-Xarch_device", "", false}, {"-Xarch_host", "", false}, {"-mllvm", "", false},
	{"-include", "", false}, {"-isystem", "", false}, {"-iquote", "", false}, {"-idirafter", "", false},
	{"-I", "", false}, {"-L", "", false}, {"-l", "", false}, {"-MT", "", false}, {"-MQ", "", false},
	{"-target", "", false}, {"-T", "", false}, {"-u", "", false}, {"-z", "", false}, {"-framework", "", false},
	{"-arch", "", false}, {"-isysroot", "", false}, {"--param", "", false}, {"--sysroot", "", false},
}

// clangOptions reads a command line of clang as far as it decides what is
// compiled, under the names of nvcc's options.
func clangOptions(words []string) (opts []option, inputs []string) {
	for len(words) > 0 {
		word := words[0]
		if !strings.HasPrefix(word, "-") || word == "-" {
			inputs = append(inputs, word)
			words = words[1:]
			continue
		}
		o, n := nextClangOption(words)
		opts = append(opts, o)
		words = words[n:]
	}
	return opts, inputs
}

// nextClangOption reads the option that words begin with.
func nextClangOption(words []string) (o option, n int) {
	word := words[0]
	switch word {
	case "-fgpu-rdc", "-fcuda-rdc":
		return option{"relocatable-device-code", "true", true}, 1
	case "-fno-gpu-rdc", "-fno-cuda-rdc":
		return option{"relocatable-device-code", "false", true}, 1
	}
	if name, ok := clangNames[word]; ok {
		return option{name, "", true}, 1
	}
	for _, v := range clangValues {
		value, ok := strings.CutPrefix(word, v.option)
		switch {
		case !ok:
			continue
		case value == "" && !strings.HasSuffix(v.option, "=") && v.option != "-O":
			if len(words) < 2 {
				return option{v.name, "", v.name != ""}, 1 // clang will complain
			}
			value, n = words[1], 2
		case v.glued:
			n = 1
		default:
			continue
		}
		if v.name == "x" && value == "cuda" {
			value = "cu"
		}
		return option{v.name, value, v.name != ""}, n
	}
	return option{word, "", false}, 1
}

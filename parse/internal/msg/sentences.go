package msg

import "bytes"

// sentences are the remarks of ptxas, nvlink and nvcc that a line may break in:
// those that name a kernel or are long. %k is the name that the remark is
// about, %s any words, %d a number. How far a text agrees with one of them says
// whether it is whole, and where a name in it ends: names can hold quotes.
var sentences = [...]string{
	"Potential Performance Loss: wgmma.mma_async instructions are serialized due to %s the function '%k'",
	"Potential Performance Loss: wgmma.mma_async instructions are serialized due to %s in function '%k'",
	"Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.",
	"Potential Performance Loss: 'setmaxnreg' ignored to allow debugging.",
	"Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.",
	"warpgroup.%s is injected in around line %d by compiler to allow use of registers %s in function '%k'",
	"Overriding maximum register limit %d for '%k' with %d of maxrregcount option",
	"Overriding global maxrregcount %d with entry-specific value %d computed using thread count",
	"Overriding global maxrregcount %d with entry-specific value %d of .maxnreg",
	"For profile %s adjusting per thread register count of %d to lower bound of %d",
	"For entry %k adjusting per thread register count of %d to lower bound of %d",
	"Too many maxnreg specified for entry %k, will be ignored",
	"Too big maxrregcount value specified %d, will be ignored",
	".minnctapersm is ignored when neither .maxntid nor .reqntid is specified.",
	"Registers are spilled to local memory in function '%k', %d bytes spill stores, %d bytes spill loads",
	"Local memory used for function '%k', size of stack frame: %d bytes",
	"Stack size for entry function '%k' cannot be statically determined",
	"Value of threads per SM for entry %k is out of range. .minnctapersm will be ignored",
	"Value of minnctapersm for entry %k is out of range. minnctapersm will be ignored",
	"Value of %s for entry %k is out of range. %s will be ignored",
	"Conflicting options --device-debug and --generate-line-info specified, ignoring --generate-line-info option",
	"Unresolved extern variable '%s' in whole program compilation, ignoring extern qualifier",
	"Entry function '%k' uses too much %s data (%s bytes, %s max)",
	"Entry function '%k' uses too much parameter space (%s bytes, %s max).",
	"File uses too much global %s data (%s bytes, %s max)",
	"entry function '%k' with max regcount of %d calls function '%s' with regcount of %d",
	"Function '%k' has address taken but no possible call to it",
	"Insufficient registers (%d) to compile instruction at line %d in function %k. Try to compile with register target of %d or higher.",
	"Register allocation failed with register count of '%d'. Compile the program with a higher register target",
	"Fatpoint count for entry %k for regclass %s : %d",
	"Ptx assembly aborted due to errors",
	"Value '%s' is not defined for option '%s'",
	"Resource usage is not shown as the final resource allocation is not done.",
	"Support for offline compilation for architectures prior to '%s' will be removed in a future release (Use -Wno-deprecated-gpu-targets to suppress warning).",
	"The %s architectures are deprecated, and may be removed in a future release (Use -Wno-deprecated-gpu-targets to suppress warning).",
	"Multiple definition of '%s' in '%s', first defined in '%s'",
	"Undefined reference to '%s' in '%s'",
	"Prototype doesn't match for '%s' in '%s', first defined in '%s'",
	"Skipping incompatible '%s' when searching for %s",
}

// agreement is how far a text agrees with a sentence.
type agreement uint8

const (
	differs agreement = iota
	begins            // it is the beginning of one
	agrees            // it is the whole of one
)

// sentence compares text with all sentences and returns the best agreement,
// with the kernel that the text names.
func sentence(text []byte) (best agreement, kernel []byte) {
	for _, s := range sentences {
		if len(text) > 0 && s[0] != '%' && s[0] != text[0] {
			continue
		}
		steps := mostSteps
		if how, k := compare(text, s, nil, &steps); how > best {
			if best, kernel = how, k; best == agrees {
				break
			}
		}
	}
	return best, kernel
}

// mostSteps bounds the places that are tried as the end of a name.
const mostSteps = 64

// compare reads text by the sentence s. What a sentence's words in the middle
// can be is tried from short to long.
func compare(text []byte, s string, kernel []byte, steps *int) (agreement, []byte) {
	for {
		i := 0
		for i < len(s) && s[i] != '%' {
			if i == len(text) {
				return begins, kernel
			}
			if text[i] != s[i] {
				return differs, nil
			}
			i++
		}
		text, s = text[i:], s[i:]
		if s == "" {
			if len(text) > 0 && !isAddition(text) {
				return differs, nil
			}
			return agrees, kernel
		}
		what := s[1]
		s = s[2:]
		if what == 'd' {
			text = bytes.TrimLeft(text, " ") // some numbers are padded
			n := 0
			for n < len(text) && text[n]-'0' < 10 {
				n++
			}
			if n == 0 && len(text) > 0 {
				return differs, nil
			}
			text = text[n:]
			continue
		}
		return words(text, s, what == 'k', kernel, steps)
	}
}

// words tries where the words end that text begins with.
func words(text []byte, s string, isKernel bool, kernel []byte, steps *int) (agreement, []byte) {
	if s == "" {
		return agrees, kernel
	}
	stop := s
	for i := range len(s) {
		if s[i] == '%' {
			stop = s[:i]
			break
		}
	}
	stop = stop[:min(len(stop), 3)] // compare looks at the others
	best, found := begins, kernel   // it may end inside the words
	for at := 1; *steps > 0 && at <= len(text); at++ {
		*steps--
		n := bytes.Index(text[at:], []byte(stop))
		if n < 0 {
			break
		}
		at += n
		k := kernel
		if isKernel {
			k = text[:at]
		}
		if how, k := compare(text[at:], s, k, steps); how == agrees {
			return agrees, k
		} else if how == begins && k != nil && found == nil {
			found = k
		}
	}
	return best, found
}

// isAddition takes what can stand behind a sentence: nvlink's target, MSBuild's
// project, a full stop.
func isAddition(text []byte) bool {
	if string(text) == "." {
		return true
	}
	t := bytes.TrimLeft(text, " ")
	return len(t) < len(text) && len(t) > 0 && (t[0] == '(' || t[0] == '[')
}

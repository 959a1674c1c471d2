package rules

import (
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

func compilerRemark() *Rule {
	return &Rule{
		ID:    "compiler-remark",
		Title: "the compiler says that something was not done as written",
		Why: "ptxas tells of things that cost speed or that it did not do as asked, in lines that nobody reads: `wgmma` instructions that are serialised (C7510 and its relatives), " +
			"a `setmaxnreg` that is ignored, a stack size that can't be determined (recursion: the runtime must guess), a `double` that is demoted to `float`, a register count that is ignored or raised.\n\n" +
			"Messages that other rules report better are not repeated: dropped minimums, spills. `Overriding maximum register limit … maxrregcount` is printed for every kernel without bounds and is no finding.",
		Example: Example{
			Log: `ptxas warning : Stack size for entry function 'calls_rec' cannot be statically determined
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'calls_rec' for 'sm_80'
ptxas info    : Function properties for calls_rec
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 41 registers, 364 bytes cmem[0]
`,
			Finding: "calls_rec has a remark of the compiler on sm_80: Stack size for entry function 'calls_rec' cannot be statically determined",
		},
		Fix: "What the codes mean, and what people do about them:\n\n" +
			"- C7507: `setmaxnreg` asks for fewer registers than the code needs at that point, and is ignored. Raise the number of the consumer warps, or make the producer's code smaller.\n" +
			"- C7508: `setmaxnreg` is ignored since the compiler does not know with how many registers the kernel starts. Give the kernel `__launch_bounds__` with its block size, or `maxnreg`.\n" +
			"- C7509 to C7512, C7515, C7518: `wgmma` instructions wait for each other, and the message says why: accumulators that other instructions touch in between, a call, a branch between them, too few registers. Keep the accumulators untouched from `wgmma.fence` to `wgmma.wait_group`, inline what is called, unroll loops whose count is known.\n" +
			"- C7517: the compiler puts a wait in, since a result is read too early. Put `warpgroup.wait` there yourself, and see whether it can stand later.\n" +
			"- C7600: registers can't be allocated within the cap: the compilation fails. Raise the cap.\n\n" +
			"Each message says what it is about. For serialised `wgmma`, keep accumulators in registers that nothing else touches between the instructions; for recursion, bound it and set the stack size at run time, or write a loop. Where it is meant, ignore it with the reason.",
		Default: Warning,
		Kernel: func(u *Subject) {
			for _, r := range u.said() {
				if !r.worthSaying() || u.toldBefore(r) {
					continue // once, however often the kernel was compiled
				}
				text := strings.ReplaceAll(r.Text, r.Kernel, name.Qualified(r.Kernel))
				u.Report(Finding{
					Message: "has a remark of the compiler" + u.on() + ": " + remarkText(r, text),
					Detail:  r.detail(),
					Log:     r.Place,
					LogText: r.Text,
				})
			}
		},
		Log: func(t *Totals) {
			j := t.judge
			said := map[string]bool{}
			for i := range j.remarks.all {
				r := &j.remarks.all[i]
				id := strings.Join([]string{r.Kernel, r.Arch, r.Text}, "\x00")
				if r.used || !r.worthSaying() || said[id] || !j.judgesRemark(r) {
					continue
				}
				said[id] = true
				f := Finding{Detail: r.detail()}
				if r.Kernel == "" {
					f.Message = "the compiler says" + onArch(r.Arch) + ": " + remarkText(r, r.Text)
				} else {
					f.Message = "has a remark of the compiler" + onArch(r.Arch) + ": " +
						remarkText(r, strings.ReplaceAll(r.Text, r.Kernel, name.Qualified(r.Kernel)))
				}
				j.foundRemark(r, f)
			}
		},
	}
}

func remarkText(r *remark, text string) string {
	if r.Code != "" {
		return "(" + r.Code + ") " + text
	}
	return text
}

// worthSaying reports whether a message is one of this rule's. Errors are
// untrusted-log's, and nvcc's own warnings are about its options.
func (r *remark) worthSaying() bool {
	switch r.kind {
	case minimumDropped, capOverridden, globalCap, spillRepeated:
		return false
	case otherRemark:
		return r.Severity == parse.Warning && r.Tool != "nvcc"
	default:
		return r.Severity < parse.Error
	}
}

// detail tells the messages about one kernel apart, whatever their numbers.
func (r *remark) detail() string {
	if r.Code != "" {
		return r.Code
	}
	text := r.Text
	if r.Kernel != "" {
		text = strings.ReplaceAll(text, r.Kernel, "")
	}
	digits := func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}
	return strings.Join(strings.Fields(strings.Map(digits, text)), " ")
}

// judgesRemark reports whether a message may be about a judged architecture.
func (j *judge) judgesRemark(r *remark) bool {
	printed := r.Arch
	if printed == "" && r.Compilation >= 0 && r.Compilation < len(j.log.Compilations) {
		printed = j.log.Compilations[r.Compilation].Arch
	}
	return printed == "" || j.arch(printed).judged
}

// foundRemark reports a finding of the running rule on a message that belongs
// to no judged record.
func (j *judge) foundRemark(r *remark, f Finding) {
	if r.Kernel != "" {
		f.Subject = name.Qualified(r.Kernel)
		f.Message = f.Subject + " " + f.Message
	}
	f.Kernel, f.Arch = r.Kernel, r.Arch
	f.Log, f.LogText = r.Place, r.Text
	j.report(f)
}

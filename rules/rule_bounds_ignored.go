package rules

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

func boundsIgnored() *Rule {
	return &Rule{
		ID:    boundsIgnoredID,
		Title: "the compiler dropped the minimum of blocks per SM",
		Why: "When launch bounds ask for more blocks or warps than the SM has slots for, ptxas warns (`.minnctapersm will be ignored`) and drops the minimum whole. " +
			"It is not lowered to what is possible: the registers are capped by the maximum of threads alone, as if no minimum had been written. " +
			"The warning is easy to lose in a build log, and `nvcc -w` hides it, so it is computed as well.\n\n" +
			"A bound that is right on one architecture can be too much on another: `(1024, 2)` fits the 64 warp slots of sm_90 and not the 48 of sm_86.",
		Example: Example{
			Log: `ptxas warning : Value of minnctapersm for entry _Z9lb_128_40PKfPfi is out of range. minnctapersm will be ignored
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z9lb_128_40PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z9lb_128_40PKfPfi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 80 registers, used 0 barriers
`,
			Config: `version: 1
kernels:
  - match: lb_128_40
    launch_bounds: [128, 40]
`,
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "lb_128_40", LaunchBounds: Declared(Bounds{128, 40})})
			},
			Finding: "lb_128_40 declares 40 blocks per SM, 24 more than the 16 that sm_90 can hold, so the compiler drops the minimum",
		},
		Fix:     "Declare a minimum that the architecture can reach. Where one source serves several architectures, choose it by `__CUDA_ARCH__` in the source, or by `by_arch` in the config.",
		Default: Error,
		Options: []Option{
			{"launch_bounds", "The maximum threads per block, and the minimum of blocks per SM."},
			{"by_arch", "Other bounds for some architectures."},
		},
		Kernel: checkBoundsIgnored,
		Log:    func(t *Totals) { checkLostBounds(t.judge) },
	}
}

const boundsIgnoredID = "bounds-ignored"

func checkBoundsIgnored(u *Subject) {
	d := u.dropped
	if d == nil || u.isFunction() {
		return
	}
	bounds := u.decl.LaunchBounds
	f := Finding{Declared: bounds.Origin}
	switch {
	case d.remark != nil:
		f.Notes = append(f.Notes, "the compiler says: "+d.remark.Text)
	case d.proven:
		f.Notes = append(f.Notes, fmt.Sprintf("the binary has no register cap, where %s would give one of %d", boundsText(bounds.Value), d.cap.Registers))
	case u.Stage == parse.StageBinary:
		f.Notes = append(f.Notes, "a binary has none of the compiler's warnings: this is computed")
	default:
		f.Notes = append(f.Notes, "the compiler's warning is not in the log (nvcc -w hides it): this is computed")
	}
	switch {
	case u.arch.sm == nil || !bounds.Set || bounds.Value.MinBlocks <= 0:
		f.Message = droppedText(d.remark, u.arch.name)
		f.Help = "declare a minimum that the architecture can reach"
	case d.cap.Reason == arch.NoThreads:
		f.Message = fmt.Sprintf("declares %s per SM and no maximum of threads%s, so the compiler ignores the minimum",
			count(int64(bounds.Value.MinBlocks), "block"), u.on())
		f.Help = "declare the maximum of threads as well"
	case d.cap.Honoured:
		f.Message = fmt.Sprintf("was compiled without its minimum of blocks per SM%s, which the compiler drops", u.on())
		f.Notes = append(f.Notes, fmt.Sprintf("declared is %s, which the architecture can reach: the compiler saw other bounds",
			originText(bounds.Origin, boundsText(bounds.Value))))
		f.Help = "declare the bounds that the source has"
	default:
		u.describeDropped(&f, d)
	}
	if d.remark != nil {
		f.Log, f.LogText = d.remark.Place, d.remark.Text
	}
	u.Report(f)
}

// droppedText says what the compiler's warning does: its two wordings are
// about block slots and about warp slots.
func droppedText(r *remark, arch string) string {
	what := "blocks"
	if strings.Contains(r.Text, "threads per SM") {
		what = "threads"
	}
	return fmt.Sprintf("asks for more %s per SM than the architecture can hold%s, so the compiler drops the minimum of blocks", what, onArch(arch))
}

// describeDropped adds the arithmetic of a minimum that the architecture can
// never reach.
func (u *Subject) describeDropped(f *Finding, d *dropped) {
	sm, b := u.arch.sm, u.decl.LaunchBounds.Value
	warps := arch.WarpsPerBlock(b.Threads)
	most := min(sm.BlockSlots, sm.WarpSlots/max(warps, 1))
	f.Message = fmt.Sprintf("declares %d blocks per SM, %d more than the %d that %s can hold, so the compiler drops the minimum",
		b.MinBlocks, b.MinBlocks-most, most, u.arch.name)
	f.Value, f.Limit, f.Unit = float64(most), float64(b.MinBlocks), "blocks"
	f.Field = FieldBlocks
	if b.MinBlocks > sm.BlockSlots {
		f.Limiters |= arch.ResourcesOf(arch.Blocks)
		f.Notes = append(f.Notes, fmt.Sprintf("%d block slots per SM", sm.BlockSlots))
	}
	if b.MinBlocks*warps > sm.WarpSlots {
		f.Limiters |= arch.ResourcesOf(arch.Warps)
		f.Notes = append(f.Notes, fmt.Sprintf("%d blocks × %d warps = %d warps, %d warp slots per SM",
			b.MinBlocks, warps, b.MinBlocks*warps, sm.WarpSlots))
	}
	f.Notes = append(f.Notes, fmt.Sprintf("the maximum of %d threads alone caps the registers, at %d", b.Threads, d.cap.Registers))
	f.Help = fmt.Sprintf("%s or fewer can be honoured with %d threads per block", count(int64(most), "block"), b.Threads)
	if most == 0 {
		f.Help = fmt.Sprintf("no minimum can be honoured with %d threads per block", b.Threads)
	}
}

// checkLostBounds reports dropped minimums of kernels that the log does not
// have otherwise: a record was lost, the warning was not.
func checkLostBounds(j *judge) {
	for i := range j.remarks.all {
		r := &j.remarks.all[i]
		if r.kind != minimumDropped || r.used || r.Kernel == "" || !j.judgesRemark(r) {
			continue
		}
		j.foundRemark(r, Finding{
			Message: droppedText(r, r.Arch),
			Help:    "declare a minimum that the architecture can reach",
		})
	}
}

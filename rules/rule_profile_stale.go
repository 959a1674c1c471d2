package rules

import (
	"fmt"

	"github.com/occlint/occlint/arch"
)

// exampleLaunch is a profile of one launch of exampleFree64.
func exampleLaunch(threads, registers int) string {
	row := func(metric, unit string, value int) string {
		return fmt.Sprintf(`"0","42","app","_Z7free_64PKfPfi","(%d, 1, 1)","(2112, 1, 1)","9.0","Launch Statistics","%s","%s","%d"`+"\n", threads, metric, unit, value)
	}
	return `"ID","Process ID","Process Name","Kernel Name","Block Size","Grid Size","CC","Section Name","Metric Name","Metric Unit","Metric Value"` + "\n" +
		row("Registers Per Thread", "register/thread", registers) + row("Dynamic Shared Memory Per Block", "byte/block", 0)
}

// exampleLaunched is what exampleLaunch says, beside a declared block of 256
// threads.
func exampleLaunched(threads, registers int) func() *Policy {
	return func() *Policy {
		return policyFor(
			Declaration{Names: []string{"_Z7free_64PKfPfi"}, Origin: Origin{From: FromProfile}, Launched: Declared(Launched{
				Registers: registers, StaticShared: arch.Unknown, Shapes: []LaunchShape{{Threads: threads, Launches: 1}},
			})},
			Declaration{Match: "free_64", Block: Declared(256)},
		)
	}
}

const (
	exampleBlock256 = "version: 1\nkernels:\n  - match: free_64\n    block: 256\n"
	exampleProfile  = "launches.csv"
)

func profileStale() *Rule {
	return &Rule{
		ID:    "profile-stale",
		Title: "a profile that is of another build than the log",
		Why: "`--profile` gives what a profiler saw of the kernels. The registers of a launch are those that the compiler gave the kernel, but never fewer than 16, " +
			"and so is its static shared memory: where they differ, the profile is of another build, and nothing is taken from it for this kernel.",
		Example: Example{
			Log: exampleFree64, Config: exampleBlock256, Files: []File{{exampleProfile, exampleLaunch(256, 72)}}, Args: []string{"--profile", exampleProfile},
			Policy:  exampleLaunched(256, 72),
			Finding: "free_64 has 80 registers on sm_90, and the profile 72: the profile is of another build",
		},
		Fix:     "Profile the build that the log is of, or leave the old profile out.",
		Default: Warning,
		Kernel: func(u *Subject) {
			l := u.decl.Launched
			if !l.Set || u.isFunction() {
				return
			}
			f := Finding{Declared: l.Origin, Help: "profile the build that the log is of"}
			const fewest = 16 // that a profiler says
			registers, stated := u.Registers.Value()
			static, known := u.staticShared()
			switch {
			case stated && l.Value.Registers != arch.Unknown && int64(l.Value.Registers) != registers && int64(l.Value.Registers) != max(registers, fewest):
				f.Message = fmt.Sprintf("has %s%s, and the profile %d: the profile is of another build", count(registers, "register"), u.on(), l.Value.Registers)
				f.Value, f.Limit, f.Unit = float64(registers), float64(l.Value.Registers), "registers"
			case known && l.Value.StaticShared != arch.Unknown && differ(int64(l.Value.StaticShared), static, l.Value.Coarse):
				f.Message = fmt.Sprintf("has %s of static shared memory%s, and the profile %d: the profile is of another build", count(static, "byte"), u.on(), l.Value.StaticShared)
				f.Value, f.Limit, f.Unit = float64(static), float64(l.Value.StaticShared), "bytes"
			default:
				return
			}
			u.Report(f)
		},
	}
}

// differ compares a size with one that is printed as coarse as given.
func differ(printed, exact int64, coarse int) bool {
	d := printed - exact
	return d > int64(coarse)/2 || -d > int64(coarse)/2
}

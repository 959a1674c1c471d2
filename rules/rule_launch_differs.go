package rules

import (
	"fmt"

	"github.com/occlint/occlint/arch"
)

func launchDiffers() *Rule {
	return &Rule{
		ID:    "launch-differs",
		Title: "launched otherwise than declared",
		Why: "Blocks per SM and occupancy are judged for the block size and dynamic shared memory that are declared. `--profile` gives what a profiler saw launched; " +
			"where that is something else, the verdict is about a launch that doesn't happen.\n\n" +
			"Launch bounds count as declared too: a kernel that is compiled for blocks of 1024 threads and launched with 256 has its registers capped for nothing.",
		Example: Example{
			Log: exampleFree64, Config: exampleBlock256, Files: []File{{exampleProfile, exampleLaunch(128, 80)}}, Args: []string{"--profile", exampleProfile},
			Policy:  exampleLaunched(128, 80),
			Finding: "free_64 is launched with 128 threads per block, and 256 are declared",
		},
		Fix:     "Declare what is launched (`occlint init --profile REPORT` writes it), or launch what is declared. Of several launches the one that takes most of the time is named.",
		Default: Warning,
		Options: []Option{
			{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."},
			{"dynamic_shared", "The dynamic shared memory of a launch: bytes, or `96KiB`."},
			{"launch_bounds", "The maximum threads per block."},
		},
		Kernel: func(u *Subject) {
			l := u.decl.Launched
			if !l.Set || u.isFunction() {
				return
			}
			for _, shape := range l.Value.Shapes {
				if f, ok := u.launchDiffers(shape, l.Value.Coarse); ok {
					f.Notes = launchNotes(l, shape)
					u.Report(f)
					return
				}
			}
		},
	}
}

// launchDiffers compares one way to launch the kernel with what is declared.
func (u *Subject) launchDiffers(shape LaunchShape, coarse int) (Finding, bool) {
	block, dynamic, bounds := u.decl.Block, u.decl.DynamicShared, u.decl.LaunchBounds
	declared := func(o Origin, set bool) bool { return set && o.From != FromProfile }
	switch {
	case declared(block.Origin, block.Set) && shape.Threads != block.Value:
		return Finding{
			Message: fmt.Sprintf("is launched with %s per block, and %d are declared", count(int64(shape.Threads), "thread"), block.Value),
			Value:   float64(shape.Threads), Limit: float64(block.Value), Unit: "threads", Declared: block.Origin,
			Help: fmt.Sprintf("declare block: %d", shape.Threads),
		}, true
	case declared(dynamic.Origin, dynamic.Set) && shape.DynamicShared != arch.Unknown && differ(int64(shape.DynamicShared), dynamic.Value, coarse):
		return Finding{
			Message: fmt.Sprintf("is launched with %s of dynamic shared memory, and %d are declared", count(int64(shape.DynamicShared), "byte"), dynamic.Value),
			Value:   float64(shape.DynamicShared), Limit: float64(dynamic.Value), Unit: "bytes", Declared: dynamic.Origin,
			Help: fmt.Sprintf("declare dynamic_shared: %d", shape.DynamicShared),
		}, true
	case !declared(block.Origin, block.Set) && bounds.Set && bounds.Value.Threads > 0 && arch.WarpsPerBlock(shape.Threads) != arch.WarpsPerBlock(bounds.Value.Threads):
		return Finding{
			Message: fmt.Sprintf("is compiled for blocks of %s and launched with %d", count(int64(bounds.Value.Threads), "thread"), shape.Threads),
			Value:   float64(shape.Threads), Limit: float64(bounds.Value.Threads), Unit: "threads", Declared: bounds.Origin,
			Help: fmt.Sprintf("bounds of %d threads leave it more registers, or declare block: %d where both are meant", shape.Threads, shape.Threads),
		}, true
	}
	return Finding{}, false
}

// launchNotes says where the launch was seen and how much it is of the whole.
func launchNotes(l Field[Launched], shape LaunchShape) []string {
	note := count(shape.Launches, "launch")
	if shape.Launches != 1 {
		note = fmt.Sprintf("%d launches", shape.Launches)
	}
	note += " like this in the profile"
	if shape.Share > 0 {
		note += fmt.Sprintf(", %.1f %% of its time", 100*shape.Share)
	}
	if p := l.Origin.Place; p.File != "" {
		note += " (" + p.File
		if p.Line > 0 {
			note += fmt.Sprintf(":%d", p.Line)
		}
		note += ")"
	}
	return []string{note}
}

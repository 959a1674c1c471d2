package main

import (
	"fmt"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/report"
)

// figures are the curves of each answer: those that --sweep asks for, else all
// three. Launch bounds with a minimum that the compiler keeps are drawn as the
// declared occupancy.
func figures(answers []calc.Answer) []report.Figure {
	list := make([]report.Figure, len(answers))
	for i := range answers {
		a := &answers[i]
		target := 0.0
		if b := a.Bounds; b != nil && b.Honoured && b.MinBlocks > 0 {
			target = 100 * float64(b.MinBlocks*arch.WarpsPerBlock(b.Threads)) / float64(a.SM.WarpSlots)
		}
		list[i] = report.Figure{Title: figureTitle(a), Curves: report.Curves(a.SM, a.Launch, target)}
		if len(a.Sweeps) > 0 {
			list[i].Curves = nil
			for _, s := range a.Sweeps {
				list[i].Curves = append(list[i].Curves, report.Curve{Sweep: s, Target: target})
			}
		}
	}
	return list
}

func figureTitle(a *calc.Answer) string {
	launch := fmt.Sprintf("%d threads", a.Launch.Threads)
	if a.Launch.Registers > 0 {
		launch += fmt.Sprintf(", %d registers", a.Launch.Registers)
	} else {
		launch += ", registers not given"
	}
	if a.Launch.SharedBytes > 0 {
		launch += fmt.Sprintf(", %d bytes of shared memory", a.Launch.SharedBytes)
	}
	if a.Launch.Barriers > 0 {
		launch += fmt.Sprintf(", %d barriers", a.Launch.Barriers)
	}
	if a.Kernel != "" {
		return fmt.Sprintf("%s on %s: %s", name.Qualified(a.Kernel), a.Arch, launch)
	}
	return fmt.Sprintf("%s: %s", a.Arch, launch)
}

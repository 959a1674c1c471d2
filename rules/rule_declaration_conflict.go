package rules

import (
	"fmt"
	"strconv"
	"strings"
)

func declarationConflict() *Rule {
	return &Rule{
		ID:    "declaration-conflict",
		Title: "source, PTX and config declare different bounds",
		Why: "The launch bounds or the register cap of one kernel are written in more than one place, and the places disagree. " +
			"Per field the later one counts (source, then PTX, then the config), so the kernel is judged by something else than what the compiler was told.",
		Example: Example{
			Log: exampleFree64,
			Config: `version: 1
sources: ["src/*.cu"]
kernels:
  - match: free_64
    launch_bounds: [256, 1]
`,
			Files: []File{{"src/kernels.cu", `__global__ void __launch_bounds__(256, 2) free_64(const float *in, float *out, int n);
`}},
			Policy: func() *Policy {
				return policyFor(
					Declaration{
						Match:        "free_64",
						Origin:       Origin{From: FromSource, Text: "__launch_bounds__(256, 2)"},
						LaunchBounds: Declared(Bounds{256, 2}),
					},
					Declaration{Match: "free_64", LaunchBounds: Declared(Bounds{256, 1})},
				)
			},
			Finding: "free_64 has different launch bounds on sm_90: source (256, 2), config (256, 1)",
		},
		Fix:     "Keep one of them. Bounds that the source has need no entry in the config; an entry for one architecture alone belongs under `by_arch`.",
		Default: Warning,
		Options: []Option{
			{"launch_bounds", "Bounds in the config, which win over the source's and the PTX's."},
			{"maxnreg", "A register cap in the config, which wins over the source's and the PTX's."},
		},
		Kernel: checkDeclarationConflict,
	}
}

func checkDeclarationConflict(u *Subject) {
	if u.isFunction() {
		return
	}
	if d, says := u.provenBounds(); d != nil {
		f := conflictFinding(u, "launch bounds", []*Declaration{d, u.Declared}, func(of *Declaration) (Origin, string) {
			if of == d {
				return d.LaunchBounds.Origin, says
			}
			return of.LaunchBounds.Origin, boundsText(of.LaunchBounds.Value)
		})
		f.Detail = "binary"
		f.Help = "the binary was compiled with other bounds: build it again, or declare the bounds that it has"
		u.Report(f)
	}
	if len(u.decl.parts) < 2 {
		return
	}
	bounds := conflicting(u.decl.parts, func(d *Declaration) Field[Bounds] {
		f := d.LaunchBounds
		if f.Value.MinBlocks == 1 {
			f.Value.MinBlocks = 0 // a minimum of one asks for nothing
		}
		return f
	})
	if len(bounds) > 1 {
		u.Report(conflictFinding(u, "launch bounds", bounds, func(d *Declaration) (Origin, string) {
			if d.LaunchBounds.Value == (Bounds{}) {
				return d.LaunchBounds.Origin, "none"
			}
			return d.LaunchBounds.Origin, boundsText(d.LaunchBounds.Value)
		}))
	}
	caps := conflicting(u.decl.parts, func(d *Declaration) Field[int] { return d.MaxRegisters })
	if len(caps) > 1 {
		f := conflictFinding(u, "register caps", caps, func(d *Declaration) (Origin, string) {
			if d.MaxRegisters.Value == 0 {
				return d.MaxRegisters.Origin, "none"
			}
			return d.MaxRegisters.Origin, strconv.Itoa(d.MaxRegisters.Value)
		})
		f.Detail = "maxnreg"
		u.Report(f)
	}
}

// conflicting lists the declarations that say different things: all of the
// source and of PTX, and of the config the one that wins, since there later
// entries are meant to refine earlier ones. nil when they agree.
func conflicting[T comparable](parts []*Declaration, field func(*Declaration) Field[T]) []*Declaration {
	var list []*Declaration
	var config *Declaration
	values := map[T]bool{}
	for _, d := range parts {
		f := field(d)
		if !f.Set {
			continue
		}
		switch f.Origin.From {
		case FromSource, FromPTX:
			if !values[f.Value] {
				values[f.Value] = true
				list = append(list, d)
			}
		case FromConfig:
			config = d
		default: // defaults are for every kernel, and contradict nothing
		}
	}
	if config != nil && !values[field(config).Value] {
		list = append(list, config)
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

func conflictFinding(u *Subject, what string, list []*Declaration, describe func(*Declaration) (Origin, string)) Finding {
	var f Finding
	var sides []string
	for _, d := range list {
		origin, text := describe(d)
		sides = append(sides, string(origin.From)+" "+text)
		f.Notes = append(f.Notes, fmt.Sprintf("%s: %s", origin.From, originText(origin, text)))
		f.Declared = origin // the last one counts
	}
	for _, d := range list {
		if d.Cause != "" {
			f.Notes = append(f.Notes, "what differs: "+d.Cause)
		}
	}
	f.Message = fmt.Sprintf("has different %s%s: %s", what, u.on(), strings.Join(sides, ", "))
	f.Help = fmt.Sprintf("the %s counts; keep one of them", f.Declared.From)
	return f
}

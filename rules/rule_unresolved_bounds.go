package rules

import "fmt"

func unresolvedBounds() *Rule {
	return &Rule{
		ID:    "unresolved-bounds",
		Title: "launch bounds in the source that could not be read",
		Why: "The source gives this kernel launch bounds whose value is not to be read from the files and the mangled name: a macro from the command line, a constant from a header outside the project, a member of a type, a function. " +
			"They are not guessed, so the kernel is judged as if it had none, and `min-blocks` says nothing of it.",
		Example: Example{
			Log: exampleFree64,
			Config: `version: 1
sources: ["src/*.cu"]
`,
			Files: []File{{"src/kernels.cu", `__global__ void __launch_bounds__(TPB, 2) free_64(const float *in, float *out, int n);
`}},
			Policy: func() *Policy {
				return policyFor(Declaration{
					Match:      "free_64",
					Origin:     Origin{From: FromSource, Text: "__launch_bounds__(TPB, 2)"},
					Unresolved: Declared("TPB is not defined in the scanned files: --define TPB=… would settle it"),
				})
			},
			Finding: "free_64 has launch bounds on sm_90 that could not be read: TPB is not defined in the scanned files: --define TPB=… would settle it",
		},
		Fix:     "Give the PTX (`wrap` or `--ptx`), which has the bounds as the compiler knows them. Or say the value of the name under `defines:` (or `--define TPB=256`), add the file that defines it to `sources:`, or declare `launch_bounds` in the config.",
		Default: Info,
		Options: []Option{
			{"sources", "The files that are searched for launch bounds."},
			{"defines", "Values that the build passes with `-D`."},
			{"launch_bounds", "The bounds themselves, which settle it."},
		},
		Kernel: func(u *Subject) {
			why := u.decl.Unresolved
			bounds := u.decl.LaunchBounds
			if !why.Set || u.isFunction() || bounds.Set && bounds.Origin.From != FromDefaults {
				return
			}
			f := Finding{
				Message:  fmt.Sprintf("has launch bounds%s that could not be read: %s", u.on(), why.Value),
				Declared: why.Origin,
				Help:     "give the PTX (wrap or --ptx)",
			}
			if why.Origin.Text != "" {
				f.Notes = append(f.Notes, "the source says: "+why.Origin.Text)
			}
			u.Report(f)
		},
	}
}

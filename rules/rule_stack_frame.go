package rules

import "fmt"

func stackFrame() *Rule {
	return &Rule{
		ID:    "stack-frame",
		Title: "a stack frame without spills",
		Why: "A stack frame on a kernel that spills nothing is an array that is indexed by a variable, or a call to a function that was not inlined. " +
			"An array in local memory is read and written through the caches. Many kernels have a frame for good reasons (`printf`, recursion, slow paths of the math library), so the rule is off unless you ask for it.",
		Example: Example{
			Log: exampleDynamicIndex,
			Config: `version: 1
rules: {stack-frame: warning}
`,
			Policy:  func() *Policy { return &Policy{Severities: map[string]Severity{"stack-frame": Warning}} },
			Finding: "dynamic_index has a stack frame of 256 bytes on sm_90 and spills nothing",
		},
		Fix:     "Index local arrays with constants only (unroll the loop that indexes them), or keep them in shared memory.",
		Default: Off,
		Kernel: func(u *Subject) {
			bytes, _ := u.stack()
			if u.isFunction() || bytes == 0 || u.anySpills() || !u.spillsStated() {
				return
			}
			for _, c := range u.callees() {
				if c.anySpills() {
					return
				}
			}
			u.Report(Finding{
				Message: fmt.Sprintf("has a stack frame of %d bytes%s and spills nothing", bytes, u.on()),
				Value:   float64(bytes), Unlimited: true, Unit: "bytes", Field: FieldStack,
				LogText: stackText(u.Class),
				Notes:   u.arrayNotes(),
				Help:    "look for a local array that is indexed by a variable, or a call that was not inlined",
			})
		},
	}
}

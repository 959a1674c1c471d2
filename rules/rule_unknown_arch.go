package rules

import "fmt"

func unknownArch() *Rule {
	return &Rule{
		ID:    "unknown-arch",
		Title: "an architecture that the table does not have",
		Why: "The log has kernels of an architecture that occlint knows no numbers of. Registers, spills, stack and shared memory are judged all the same; blocks and occupancy can't be computed. " +
			"Where such a kernel declares a minimum of blocks or an occupancy, the log can't be judged and `untrusted-log` says so.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_130'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
`,
			Finding: "sm_130 is not in the table of architectures, so no occupancy is computed for its 1 kernel",
		},
		Fix:     "Add it to the config: `custom_archs: {sm_130: {like: sm_120, shared_per_sm: 256KiB}}`, or update occlint.",
		Default: Warning,
		Options: []Option{{"custom_archs", "Architectures beside the built-in ones, as `like` a known one with differences."}},
		Log:     func(t *Totals) { checkUnknownArchs(t.judge) },
	}
}

func checkUnknownArchs(j *judge) {
	told, more := 0, 0
	for _, printed := range j.namedArchs(true) {
		a := j.archs[printed]
		if a.sm != nil || a.units == 0 {
			continue
		}
		if told++; told > mostArchs {
			more++
			continue
		}
		f := Finding{
			Message: fmt.Sprintf("%s is not in the table of architectures, so no occupancy is computed for its %s",
				printed, count(int64(a.units), "kernel")),
			Arch: printed,
			Log:  j.log.Kernel(a.first).Place,
			Help: fmt.Sprintf("add it to the config: custom_archs: {%s: {like: sm_120}}", printed),
		}
		if _, err := j.table.Lookup(printed); err != nil {
			f.Notes = append(f.Notes, err.Error())
		}
		j.report(f)
	}
	if more > 0 {
		j.report(Finding{
			Message: fmt.Sprintf("%d more architectures are not in the table", more),
			Detail:  "more",
			Help:    "no build has that many: look at the log",
		})
	}
}

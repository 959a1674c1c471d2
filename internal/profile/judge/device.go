package judge

import (
	"strings"

	"github.com/occlint/occlint/arch"
)

// device finds the number of SMs by the device's name, where the report has
// only that.
func (f *facts) device(table *arch.Table) {
	if known(f.sms) && f.sms > 0 {
		return
	}
	f.sms = unknown
	name := f.launch.Device
	for _, word := range []string{"NVIDIA ", "Tesla ", "GeForce "} {
		name = strings.TrimPrefix(name, word)
	}
	if name == "" {
		return
	}
	if g, err := table.GPU(name); err == nil {
		f.sms = float64(g.SMs)
		if sm, err := table.Lookup(g.Arch); err == nil && f.sm == nil {
			f.sm = sm
		}
	}
}

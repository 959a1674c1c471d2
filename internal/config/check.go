package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// untrusted is the rule that no config can switch off.
const untrusted = "untrusted-log"

// check looks at what one value alone can't show.
func (d *decoder) check(c *Config) {
	if v := c.Version; v.Set && v.Value != Version {
		d.at(v.at, 1, "version "+strconv.Itoa(v.Value)+" of the format is not known",
			"this occlint reads version "+strconv.Itoa(Version)+"; a newer one may read the file")
	}
	for _, r := range c.Rules {
		if r.Key == untrusted && r.Value.Set && r.Value.Value != Error {
			d.at(r.Pos, len(untrusted), untrusted+" can't be switched off", "a log that can't be trusted proves nothing; remove the line")
		}
	}
	for i := range c.Ignore {
		if rule := c.Ignore[i].Rule; rule.Value == untrusted {
			d.at(rule.at, len(untrusted), untrusted+" can't be ignored", "a log that can't be trusted proves nothing; remove the entry")
		}
	}
	for i := range c.Kernels {
		d.checkKernel(&c.Kernels[i])
	}
	d.checkThreads(c)
	d.checkGPUs(c)
}

// checkKernel reports an entry that says nothing: most often its keys are not
// indented far enough.
func (d *decoder) checkKernel(k *Kernel) {
	if k.Match.Set && len(k.ByArch) == 0 && reflect.ValueOf(k.Limits).IsZero() {
		d.at(k.Pos, 1, "the entry declares nothing for "+quote(k.Match.Value.String()), "add a budget, or remove the entry")
	}
}

// mostThreads is how many threads a block can have on every architecture so
// far.
const mostThreads = 1024

// checkThreads reports blocks that no architecture can launch: of the built-in
// ones none, and of the custom ones none that the file describes.
func (d *decoder) checkThreads(c *Config) {
	most := mostThreads
	for _, a := range c.CustomArchs {
		most = max(most, a.Value.ThreadsPerBlock.Value)
	}
	all := []*Limits{&c.Defaults.Limits}
	for i := range c.Defaults.ByArch {
		all = append(all, &c.Defaults.ByArch[i].Value)
	}
	for i := range c.Kernels {
		k := &c.Kernels[i]
		all = append(all, &k.Limits)
		for n := range k.ByArch {
			all = append(all, &k.ByArch[n].Value)
		}
	}
	tooMany := func(key string, threads int, at Pos) {
		if threads > most {
			d.at(at, 1, key+": no block has "+strconv.Itoa(threads)+" threads; the most is "+strconv.Itoa(most), "")
		}
	}
	for _, l := range all {
		tooMany("launch_bounds", l.LaunchBounds.Value.Threads, l.LaunchBounds.at)
		tooMany("block", l.Block.Value, l.Block.at)
	}
}

// checkGPUs resolves the names of devices, which can be declared below their use.
func (d *decoder) checkGPUs(c *Config) {
	for _, g := range c.CustomGPUs {
		v := &g.Value
		if v.Like.Set {
			d.knownGPU(v.Like)
			continue
		}
		var missing []string
		for _, need := range []struct {
			key string
			set bool
		}{{"arch", v.Arch.Set}, {"sms", v.SMs.Set}, {"bandwidth", v.Bandwidth.Set}, {"clock", v.Clock.Set}, {"latency", v.Latency.Set}} {
			if !need.set {
				missing = append(missing, need.key)
			}
		}
		if len(missing) > 0 {
			d.at(g.Pos, utf8.RuneCountInString(g.Key), quote(g.Key)+" lacks "+strings.Join(missing, ", "),
				`give all of arch, sms, bandwidth, clock and latency, or name a known device under "like"`)
		}
	}
	if c.GPU.Set {
		d.knownGPU(c.GPU)
	}
}

// knownGPU reports a device that nobody has described. As elsewhere, case,
// blanks and dashes don't matter.
func (d *decoder) knownGPU(f Field[GPUName]) {
	if len(d.known.GPUs) == 0 {
		return
	}
	names := slices.Concat(d.known.GPUs, d.gpus)
	word := string(f.Value)
	suggestion := ""
	for _, n := range slices.Backward(names) {
		switch {
		case foldGPU(n) == foldGPU(word):
			return
		case strings.HasPrefix(foldGPU(n), foldGPU(word)):
			suggestion = didYouMean(n)
		}
	}
	if suggestion == "" {
		suggestion = didYouMean(nearest(word, names))
	}
	if suggestion == "" {
		suggestion = "describe it under custom_gpus"
	}
	d.at(f.at, utf8.RuneCountInString(word), "there is no device "+quote(word), suggestion)
}

func foldGPU(name string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
}

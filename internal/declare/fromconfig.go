package declare

import (
	"errors"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/rules"
)

// table adds the config's own architectures and devices. All are added at
// once, since one may be like another that the file has further down.
func (m *merger) table() {
	places := map[string]config.Pos{} // by kind and name, as errors have them
	var archs []arch.Custom
	for _, e := range m.in.Config.CustomArchs {
		places["architecture "+e.Key] = e.Pos
		archs = append(archs, arch.Custom{Name: e.Key, Like: string(e.Value.Like.Value), Numbers: customNumbers(&e.Value)})
	}
	var gpus []arch.CustomGPU
	for _, e := range m.in.Config.CustomGPUs {
		c := &e.Value
		places["GPU "+e.Key] = e.Pos
		gpus = append(gpus, arch.CustomGPU{
			Name: e.Key, Like: string(c.Like.Value), Arch: string(c.Arch.Value), SMs: c.SMs.Value,
			BandwidthBytesPerSec: float64(c.Bandwidth.Value), ClockHz: float64(c.Clock.Value), LatencyCycles: c.Latency.Value,
		})
	}
	table := m.in.Table
	if table == nil {
		table = arch.Builtin()
	}
	table, err := table.With(archs...)
	m.customFaults(err, places)
	table, err = table.WithGPUs(gpus...)
	m.customFaults(err, places)
	m.policy.Table = table
}

// customFaults lists what is wrong with custom entries, each at its place.
func (m *merger) customFaults(err error, places map[string]config.Pos) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return
	}
	for _, err := range joined.Unwrap() {
		var custom *arch.CustomError
		if errors.As(err, &custom) {
			m.faults.add(m.place(places[custom.Kind+" "+custom.Name]), "%v", custom)
		}
	}
}

func customNumbers(c *config.CustomArch) map[arch.Number]int {
	numbers := map[arch.Number]int{}
	number(numbers, arch.WarpsPerSM, c.WarpsPerSM)
	number(numbers, arch.BlocksPerSM, c.BlocksPerSM)
	number(numbers, arch.ThreadsPerBlock, c.ThreadsPerBlock)
	number(numbers, arch.RegistersPerSM, c.RegistersPerSM)
	number(numbers, arch.RegistersPerBlock, c.RegistersPerBlock)
	number(numbers, arch.RegistersPerThread, c.RegistersPerThread)
	number(numbers, arch.RegisterUnit, c.RegisterUnit)
	number(numbers, arch.Partitions, c.Partitions)
	number(numbers, arch.SharedPerSM, c.SharedPerSM)
	number(numbers, arch.SharedPerBlock, c.SharedPerBlock)
	number(numbers, arch.StaticSharedPerBlock, c.StaticSharedPerBlock)
	number(numbers, arch.SharedReserved, c.SharedReserved)
	number(numbers, arch.SharedUnit, c.SharedUnit)
	number(numbers, arch.BarriersPerSM, c.BarriersPerSM)
	number(numbers, arch.BarriersPerBlock, c.BarriersPerBlock)
	return numbers
}

func number[T ~int | ~int64](to map[arch.Number]int, name arch.Number, f config.Field[T]) {
	if f.Set {
		to[name] = int(f.Value)
	}
}

// settings copies what is not about single kernels.
func (m *merger) settings() {
	c, p := m.in.Config, m.policy
	for _, a := range c.Archs {
		p.Archs = append(p.Archs, rules.Judged{Arch: string(a.Value), Origin: m.origin(rules.FromConfig, a.Pos, a.Text)})
	}
	if k := c.Expect.Kernels; k.Set {
		p.ExpectKernels, p.ExpectOrigin = k.Value, m.origin(rules.FromConfig, k.Pos, "expect: {"+k.Text+"}")
	}
	if c.GPU.Set {
		p.GPU = string(c.GPU.Value)
		if _, err := p.Table.GPU(p.GPU); err != nil {
			m.faults.add(m.place(c.GPU.Pos), "%v", err)
		}
	}
	for _, e := range c.Rules {
		severity, err := rules.ParseSeverity(string(e.Value.Value))
		if err != nil {
			m.faults.add(m.place(e.Value.Pos), "%v", err)
			continue
		}
		if p.Severities == nil {
			p.Severities = map[string]rules.Severity{}
		}
		p.Severities[e.Key] = severity
	}
}

func (m *merger) ignores() {
	for i := range m.in.Config.Ignore {
		c := &m.in.Config.Ignore[i]
		ig := rules.Ignore{
			Rule: string(c.Rule.Value), Archs: archNames(c.Archs), Reason: c.Reason.Value, Until: c.Until.Value,
			Origin: m.origin(rules.FromConfig, c.Pos, c.Rule.Text), Inherited: c.Inherited,
		}
		if c.Match.Set {
			ig.Match = c.Match.Value.String()
			ig.Origin.Text += ", " + c.Match.Text
		}
		m.policy.Ignores = append(m.policy.Ignores, ig)
	}
}

func archNames(list []config.Field[config.Arch]) []string {
	var names []string
	for _, a := range list {
		names = append(names, string(a.Value))
	}
	return names
}

// defaults come first: everything else wins over them.
func (m *merger) defaults() {
	d := &m.in.Config.Defaults
	m.limits(rules.Declaration{Origin: m.origin(rules.FromDefaults, d.Pos, "defaults")}, &d.Limits)
	for _, e := range d.ByArch {
		m.limits(rules.Declaration{Archs: []string{e.Key}, Origin: m.origin(rules.FromDefaults, e.Pos, "defaults, by_arch: "+e.Key)}, &e.Value)
	}
}

// kernels are the last word.
func (m *merger) kernels() {
	for i := range m.in.Config.Kernels {
		k := &m.in.Config.Kernels[i]
		match := k.Match.Value.String()
		whole := m.limits(rules.Declaration{Match: match, Origin: m.origin(rules.FromConfig, k.Pos, k.Match.Text), Inherited: k.Inherited}, &k.Limits)
		if !whole && len(k.ByArch) == 0 {
			// An entry that sets nothing is kept: it may be a note to come
			// back to, and the rules tell when it matches nothing.
			m.policy.Declarations = append(m.policy.Declarations, rules.Declaration{Match: match, Origin: m.origin(rules.FromConfig, k.Pos, k.Match.Text), Inherited: k.Inherited})
		}
		for _, e := range k.ByArch {
			m.limits(rules.Declaration{
				Match: match, Archs: []string{e.Key}, Origin: m.origin(rules.FromConfig, e.Pos, k.Match.Text+", by_arch: "+e.Key), Inherited: k.Inherited,
			}, &e.Value)
		}
	}
}

// limits adds a declaration with what l sets. It reports whether l sets
// anything.
func (m *merger) limits(d rules.Declaration, l *config.Limits) bool {
	from := d.Origin.From
	set := 0
	if f := l.LaunchBounds; f.Set {
		d.LaunchBounds = rules.Field[rules.Bounds]{
			Value: rules.Bounds{Threads: f.Value.Threads, MinBlocks: f.Value.MinBlocks}, Origin: m.origin(from, f.Pos, f.Text), Set: true,
		}
		set++
	}
	set += copyField(m, &d.Block, l.Block, from)
	set += copyField(m, &d.DynamicShared, l.DynamicShared, from)
	set += copyField(m, &d.MaxRegisters, l.MaxRegisters, from)
	declared := l.Budgets()
	for _, b := range rules.Budgets() {
		if f := declared[b.Key]; f.Set {
			b.Declare(&d, rules.Field[float64]{Value: f.Value, Origin: m.origin(from, f.Pos, f.Text), Set: true})
			set++
		}
	}
	if l.Message.Set {
		d.Message = rules.Field[string]{Value: l.Message.Value, Origin: m.origin(from, l.Message.Pos, l.Message.Text), Set: true}
		set++
	}
	if set == 0 {
		return false
	}
	m.policy.Declarations = append(m.policy.Declarations, d)
	return true
}

// numeric are the types of numbers that config and rules hold.
type numeric interface {
	~int | ~int64 | ~float64
}

// copyField copies a number that the config sets; it returns how many it was.
func copyField[To, From numeric](m *merger, to *rules.Field[To], f config.Field[From], from rules.OriginKind) int {
	if !f.Set {
		return 0
	}
	*to = rules.Field[To]{Value: To(f.Value), Origin: m.origin(from, f.Pos, f.Text), Set: true}
	return 1
}

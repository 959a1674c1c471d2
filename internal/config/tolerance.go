package config

// ByField lists the tolerances that are set, by their keys.
func (t Tolerance) ByField() map[string]float64 {
	m := map[string]float64{}
	put := func(key string, set bool, v float64) {
		if set {
			m[key] = v
		}
	}
	put("registers", t.Registers.Set, float64(t.Registers.Value))
	put("spills", t.Spills.Set, float64(t.Spills.Value))
	put("spill_stores", t.SpillStores.Set, float64(t.SpillStores.Value))
	put("spill_loads", t.SpillLoads.Set, float64(t.SpillLoads.Value))
	put("stack", t.Stack.Set, float64(t.Stack.Value))
	put("shared", t.Shared.Set, float64(t.Shared.Value))
	put("barriers", t.Barriers.Set, float64(t.Barriers.Value))
	put("blocks", t.Blocks.Set, float64(t.Blocks.Value))
	put("occupancy", t.Occupancy.Set, float64(t.Occupancy.Value))
	return m
}

package profile

import "strings"

const (
	stallPrefix = "smsp__average_warps_issue_stalled_"
	stallSuffix = "_per_issue_active.ratio"
	// Of reports before 2020: percent of the warp's cycles, the same shares.
	oldStallPrefix = "smsp__average_warp_latency_issue_stalled_"
	oldStallSuffix = ".ratio"
)

// deviceName is the metric that names the device.
const deviceName = "device__attribute_display_name"

// stallReason is the reason that a metric counts; false for other metrics.
// Reasons are added with architectures, so they are found by the name's form.
func stallReason(metric string) (string, bool) {
	if r, ok := strings.CutPrefix(metric, stallPrefix); ok {
		if r, ok = strings.CutSuffix(r, stallSuffix); ok {
			return r, !strings.HasSuffix(r, "_not_issued")
		}
		return "", false
	}
	if r, ok := strings.CutPrefix(metric, oldStallPrefix); ok {
		return strings.CutSuffix(r, oldStallSuffix)
	}
	return "", false
}

// tensorPipe reports that a metric is the share of a tensor pipe's peak.
func tensorPipe(metric string) bool {
	if !strings.HasPrefix(metric, "sm__pipe_tensor_") && !strings.HasPrefix(metric, "sm__inst_executed_pipe_tensor") {
		return false
	}
	return strings.HasSuffix(metric, ".avg.pct_of_peak_sustained_active") || strings.HasSuffix(metric, ".avg.pct_of_peak_sustained_elapsed")
}

// target is where the numbers of one column, label or metric go.
type target struct {
	source
	stall  string // a stall reason
	tensor bool
	use    bool
}

// targetOf finds what a metric's name stands for.
func targetOf(metric string) target {
	if s, ok := rawSources[metric]; ok {
		return target{source: s, use: true}
	}
	if r, ok := stallReason(metric); ok {
		return target{stall: r, use: true}
	}
	if tensorPipe(metric) {
		return target{source: source{metric: TensorPercent, kind: ofPercent}, tensor: true, use: true}
	}
	return target{}
}

// targetOfLabel finds what a label of the details page stands for.
func targetOfLabel(section, label string) target {
	for _, l := range labelSources[label] {
		if strings.HasPrefix(section, l.section) {
			return target{source: l.source, use: true}
		}
	}
	return target{}
}

// collector fills one launch.
type collector struct {
	launch Launch
	ranks  [metrics]uint8 // of the source that each number came from
}

// put states a number of a unit; false for a unit that the metric can't have.
func (c *collector) put(t *target, x float64, unit string) bool {
	if t.stall != "" {
		if x >= 0 {
			c.launch.Stalls = append(c.launch.Stalls, Stall{t.stall, x})
		}
		return true
	}
	f, ok := t.kind.factor(unit)
	if !ok {
		return false
	}
	if t.factor != 0 {
		f *= t.factor
	}
	v := &c.launch.Values
	switch {
	case t.tensor && v.Or(TensorPercent, -1) >= x:
	case v.Has(t.metric) && c.ranks[t.metric] < t.rank && !t.tensor:
	default:
		v.Set(t.metric, x*f)
		c.ranks[t.metric] = t.rank
	}
	return true
}

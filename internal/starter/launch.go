package starter

import (
	"bufio"
	"fmt"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// writeLaunches writes how kernels are launched, below the entries of their
// families: per field the later entry of a config wins.
func (s *Config) writeLaunches(b *bufio.Writer) {
	written := map[string]bool{}
	first := true
	for i := range s.Launches {
		d := &s.Launches[i]
		shapes := d.Launched.Value.Shapes
		if !d.Block.Set || len(d.Names) == 0 || len(shapes) == 0 || written[d.Names[0]] || len(written) >= mostEntries {
			continue // of another build, or of a kernel that is there for another architecture
		}
		written[d.Names[0]] = true
		if first {
			fmt.Fprint(b, "\n  # As a profiler saw them launched; what takes most of the time comes first.\n")
			first = false
		}
		fmt.Fprintf(b, "  # %s\n", name.Escape(name.Qualified(d.Names[0])))
		for _, other := range shapes[1:] {
			fmt.Fprintf(b, "  # also launched: %s\n", shapeWords(other))
		}
		fmt.Fprintf(b, "  - match: %s\n    block: %d\n", config.Scalar(literal(d.Names[0])), d.Block.Value)
		if d.DynamicShared.Set {
			fmt.Fprintf(b, "    dynamic_shared: %d\n", d.DynamicShared.Value)
		}
	}
}

func shapeWords(s rules.LaunchShape) string {
	text := fmt.Sprintf("block: %d", s.Threads)
	if s.DynamicShared != arch.Unknown {
		text += fmt.Sprintf(", dynamic_shared: %d", s.DynamicShared)
	}
	return text + fmt.Sprintf(" (%.1f %% of the time)", 100*s.Share)
}

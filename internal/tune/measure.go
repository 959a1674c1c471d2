package tune

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// Numbers are what the compiler says of a kernel, and a hash of its machine
// code. arch.Unknown (-1) stands for what it did not say.
type Numbers struct {
	Registers       int
	StackBytes      int
	SpillStoreBytes int
	SpillLoadBytes  int
	SharedBytes     int // static
	Barriers        int
	// LoopSpillBytes are the bytes of spills, stores and loads, that stand in
	// loops, as the code tells.
	LoopSpillBytes int
	code           string // empty: the code could not be read
}

// record is one kernel of a compiler's log.
type record struct {
	name, arch string
	Numbers
	fault string // why the numbers can't be used
}

// readLog reads what ptxas said. This is the only place that knows the log's
// own types.
func readLog(text string) ([]record, error) {
	log, err := parse.Read(strings.NewReader(text), "<compiler>")
	if err != nil {
		return nil, err
	}
	var list []record
	for _, k := range log.Kernels() {
		if k.Name == "" || k.Kind == parse.Function {
			continue
		}
		r := record{name: k.Name, arch: k.Arch, Numbers: Numbers{
			Registers: value(k.Registers, -1), StackBytes: value(k.StackBytes, -1),
			SpillStoreBytes: value(k.SpillStoreBytes, -1), SpillLoadBytes: value(k.SpillLoadBytes, -1),
			// A whole Used line leaves zeros out; of barriers older versions say nothing.
			SharedBytes: value(k.SharedBytes, 0), Barriers: value(k.Barriers, -1), LoopSpillBytes: -1,
		}}
		switch {
		case k.Defect != 0:
			r.fault = fmt.Sprintf("the compiler's record is %s", k.Defect)
		case r.Registers < 0 || r.SpillStoreBytes < 0 || r.SpillLoadBytes < 0:
			r.fault = "the compiler printed no registers or no spills"
		}
		if r.SpillStoreBytes == 0 && r.SpillLoadBytes == 0 {
			r.LoopSpillBytes = 0
		}
		list = append(list, r)
	}
	return list, nil
}

func value(c parse.Count, absent int) int {
	n, ok := c.Value()
	if !ok {
		return absent
	}
	const most = 1 << 30 // what arch's arithmetic is made for
	return int(min(n, most))
}

// firstError is the line of a compiler's output that says what went wrong.
func firstError(output string) string {
	last := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		last = line
		if strings.Contains(line, "error") || strings.Contains(line, "fatal") {
			return name.Brief(line, mostErrorRunes)
		}
	}
	if last == "" {
		return "the compiler failed without a message"
	}
	return name.Brief(last, mostErrorRunes)
}

const mostErrorRunes = 300

package report

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// provenJSON is what a binary shows of a kernel's bounds.
type provenJSON struct {
	MaxThreads         parse.Count `json:"max_threads,omitzero"`
	RequiredThreads    parse.Count `json:"required_threads,omitzero"`
	RegisterCap        parse.Count `json:"register_cap,omitzero"`         // 255: none
	MinBlocks          []int       `json:"min_blocks,omitempty"`          // least and most that give this cap
	BlockThreads       parse.Count `json:"block_threads,omitzero"`        // of a launch
	DynamicSharedBytes parse.Count `json:"dynamic_shared_bytes,omitzero"` // of a launch
	Variant            string      `json:"variant,omitempty"`
}

// proven is what a binary shows of a kernel; nil where there is none.
func (in *Input) proven(k *parse.Kernel) *provenJSON {
	if !k.RegisterCap.Stated() && !k.MaxThreads.Stated() && !k.RequiredThreads.Stated() && !k.BlockThreads.Stated() {
		return nil
	}
	p := &provenJSON{
		MaxThreads: k.MaxThreads, RequiredThreads: k.RequiredThreads, RegisterCap: k.RegisterCap,
		BlockThreads: k.BlockThreads, DynamicSharedBytes: k.DynamicSharedBytes, Variant: k.Variant,
	}
	if least, most := in.Result.ProvenBlocks(k.Class); least > 0 {
		p.MinBlocks = []int{least, most}
	}
	return p
}

// provenLines says the same to people: one line of what is compiled in, one of
// the launch.
func (in *Input) provenLines(k *parse.Kernel) (lines []declaredField) {
	p := in.proven(k)
	if p == nil {
		return nil
	}
	var compiled []string
	switch {
	case p.RequiredThreads.Stated():
		compiled = append(compiled, p.RequiredThreads.String()+" threads, no other number")
	case p.MaxThreads.Stated():
		compiled = append(compiled, p.MaxThreads.String()+" threads at most")
	}
	if n, stated := p.RegisterCap.Value(); stated && n < 255 {
		compiled = append(compiled, fmt.Sprintf("a cap of %d registers%s", n, blocksText(p.MinBlocks)))
	} else if stated {
		compiled = append(compiled, "no register cap")
	}
	origin := rules.Origin{From: rules.FromBinary}
	if k.Stage == parse.StageBinary {
		origin.Place = k.Place
	}
	if len(compiled) > 0 {
		lines = append(lines, declaredField{label: "binary", text: strings.Join(compiled, ", "), origin: origin})
	}
	if p.BlockThreads.Stated() {
		lines = append(lines, declaredField{label: "launch", text: fmt.Sprintf("%s threads, %s bytes of dynamic shared memory", p.BlockThreads, p.DynamicSharedBytes)})
	}
	return lines
}

func blocksText(minimums []int) string {
	switch {
	case len(minimums) == 0:
		return ""
	case minimums[0] == minimums[1]:
		return fmt.Sprintf(", as at least %d per SM gives", minimums[0])
	}
	return fmt.Sprintf(", as at least %d to %d per SM gives", minimums[0], minimums[1])
}

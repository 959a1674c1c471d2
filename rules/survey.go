package rules

import "github.com/occlint/occlint/parse"

// survey is what a first look at the records finds. Most logs have nothing of
// it, and then much need not be looked for.
type survey struct {
	linked  bool // records of the linker
	listed  bool // records of cuobjdump
	unnamed bool // records without a name
	apart   bool // a compilation of functions alone
}

func surveyLog(log *parse.Log) survey {
	var s survey
	const functions, others = 1, 2
	has := make([]uint8, len(log.Compilations))
	elsewhere := map[int]uint8{} // of compilations that the log does not list
	for i := range log.Kernels {
		k := &log.Kernels[i]
		s.unnamed = s.unnamed || k.Name == ""
		switch k.Stage {
		case parse.StageNvlink:
			s.linked = true
		case parse.StageCuobjdump:
			s.listed = true
		case parse.StagePtxas:
			kind := uint8(others)
			if k.Kind == parse.Function {
				kind = functions
			}
			if c := k.Compilation; c >= len(has) {
				elsewhere[c] |= kind
			} else if c >= 0 {
				has[c] |= kind
			}
		default:
		}
	}
	for _, kinds := range has {
		s.apart = s.apart || kinds == functions
	}
	for _, kinds := range elsewhere {
		s.apart = s.apart || kinds == functions
	}
	return s
}

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

func surveyLog(log *parse.Log, kernels []parse.Kernel) survey {
	s := newSurveyor(len(log.Compilations))
	for i := range kernels {
		k := &kernels[i]
		s.unnamed = s.unnamed || k.Name == ""
		s.look(k, k.Compilation)
	}
	return s.result()
}

// surveyor looks at the records one by one.
type surveyor struct {
	survey
	has       []uint8       // kinds of record, by compilation
	elsewhere map[int]uint8 // of compilations that the log does not list
}

const (
	hasFunctions = 1 << iota
	hasOthers
)

func newSurveyor(compilations int) *surveyor {
	return &surveyor{has: make([]uint8, compilations), elsewhere: map[int]uint8{}}
}

// look takes a record of a compilation into account, but for its name.
func (s *surveyor) look(k *parse.Kernel, compilation int) {
	switch k.Stage {
	case parse.StageNvlink:
		s.linked = true
	case parse.StageCuobjdump:
		s.listed = true
	case parse.StagePtxas:
		kind := uint8(hasOthers)
		if k.Kind == parse.Function {
			kind = hasFunctions
		}
		if compilation >= len(s.has) {
			s.elsewhere[compilation] |= kind
		} else if compilation >= 0 {
			s.has[compilation] |= kind
		}
	default:
	}
}

func (s *surveyor) result() survey {
	for _, kinds := range s.has {
		s.apart = s.apart || kinds == hasFunctions
	}
	for _, kinds := range s.elsewhere {
		s.apart = s.apart || kinds == hasFunctions
	}
	return s.survey
}

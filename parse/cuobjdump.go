package parse

import "github.com/occlint/occlint/parse/internal/msg"

// lister is where a cuobjdump list is.
type lister struct {
	comp   int
	kernel int32 // the function whose numbers come next, -1
	arch   string
}

// listed takes a message of cuobjdump -res-usage.
func (a *assembler) listed(m *msg.Message, line int) {
	s := &a.list
	switch m.Kind {
	case msg.ListArch:
		s.arch, s.comp = a.names.intern(m.Arch), -1
	case msg.ListBlock:
		a.endListed()
		s.comp = len(a.log.Compilations)
		a.stated = true
		a.log.Compilations = append(a.log.Compilations, Compilation{
			Index: s.comp, Arch: s.arch, Stage: StageCuobjdump, Tool: "cuobjdump", Place: a.place(line),
		})
	case msg.ListCommon:
		if s.comp >= 0 {
			c := &a.log.Compilations[s.comp]
			c.GlobalBytes, c.ConstBytes = size(m.Global), a.banks.intern(&m.Quantities)
		}
	case msg.ListFunction:
		a.endListed()
		s.kernel = a.openListed(m, line)
	case msg.ListData:
		i := s.kernel
		if i < 0 {
			i = a.openListed(&msg.Message{}, line)
			a.records.at(i).Defect |= Unnamed
		}
		s.kernel = -1
		a.takeListed(a.records.at(i), m)
	default:
	}
}

// endListed closes a function whose numbers never came.
func (a *assembler) endListed() {
	if i := a.list.kernel; i >= 0 {
		a.records.at(i).Defect |= Truncated
		a.list.kernel = -1
	}
}

func (a *assembler) openListed(m *msg.Message, line int) int32 {
	l := lane{stage: StageCuobjdump, comp: a.list.comp}
	i := a.open(&l, m, KindUnknown, line)
	a.records.at(i).Arch = a.list.arch
	return i
}

func (a *assembler) takeListed(k *draft, m *msg.Message) {
	k.Registers, k.StackBytes, k.SharedBytes, k.LocalBytes = count(m.Registers), count(m.Stack), count(m.Shared), count(m.Local)
	k.Textures, k.Surfaces, k.Samplers = count(m.Textures), count(m.Surfaces), count(m.Samplers)
	k.ConstBytes = a.banks.intern(&m.Quantities)
	if m.Cut {
		k.Defect |= Truncated
	}
}

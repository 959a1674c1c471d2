package parse

// lister is where a cuobjdump list is.
type lister struct {
	comp   int
	kernel int32 // the function whose numbers come next, -1
	arch   string
}

// listed takes a message of cuobjdump -res-usage.
func (a *assembler) listed(m *message, line int) {
	s := &a.list
	switch m.kind {
	case msgTarget:
		s.arch, s.comp = a.names.intern(m.arch), -1
	case msgBlock:
		a.endListed()
		s.comp = len(a.log.Compilations)
		a.stated = true
		a.log.Compilations = append(a.log.Compilations, Compilation{
			Index: s.comp, Arch: s.arch, Stage: StageCuobjdump, Tool: "cuobjdump", Place: a.place(line),
		})
	case msgCommon:
		if s.comp >= 0 {
			c := &a.log.Compilations[s.comp]
			c.GlobalBytes, c.ConstBytes = m.global, a.banks.intern(&m.numbers)
		}
	case msgListed:
		a.endListed()
		s.kernel = a.openListed(m, line)
	case msgData:
		i := s.kernel
		if i < 0 {
			i = a.openListed(&message{}, line)
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

func (a *assembler) openListed(m *message, line int) int32 {
	l := lane{stage: StageCuobjdump, comp: a.list.comp}
	i := a.open(&l, m, KindUnknown, line)
	a.records.at(i).Arch = a.list.arch
	return i
}

func (a *assembler) takeListed(k *Kernel, m *message) {
	k.Registers, k.StackBytes, k.SharedBytes, k.LocalBytes = m.registers, m.stack, m.shared, m.local
	k.Textures, k.Surfaces, k.Samplers = m.textures, m.surfaces, m.samplers
	k.ConstBytes = a.banks.intern(&m.numbers)
	if m.cut {
		k.Defect |= Truncated
	}
}

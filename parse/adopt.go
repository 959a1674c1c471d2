package parse

// adopt joins each Used line that has no entry with the record whose stack line
// stands right above it, in two kinds of logs of one job: one that has no
// Compiling lines at all, and one that begins behind the Compiling line of its
// first entry. Elsewhere the properties above can be a callee's.
func (a *assembler) adopt() {
	if len(a.orphans) == 0 {
		return
	}
	for _, i := range a.orphans {
		u, k := a.records.at(i), a.records.at(i-1)
		named := k.Kind == Function
		next := int32(-1)
		if a.entries > 0 || !named {
			if next = a.firstEntry(i); next < 0 {
				continue
			}
		}
		if k.Registers.Stated() || !named && (k.Kind != KindUnknown || !k.StackBytes.Stated() || k.Defect != Unnamed) {
			continue
		}
		a.adoptUsed(k, u)
		if next >= 0 {
			a.beginsInside(k, next)
		}
	}
	a.records.remove(a.first, func(k *draft) bool { return k.Stage == StageUnknown })
}

// adoptUsed gives a record the numbers of the Used line below it, which is
// removed.
func (a *assembler) adoptUsed(k, u *draft) {
	if k.Kind == Function {
		k.Kind, k.Parent = Entry, ""
	}
	k.Registers, k.Barriers, k.SharedBytes = u.Registers, u.Barriers, u.SharedBytes
	k.CumulativeStackBytes, k.LocalBytes = u.CumulativeStackBytes, u.LocalBytes
	k.Textures, k.Surfaces, k.Samplers = u.Textures, u.Surfaces, u.Samplers
	k.ConstBytes, k.CompileMicros = u.ConstBytes, u.CompileMicros
	k.Defect |= u.Defect &^ Unnamed
	u.Stage = StageUnknown // to be removed
}

// firstEntry returns the first entry of a log whose first lines are the end of
// another one, with the Used line i; -1 where they may be something else. From
// sm_30 on nothing but its own stack line stands right above a Used line, where
// one job wrote the log.
func (a *assembler) firstEntry(i int32) int32 {
	if i-1 != a.first || !a.ptxas.alone() {
		return -1
	}
	for next := i + 1; next < a.records.rows.n; next++ {
		if kind, stage := a.records.kind(next); stage == StagePtxas && kind == Entry {
			if _, arch := a.records.nameAndArch(next); oldArch(arch) {
				return -1
			}
			return next
		}
	}
	return -1
}

// beginsInside settles the first record of a log that begins inside it. The next
// entry is of the same run of ptxas, which is for one architecture, where no
// module line stands in between, and the log has one elsewhere: from one without
// somebody may have taken them out.
func (a *assembler) beginsInside(k *draft, next int32) {
	comps := a.log.Compilations[a.before.compilations:]
	if n := len(comps); n > 0 && (comps[0].Place.Line < k.Place.Line || comps[0].Place.Line > a.records.kernel(next).Place.Line) {
		_, k.Arch = a.records.nameAndArch(next)
		k.Compilation = a.records.kernel(next).Compilation
	}
	if k.Name != "" {
		a.fault(FaultTruncated, "the log begins inside this record: what stood above is not in it", k.Name, k.Place.Line)
	}
}

package parse

// iterator walks the records of a Log in the order of their lines.
type iterator struct {
	log     *Log
	at      totals
	current Record
}

func newIterator(log *Log) iterator { return iterator{log: log} }

func (it *iterator) next() bool {
	best := -1
	consider := func(line int, set func()) {
		if best < 0 || line < best {
			best = line
			set()
		}
	}
	var advance *int
	l, at := it.log, &it.at
	if at.remarks < len(l.Remarks) {
		consider(l.Remarks[at.remarks].Place.Line, func() { it.current, advance = &l.Remarks[at.remarks], &at.remarks })
	}
	if at.compilations < len(l.Compilations) {
		consider(l.Compilations[at.compilations].Place.Line, func() { it.current, advance = &l.Compilations[at.compilations], &at.compilations })
	}
	if at.kernels < len(l.Kernels) {
		consider(l.Kernels[at.kernels].Place.Line, func() { it.current, advance = &l.Kernels[at.kernels], &at.kernels })
	}
	if at.faults < len(l.Faults) {
		consider(l.Faults[at.faults].Place.Line, func() { it.current, advance = &l.Faults[at.faults], &at.faults })
	}
	if advance == nil {
		it.current = nil
		return false
	}
	*advance++
	return true
}

package parse

// pages is a list in pieces. It grows without being copied, and what points
// into it stays where it is.
type pages[T any] struct {
	list [][]T
	n    int32
}

const pageLength = 256

func (p *pages[T]) at(i int32) *T { return &p.list[uint32(i)/pageLength][uint32(i)%pageLength] }

// add appends a zero and returns it.
func (p *pages[T]) add() *T {
	if int(p.n) == len(p.list)*pageLength {
		p.list = append(p.list, make([]T, pageLength))
	}
	p.n++
	return p.at(p.n - 1)
}

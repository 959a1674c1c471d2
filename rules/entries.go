package rules

// counter counts the entries of a log beside the judging.
type counter struct {
	done chan struct{}
	n    int
}

// countEntries begins to count the distinct names and architectures among the
// records that parts found to be the first of theirs, as far as each could see.
func (g *grouping) countEntries() *counter {
	total := 0
	for i := range g.parts {
		total += len(g.parts[i].entries)
	}
	c := &counter{done: make(chan struct{})}
	count := func() {
		defer close(c.done)
		c.n = g.distinctEntries(total)
	}
	if total < worthSharing {
		count()
	} else {
		go count()
	}
	return c
}

const low32 = 1<<32 - 1

// distinctEntries looks the records up in a set by their hashes. A slot holds
// half of a hash and the record's index and one; 0 is empty.
func (g *grouping) distinctEntries(total int) (n int) {
	size := 64
	for size < total+total/2 {
		size *= 2
	}
	slots := make([]uint64, size)
	mask := uint64(size - 1)
	for p := range g.parts {
		for _, e := range g.parts[p].entries {
			for i := e >> 32 & mask; ; i = (i + 1) & mask {
				slot := slots[i]
				if slot == 0 {
					slots[i] = e + 1
					n++
					break
				}
				if (slot^e)&^low32 == 0 && g.sameEntry(int(uint32(slot)-1), int(uint32(e))) {
					break
				}
			}
		}
	}
	return n
}

func (g *grouping) sameEntry(a, b int) bool {
	x, y := g.log.Kernel(a), g.log.Kernel(b)
	return x.Name == y.Name && g.archOf(&x) == g.archOf(&y)
}

// entries is the number of judged kernels as Policy.ExpectKernels counts them.
func (j *judge) entries() int {
	<-j.entered.done
	return j.entered.n
}

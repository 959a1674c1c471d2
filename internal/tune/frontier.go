package tune

import (
	"fmt"
)

// compare finds the rows of equal code, and the frontier.
func (t *Table) compare() {
	t.collapse()
	for i := range t.Rows {
		t.Rows[i].Frontier = t.onFrontier(i)
	}
}

// collapse points each row at the first with the same machine code. Numbers
// alone are no proof: two rows can agree in all of them and differ in code.
func (t *Table) collapse() {
	first := map[string]int{}
	for i := range t.Rows {
		r := &t.Rows[i]
		r.SameAs = -1
		if !r.Measured() || r.code == "" {
			continue
		}
		key := fmt.Sprintf("%d %d %d %s", r.Threads, r.Registers, r.StackBytes, r.code)
		if at, ok := first[key]; ok {
			r.SameAs = at
			continue
		}
		first[key] = i
	}
}

// onFrontier reports whether no other row has as many resident warps and as
// few spills, and one of both better. Warps rather than blocks, so that rows of
// several block sizes compare; within one they are the same. Of rows that tie
// in both the one with more registers counts: the compiler had more room.
func (t *Table) onFrontier(i int) bool {
	r := &t.Rows[i]
	if !r.Measured() || r.Blocks == 0 || r.SameAs >= 0 {
		return false
	}
	for k := range t.Rows {
		if k != i && t.Rows[k].Measured() && t.Rows[k].SameAs < 0 && beats(&t.Rows[k], r, k < i) {
			return false
		}
	}
	return true
}

// beats reports whether a is at least as good as b in both, and better in
// something.
func beats(a, b *Row, earlier bool) bool {
	switch {
	case a.Warps < b.Warps, a.SpillBytes() > b.SpillBytes():
		return false
	case a.Warps > b.Warps, a.SpillBytes() < b.SpillBytes():
		return true
	case a.Registers != b.Registers:
		return a.Registers > b.Registers
	}
	return earlier
}

// title names the bounds that give a row's code, for a sentence: of all that
// do the most demanding minimum that really is resident. Where the source has
// that code already, it says so: nobody should edit a source for what it is.
func (t *Table) title(i int) string {
	best := i
	for k := range t.Rows {
		r := &t.Rows[k]
		if t.firstOf(k) != t.firstOf(i) || r.Kind != Declared {
			continue
		}
		if b := &t.Rows[best]; b.Kind != Declared || r.MinBlocks > b.MinBlocks && r.MinBlocks <= r.Blocks {
			best = k
		}
	}
	title := t.Rows[best].Title()
	if t.Rows[best].Kind == Declared && t.Rows[t.firstOf(i)].Kind == AsWritten {
		title += " (as written)"
	}
	return title
}

func (t *Table) firstOf(i int) int {
	if s := t.Rows[i].SameAs; s >= 0 {
		return s
	}
	return i
}

// Sentences say in at most two sentences where the frontier bends: the last
// step without a spill, and what the next one costs.
func (t *Table) Sentences() []string {
	last, next := -1, -1
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Frontier && r.SpillBytes() == 0 {
			last = i // there is one at most
		}
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Frontier && r.SpillBytes() > 0 && (next < 0 || r.SpillBytes() < t.Rows[next].SpillBytes()) {
			next = i
		}
	}
	switch {
	case last < 0 && next < 0:
		return []string{"no block fits on an SM under any of these bounds"}
	case last < 0:
		r := &t.Rows[next]
		return []string{fmt.Sprintf("every row spills; the fewest bytes are those of %s: %s, %d stored and %d loaded", t.title(next), r.fit(), r.SpillStoreBytes, r.SpillLoadBytes)}
	}
	said := []string{fmt.Sprintf("the last step without a spill is %s: %s", t.title(last), t.Rows[last].fit())}
	switch {
	case next >= 0:
		said = append(said, t.price(last, next))
	case t.spills():
		said = append(said, "no row with spills has more blocks")
	}
	return said
}

// fit says what is resident.
func (r *Row) fit() string {
	return fmt.Sprintf("%d registers, %s, %s", r.Registers, plural(r.Blocks, "block"), percent(r.Percent()))
}

// price says what a step beyond the last one without spills gains and costs.
func (t *Table) price(last, next int) string {
	a, b := &t.Rows[last], &t.Rows[next]
	gain := plural(b.Blocks-a.Blocks, "block")
	if a.Threads != b.Threads {
		gain = plural(b.Warps-a.Warps, "warp")
	}
	said := fmt.Sprintf("%s gains %s for %d + %d bytes of spills", t.title(next), gain, b.SpillStoreBytes, b.SpillLoadBytes)
	if where := b.loops(); where != "" {
		said += ", " + where
	}
	return said
}

func (t *Table) spills() bool {
	for i := range t.Rows {
		if t.Rows[i].Measured() && t.Rows[i].SpillBytes() > 0 {
			return true
		}
	}
	return false
}

// SingleBlockCosts reports what a minimum of one block costs a kernel: bounds
// (T, 1) as written where (T) alone has more blocks and spills no more. from
// and to are the blocks of both.
func (t *Table) SingleBlockCosts() (from, to int, ok bool) {
	if t.Today.MinBlocks != 1 || t.Today.Threads == 0 {
		return 0, 0, false
	}
	today := &t.Rows[0]
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Kind == Declared && r.Variant.Threads == t.Today.Threads && r.MinBlocks == 0 && r.Measured() &&
			r.Blocks > today.Blocks && r.SpillBytes() <= today.SpillBytes() {
			return today.Blocks, r.Blocks, true
		}
	}
	return 0, 0, false
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// limiters names what stops one more block.
func (r *Row) limiters() string {
	if r.Limiters == 0 {
		return ""
	}
	return r.Limiters.String()
}

package tune

import (
	"context"
	"fmt"
	"slices"

	"github.com/occlint/occlint/internal/name"
)

// target is where a kernel's bounds are written. The zero target is everywhere.
//
// Only the place that a person would edit is changed: the compiler's front end
// makes other code of a kernel when the bounds of its neighbours change (seen
// with 12.4: 92 registers instead of 94, for a kernel without any bounds).
type target struct {
	carrier carrier
	line    int
}

func (t target) everywhere() bool { return t == target{} }

// header is the text that gives a variant's bounds to what stands there.
func (t target) header(v Variant, clusterRank int) string {
	if t.everywhere() {
		return everyKernel(v, clusterRank)
	}
	return oneLine(t.carrier, t.line, v, clusterRank)
}

// aimAll finds where each kernel's bounds are written, by asking the compiler:
// one look for each of the three macros that a kernel of them has.
func (req *Request) aimAll(ctx context.Context, w *Workspace, drafts []*draft) error {
	if req.Unit.Method() != "source" {
		return nil
	}
	looks := map[carrier]*compiled{}
	for _, d := range drafts {
		c := carrierOf(d.Today)
		if looks[c] == nil {
			look, err := req.Unit.compile(ctx, w, order{variant: Variant{Kind: Declared}, header: lineProbe(c), stop: true})
			if err != nil {
				return err
			}
			looks[c] = look
		}
		d.takeAim(c, looks[c])
	}
	return nil
}

func (d *draft) takeAim(c carrier, look *compiled) {
	entry := look.entryOf(d.Name)
	if look.fault != "" || entry == nil || entry.MaxThreads != probeThreads {
		d.note("the compiler does not tell on which line this kernel has its bounds, so those of all kernels of the unit were changed: an edit of this one alone may give a few registers more or less")
		return
	}
	d.aim = target{c, entry.MinBlocks}
	for i := range look.entries {
		e := &look.entries[i]
		if e.Name != d.Name && e.MinBlocks == d.aim.line && e.MaxThreads == probeThreads {
			d.sisters = append(d.sisters, e.Name)
		}
	}
	strangers := 0
	for _, s := range d.sisters {
		if name.Family(s) != name.Family(d.Name) {
			strangers++
		}
	}
	if strangers > 0 {
		d.note("%s on a line of the same number (%d) changed with it", plural(strangers, "other kernel"), d.aim.line)
	}
	if n := len(d.sisters) - strangers; n > 0 {
		d.note("%s of the same template, which one line declares, changed with it", plural(n, "other instantiation"))
	}
}

// proveAlone holds a compilation against what it should be: the kernel with
// the variant's bounds, all others as written.
func (t *Table) proveAlone(c *compiled, v Variant) error {
	if err := proveHook(c.entries, t.Name, v); err != nil {
		return err
	}
	if got := c.entryOf(t.Name); got != nil && got.MaxClusterBlocks != t.clusterRank {
		return fmt.Errorf("the cluster bound of the kernel changed from %d to %d on the way", t.clusterRank, got.MaxClusterBlocks)
	}
	if t.aim.everywhere() {
		return nil
	}
	for i := range t.base.entries {
		was := &t.base.entries[i]
		if was.Name == t.Name || slices.Contains(t.sisters, was.Name) {
			continue
		}
		if is := c.entryOf(was.Name); is == nil || boundsOf(is) != boundsOf(was) {
			return fmt.Errorf("the bounds of %s changed with those of %s, which would make other code of it", name.Brief(name.Qualified(was.Name), mostErrorRunes), name.Brief(name.Qualified(t.Name), mostErrorRunes))
		}
	}
	return nil
}

package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
)

// resourceWords names resources in sentences.
func resourceWords(r arch.Resource) string {
	switch r {
	case arch.Shared:
		return "shared memory"
	case arch.Blocks:
		return "block slots"
	case arch.Warps:
		return "warp slots"
	default:
		return r.String()
	}
}

// occupancyNotes says what limits a launch, with the arithmetic, and what the
// arithmetic had to assume.
func (u *Subject) occupancyNotes() []string {
	occ := u.Occupancy
	var parts []string
	for r := range occ.Limiters.All() {
		parts = append(parts, u.limitText(r))
	}
	first := fmt.Sprintf("limited by %s (%d of %d warps, %s %%)",
		strings.Join(parts, "; "), occ.Warps, occ.WarpSlots, number(occ.Percent()))
	return append([]string{first}, u.assumptions()...)
}

// limitText is the arithmetic behind one limit.
func (u *Subject) limitText(r arch.Resource) string {
	sm, occ := u.arch.sm, u.Occupancy
	switch r {
	case arch.Shared:
		if u.Launch.SharedBytes > sm.SharedBytesPerBlock {
			return fmt.Sprintf("shared memory: %s bytes per block, %d at most", u.sharedSum(), sm.SharedBytesPerBlock)
		}
		return fmt.Sprintf("shared memory: %s bytes per block, %d per SM", u.sharedAllocation(), sm.SharedBytes)
	case arch.Registers:
		return fmt.Sprintf("registers: %d per thread, allocated as %d per block of %d warps, %d per SM",
			u.Launch.Registers, occ.RegistersPerBlock, occ.WarpsPerBlock, sm.Registers)
	case arch.Barriers:
		return fmt.Sprintf("barriers: %d per block, %d per SM", u.Launch.Barriers, sm.Barriers)
	case arch.Blocks:
		return fmt.Sprintf("block slots: %d per SM", sm.BlockSlots)
	default:
	}
	if u.Launch.Threads > sm.ThreadsPerBlock {
		return fmt.Sprintf("threads: %d per block, %d at most", u.Launch.Threads, sm.ThreadsPerBlock)
	}
	return fmt.Sprintf("warp slots: %d warps per block, %d per SM", occ.WarpsPerBlock, sm.WarpSlots)
}

// sharedSum is static and dynamic shared memory, added up.
func (u *Subject) sharedSum() string {
	static, _ := u.staticShared()
	dynamic := u.decl.DynamicShared.Value
	if dynamic == 0 {
		return strconv.FormatInt(static, 10)
	}
	return fmt.Sprintf("%d static + %d dynamic = %d", static, dynamic, static+dynamic)
}

// sharedAllocation is the sum of which a block's shared memory is made up.
func (u *Subject) sharedAllocation() string {
	sm := u.arch.sm
	static, _ := u.staticShared()
	terms := []string{strconv.FormatInt(static, 10)}
	sum := static
	add := func(bytes int64, what string) {
		if bytes > 0 {
			sum += bytes
			terms = append(terms, fmt.Sprintf("%d %s", bytes, what))
		}
	}
	add(u.decl.DynamicShared.Value, "dynamic")
	add(int64(sm.SharedReservedBytes), "reserved")
	text := strings.Join(terms, " + ")
	if len(terms) > 1 {
		text += fmt.Sprintf(" = %d", sum)
	}
	if allocated := int64(u.Occupancy.SharedBytesPerBlock); allocated != sum {
		text += fmt.Sprintf(", allocated as %d", allocated)
	}
	return text
}

// assumptions are what the occupancy rests on and nobody stated.
func (u *Subject) assumptions() []string {
	var notes []string
	used := u.decl.DynamicSharedUsed
	if !u.decl.DynamicShared.Set && !u.DynamicSharedBytes.Stated() && (!used.Set || used.Value) {
		notes = append(notes, "dynamic shared memory is not declared and counted as 0")
	}
	if u.arch.sm.Barriers > 0 && u.Launch.Barriers == arch.Unknown {
		notes = append(notes, "the log does not state barriers (ptxas does from CUDA 12.8 on), so their limit is left out")
	}
	return notes
}

// reachHelp says what would allow so many blocks.
func (u *Subject) reachHelp(blocks int) string {
	changes, ok := u.arch.sm.Reach(u.Launch, blocks)
	if !ok {
		return fmt.Sprintf("%s can't hold %d blocks of %d threads of this kernel, whatever changes; declare fewer",
			u.arch.name, blocks, u.Launch.Threads)
	}
	var parts []string
	for _, c := range changes {
		switch c.Resource {
		case arch.Registers:
			parts = append(parts, fmt.Sprintf("%d registers or fewer", c.Need))
		case arch.Shared:
			parts = append(parts, fmt.Sprintf("%d bytes of shared memory or fewer", c.Need))
		case arch.Barriers:
			parts = append(parts, fmt.Sprintf("%d named barriers or fewer", c.Need))
		case arch.Warps:
			parts = append(parts, fmt.Sprintf("%d threads per block or fewer", c.Need))
		default: // of block slots there is nothing to change
		}
	}
	return fmt.Sprintf("%s would allow %s", strings.Join(parts, " together with "), count(int64(blocks), "block"))
}

// count writes a number with its noun: "1 block", "2 blocks".
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

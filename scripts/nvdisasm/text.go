package main

import (
	"bufio"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/code"
)

// listing is one text section as nvdisasm -c -g writes it.
type listing struct {
	section string
	insts   []line
	labels  map[string]uint32
	at      map[uint32]int // index in insts
}

// line is one instruction of a listing.
type line struct {
	offset  uint32
	guarded bool
	opcode  string // with its suffixes: LDL.LU.64
	rest    string
	file    string
	line    int
	inlined []string // FILE:LINE of the calls it was inlined at, nearest first
}

var (
	sectionLine = regexp.MustCompile(`^\s*\.section\s+\.text\.([^,]+),`)
	labelLine   = regexp.MustCompile(`^([^\s:]+):$`)
	placeLine   = regexp.MustCompile(`^\s*//## File "([^"]*)", line (\d+)(.*)$`)
	inlinedAt   = regexp.MustCompile(`inlined at "([^"]*)", line (\d+)`)
	instLine    = regexp.MustCompile(`^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*\}?\s*(/\* 0x[0-9a-f]+ \*/)?$`)
	guard       = regexp.MustCompile(`^@!?U?P[T0-9]+\s+`)
)

// listings reads nvdisasm's text.
func listings(r io.Reader) (map[string]*listing, error) {
	all := map[string]*listing{}
	var l *listing
	var pending []string
	var file, inlined = "", []string(nil)
	number := 0
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	fresh := true
	for s.Scan() {
		text := s.Text()
		if m := sectionLine.FindStringSubmatch(text); m != nil {
			l = &listing{section: m[1], labels: map[string]uint32{}, at: map[uint32]int{}}
			all[m[1]] = l
			pending, file, number, inlined = nil, "", 0, nil
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(text), ".section\t") {
			l = nil
		}
		if l == nil {
			continue
		}
		if m := placeLine.FindStringSubmatch(text); m != nil {
			if fresh {
				inlined = nil
			}
			fresh = false
			if at := inlinedAt.FindStringSubmatch(m[3]); at != nil {
				if inlined == nil {
					file, number = m[1], atoi(m[2])
				}
				inlined = append(inlined, at[1]+":"+at[2])
			} else if inlined == nil {
				file, number = m[1], atoi(m[2])
			}
			continue
		}
		if m := labelLine.FindStringSubmatch(strings.TrimSpace(text)); m != nil && !strings.HasPrefix(text, "\t.") {
			pending = append(pending, m[1])
			continue
		}
		m := instLine.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		fresh = true
		offset, _ := strconv.ParseUint(m[1], 16, 32)
		for _, p := range pending {
			l.labels[p] = uint32(offset)
		}
		pending = nil
		i := instruction(m[2])
		i.offset, i.file, i.line, i.inlined = uint32(offset), file, number, inlined
		l.at[i.offset] = len(l.insts)
		l.insts = append(l.insts, i)
	}
	return all, s.Err()
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func instruction(text string) line {
	text = strings.TrimSpace(strings.TrimLeft(text, "{ "))
	var i line
	if g := guard.FindString(text); g != "" {
		i.guarded, text = !strings.HasPrefix(g, "@PT"), text[len(g):]
	}
	i.opcode, i.rest, _ = strings.Cut(text, " ")
	return i
}

// kind is what the mnemonic says, in the words of package code.
func (i line) kind(sm int) code.Kind {
	name, _, _ := strings.Cut(i.opcode, ".")
	switch name {
	case "LDL":
		return code.Load
	case "STL":
		return code.Store
	case "BRA":
		return code.Branch
	case "BRX", "JMX", "BRXU", "JMXU":
		return code.IndirectBranch
	case "JMP":
		return code.Jump
	case "CALL", "CAL":
		if sm >= 70 && (!strings.HasPrefix(i.opcode, "CALL.REL") || strings.HasPrefix(strings.TrimSpace(i.rest), "R")) {
			return code.IndirectCall
		}
		return code.Call
	case "JCAL":
		return code.IndirectCall
	case "RET":
		return code.Return
	case "EXIT":
		return code.Exit
	case "KIL", "KILL":
		return code.Kill
	case "BPT":
		return code.Trap
	case "BSSY":
		return code.BarrierSet
	case "BSYNC":
		return code.BarrierSync
	case "BREAK":
		return code.BarrierBreak
	case "WARPSYNC":
		return code.WarpSync
	case "SSY":
		return code.PushSync
	case "PBK":
		return code.PushBreak
	case "PCNT":
		return code.PushContinue
	case "PRET":
		return code.PushReturn
	case "SYNC":
		return code.Sync
	case "BRK":
		return code.Break
	case "CONT":
		return code.Continue
	}
	return code.Other
}

// bytes is the size that the mnemonic of a local access says.
func (i line) bytes() uint8 {
	for _, s := range strings.Split(i.opcode, ".") {
		switch s {
		case "U8", "S8":
			return 1
		case "U16", "S16":
			return 2
		case "64":
			return 8
		case "128":
			return 16
		}
	}
	return 4
}

var (
	address = regexp.MustCompile(`\[(R\d+|RZ)?(?:\+?UR\d+)?\+?(-?0x[0-9a-f]+)?\]`)
	labels  = regexp.MustCompile("`\\(([^)]*)\\)")
)

// address is the base register and what is added to it.
func (i line) address() (base uint8, disp int32) {
	m := address.FindStringSubmatch(i.rest)
	base = code.NoRegister
	if m == nil {
		return base, 0
	}
	if strings.HasPrefix(m[1], "R") && m[1] != "RZ" {
		base = uint8(atoi(m[1][1:]))
	}
	if m[2] != "" {
		d, _ := strconv.ParseInt(m[2], 0, 64)
		disp = int32(d)
	}
	return base, disp
}

// target is the label's place, if it stands in this section.
func (l *listing) target(i line) (uint32, bool) {
	m := labels.FindStringSubmatch(i.rest)
	if m == nil {
		return 0, false
	}
	to, ok := l.labels[m[1]]
	return to, ok
}

package main

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
)

// flow is the control flow of one function, as nvdisasm -bbcfg -poff draws it.
type flow struct {
	name  string
	nodes map[string][]uint32 // offsets of the instructions
	order []string
	edges map[string][]string
}

var (
	clusterLine = regexp.MustCompile(`^subgraph "cluster_(.*)" \{`)
	nodeLine    = regexp.MustCompile(`^"([^"]*)"$`)
	edgeLine    = regexp.MustCompile(`^"([^"]*)":[^ ]* -> "([^"]*)"`)
	offsets     = regexp.MustCompile(`(?:<entry>|<exit\d+>|\\l|\||\{)([0-9a-f]{4,}):`)
)

func flows(r io.Reader) ([]*flow, error) {
	var all []*flow
	var f *flow
	var node string
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		text := s.Text()
		if m := clusterLine.FindStringSubmatch(text); m != nil {
			f = &flow{name: m[1], nodes: map[string][]uint32{}, edges: map[string][]string{}}
			all = append(all, f)
			continue
		}
		if f == nil {
			continue
		}
		if m := nodeLine.FindStringSubmatch(text); m != nil {
			node = m[1]
			f.order = append(f.order, node)
			f.nodes[node] = nil
			continue
		}
		if m := edgeLine.FindStringSubmatch(text); m != nil {
			f.edges[m[1]] = append(f.edges[m[1]], m[2])
			continue
		}
		if len(text) > 6 && text[:6] == "[label" {
			for _, m := range offsets.FindAllStringSubmatch(text, -1) {
				o, _ := strconv.ParseUint(m[1], 16, 32)
				f.nodes[node] = append(f.nodes[node], uint32(o))
			}
		}
	}
	return all, s.Err()
}

// depths gives each instruction that the function's entry leads to its number
// of natural loops: sets of dominators by iteration, and loops by walking
// backwards, written apart from what it is to check.
func (f *flow) depths() map[uint32]int {
	var nodes []string
	number := map[string]int{}
	var walk func(n string)
	walk = func(n string) {
		if _, seen := number[n]; seen {
			return
		}
		number[n] = len(nodes)
		nodes = append(nodes, n)
		for _, to := range f.edges[n] {
			if _, here := f.nodes[to]; here {
				walk(to)
			}
		}
	}
	if len(f.order) == 0 {
		return nil
	}
	walk(f.order[0])
	preds := make([][]int, len(nodes))
	for _, n := range nodes {
		for _, to := range f.edges[n] {
			if t, ok := number[to]; ok {
				preds[t] = append(preds[t], number[n])
			}
		}
	}
	dom := make([][]bool, len(nodes))
	for n := range dom {
		dom[n] = make([]bool, len(nodes))
		for m := range dom[n] {
			dom[n][m] = n > 0 || m == 0
		}
	}
	for changed := true; changed; {
		changed = false
		for n := 1; n < len(nodes); n++ {
			for m := range nodes {
				if m == n || !dom[n][m] {
					continue
				}
				for _, p := range preds[n] {
					if !dom[p][m] {
						dom[n][m], changed = false, true
						break
					}
				}
			}
		}
	}
	body := map[int]map[int]bool{} // by header
	for n := range nodes {
		for _, p := range preds[n] {
			if !dom[p][n] {
				continue
			}
			if body[n] == nil {
				body[n] = map[int]bool{n: true}
			}
			for todo := []int{p}; len(todo) > 0; {
				b := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				if !body[n][b] {
					body[n][b] = true
					todo = append(todo, preds[b]...)
				}
			}
		}
	}
	depth := map[uint32]int{}
	for i, n := range nodes {
		d := 0
		for _, b := range body {
			if b[i] {
				d++
			}
		}
		for _, o := range f.nodes[n] {
			depth[o] = d
		}
	}
	return depth
}

func sortedOffsets(m map[uint32]int) []uint32 {
	var o []uint32
	for k := range m {
		o = append(o, k)
	}
	slices.Sort(o)
	return o
}

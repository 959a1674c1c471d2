package parse

import "github.com/occlint/occlint/parse/internal/msg"

// What follows goes once the store takes messages as they are.

type values struct {
	msg.Values
	stack, stores, loads msg.Number
}

type numbers struct {
	values
	banks  [32]Bank
	nbanks int
}

type message struct {
	numbers
	cut bool
	m   msg.Message
}

func (m *message) reset() {}

func stackFrame(b []byte, m *message) int {
	m.cut = !msg.ReadStackFrame(b, &m.m)
	m.taken()
	return len(b)
}

func used(b []byte, m *message) int {
	m.cut = !msg.ReadUsed(b, &m.m)
	m.taken()
	return len(b)
}

func (m *message) taken() {
	m.Values, m.stack, m.stores, m.loads = m.m.Values, m.m.Stack, m.m.Stores, m.m.Loads
	m.nbanks = 0
	for _, b := range m.m.Banks() {
		m.banks[m.nbanks] = Bank{int(b.Bank), b.Bytes}
		m.nbanks++
	}
}

func (a *assembler) bankList(q *msg.Quantities) Banks {
	var n numbers
	for _, b := range q.Banks() {
		n.banks[n.nbanks] = Bank{int(b.Bank), b.Bytes}
		n.nbanks++
	}
	return a.banks.intern(&n)
}

func (k *Kernel) takeStack(v *values) {
	k.stateStack(&msg.Values{Stack: v.stack, Stores: v.stores, Loads: v.loads})
}

func (k *Kernel) takeUsed(v *values, banks Banks) { k.stateUsed(&v.Values, banks) }

package msg

import (
	"math"

	"github.com/occlint/occlint/parse/internal/scan"
)

// Number is a number that a message states, or its absence, which is the zero
// value.
type Number uint32

// MostNumber is the largest number that a Number can state.
const MostNumber = math.MaxUint32 - 1

// some returns the Number that states n, which is at most MostNumber.
func some(n int64) Number { return Number(n) + 1 }

// Stated reports whether the message states the number.
func (n Number) Stated() bool { return n != 0 }

// Value returns the number, 0 when it is absent.
func (n Number) Value() int64 { return max(int64(n)-1, 0) }

// Size is a number of bytes that can be larger than a Number, or its absence,
// which is the zero value.
type Size uint64

func someSize(n int64) Size { return Size(n) + 1 }

// Stated reports whether the message states the size.
func (s Size) Stated() bool { return s != 0 }

// Value returns the size, 0 when it is absent.
func (s Size) Value() int64 { return int64(max(s, 1) - 1) }

// Values are the quantities that a message can state, in bytes but for
// registers, barriers, textures, surfaces, samplers, and the compile time in
// microseconds.
type Values struct {
	Registers, Barriers, Shared      Number
	Stack, Stores, Loads, Cumulative Number
	Local, Textures, Surfaces        Number
	Samplers, Micros                 Number
	Global                           Size
}

// Quantities are the values and the constant banks of a message.
type Quantities struct {
	Values
	banks     [mostBanks]Bank
	BankCount int
}

// Bank is the constant memory in one bank.
type Bank struct{ Bank, Bytes int64 }

// mostBanks bounds the constant banks of one message; ptxas 13.0 knows 18.
const mostBanks = 32

// Banks lists the constant banks in ascending order.
func (q *Quantities) Banks() []Bank { return q.banks[:q.BankCount] }

func (q *Quantities) addBank(bank, bytes int64) {
	if q.BankCount == mostBanks || bank > 1<<20 {
		return
	}
	// Banks are printed in ascending order by all tools but one: sm_1x.
	i := q.BankCount
	for i > 0 && q.banks[i-1].Bank > bank {
		q.banks[i] = q.banks[i-1]
		i--
	}
	q.banks[i] = Bank{bank, bytes}
	q.BankCount++
}

// number reads digits at i that a Number can state.
func number(b []byte, i int) (n int64, next int, ok bool) {
	n, next, ok = scan.Decimal(b, i)
	return n, next, ok && n <= MostNumber
}

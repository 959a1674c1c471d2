package profile

import (
	"strconv"
	"strings"
)

// separators says which sign of a file's numbers is the decimal one. The
// profiler formats by the locale of whoever exports: 117,344 ns is 117344 in
// one file and 117.344 in another, so a file's numbers mean nothing until one
// of them shows which it is.
type separators struct {
	dot, comma int // lines of the first evidence, from 1; 0 for none
	dotText    string
	commaText  string
}

// look takes what a cell says of the file's format. The profiler writes 0, 2
// or 6 decimals (and 1 of a few), never 3, so a group of three after a sign
// says nothing.
func (s *separators) look(cell string, line int) {
	if s.dot != 0 && s.comma != 0 {
		return
	}
	last := -1 // the last separator
	dots, commas := 0, 0
	for i := range len(cell) {
		switch c := cell[i]; {
		case c == '.':
			dots, last = dots+1, i
		case c == ',':
			commas, last = commas+1, i
		case c == '-' && i == 0:
		case c < '0' || c > '9':
			return // not a number
		}
	}
	if last < 0 {
		return
	}
	decimals := len(cell) - last - 1
	comma := commas == 1 && cell[last] == ',' && (decimals == 1 || decimals == 2 || decimals == 6) || dots > 1
	dot := dots == 1 && cell[last] == '.' && (decimals == 1 || decimals == 2 || decimals == 6) || commas > 1
	if comma && s.comma == 0 {
		s.comma, s.commaText = line, cell
	}
	if dot && s.dot == 0 {
		s.dot, s.dotText = line, cell
	}
}

// undecided reports that nothing told the format yet.
func (s *separators) undecided() bool { return s.dot == 0 && s.comma == 0 }

// contradict says that a file has evidence for both.
func (s *separators) contradict(file string) error {
	if s.dot == 0 || s.comma == 0 {
		return nil
	}
	return &Error{Place{file, max(s.dot, s.comma)},
		"the numbers are written in two ways: " + strconv.Quote(s.dotText) + " has a decimal point and " + strconv.Quote(s.commaText) + " a decimal comma",
		"export it again: " + exportPlain}
}

// ambiguous reports that a number can't be read without knowing the format:
// one separator with three digits behind it.
func ambiguous(cell string) bool {
	i := strings.IndexAny(cell, ".,")
	return i > 0 && i <= 3 && len(cell)-i-1 == 3 && allDigits(cell[:i]) && allDigits(cell[i+1:])
}

// number reads a cell; absent is what the profiler writes for a number that
// it doesn't have.
func (s *separators) number(cell string) (x float64, absent, ok bool) {
	cell = strings.TrimSpace(cell)
	switch strings.ToLower(cell) {
	case "", "no data", "nan", "-nan", "n/a", "inf", "(!) nan", "(!) n/a", "-":
		return 0, true, true
	}
	if len(cell) > 64 {
		return 0, false, false
	}
	group, decimal := byte(','), byte('.')
	if s.comma != 0 {
		group, decimal = '.', ','
	}
	digits := make([]byte, 0, 64)
	for i := range len(cell) {
		switch c := cell[i]; {
		case c == group, c == ' ', c == '\'':
			if !groups(cell, i, decimal) {
				return 0, false, false
			}
		case c == decimal:
			digits = append(digits, '.')
		case c == '-' && i == 0, c >= '0' && c <= '9':
			digits = append(digits, c)
		default:
			return 0, false, false
		}
	}
	x, err := strconv.ParseFloat(string(digits), 64)
	return x, false, err == nil
}

// groups reports that the separator at i stands before whole groups of three.
func groups(cell string, i int, decimal byte) bool {
	end := strings.IndexByte(cell, decimal)
	if end < 0 {
		end = len(cell)
	}
	return i > 0 && i < end && (end-i)%4 == 0
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

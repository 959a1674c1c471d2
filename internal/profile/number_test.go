package profile

import "testing"

func TestNumber(t *testing.T) {
	dot, comma := separators{dot: 1}, separators{comma: 1}
	for _, c := range []struct {
		reason string
		seps   separators
		cell   string
		want   float64
		absent bool
		ok     bool
	}{
		{"raw prints six decimals", dot, "33554432.000000", 33554432, false, true},
		{"or groups and two", dot, "63,691.17", 63691.17, false, true},
		{"or groups alone", dot, "8,439,296", 8439296, false, true},
		{"none of these is 0", dot, "", 0, true, true},
		{"", dot, "no data", 0, true, true},
		{"", dot, "nan", 0, true, true},
		{"", dot, "N/A", 0, true, true},
		{"a word is no number", dot, "No-CC", 0, false, false},
		{"groups must be whole", dot, "8,43,296", 0, false, false},
		{"one decimal sign at most", dot, "1.2.3", 0, false, false},
		{"a group behind the decimals", dot, "1.234,567", 0, false, false},
		{"decimal comma", comma, "65,77", 65.77, false, true},
		{"decimal comma", comma, "117.344", 117344, false, true},
		{"decimal comma", comma, "1.500.000,50", 1500000.5, false, true},
		{"negative", dot, "-1.50", -1.5, false, true},
		{"longer than any number", dot, "1111111111111111111111111111111111111111111111111111111111111111111", 0, false, false},
	} {
		got, absent, ok := c.seps.number(c.cell)
		if got != c.want || absent != c.absent || ok != c.ok {
			t.Errorf("%q (%s): %g, absent %t, ok %t; want %g, %t, %t", c.cell, c.reason, got, absent, ok, c.want, c.absent, c.ok)
		}
	}
}

func TestSeparators(t *testing.T) {
	for _, c := range []struct {
		cells      []string
		dot, comma bool
	}{
		{[]string{"12.50"}, true, false},
		{[]string{"12,50"}, false, true},
		{[]string{"0.123456"}, true, false},
		{[]string{"1,234,567"}, true, false},
		{[]string{"1.234.567"}, false, true},
		{[]string{"1,234", "117.344", "12", "No-CC", "127.0.0.x"}, false, false},
		{[]string{"1,234.50"}, true, false},
		{[]string{"1.234,50"}, false, true},
		{[]string{"12.50", "12,50"}, true, true},
	} {
		var s separators
		for i, cell := range c.cells {
			s.look(cell, i+1)
		}
		if (s.dot != 0) != c.dot || (s.comma != 0) != c.comma {
			t.Errorf("%q: dot %d, comma %d", c.cells, s.dot, s.comma)
		}
		if err := s.contradict("f"); (err != nil) != (c.dot && c.comma) {
			t.Errorf("%q: %v", c.cells, err)
		}
	}
}

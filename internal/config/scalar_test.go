package config

import (
	"regexp"
	"testing"
)

// TestCutNumber holds cutNumber and isDecimal against expressions on all short
// texts of the signs that matter.
func TestCutNumber(t *testing.T) {
	number := regexp.MustCompile(`^(-?[0-9]+(?:\.[0-9]+)?) ?([^-0-9. ].*)?$`)
	decimal := regexp.MustCompile(`^[0-9]+$`)
	texts := []string{""}
	for begin := 0; len(texts) < 20000; {
		end := len(texts)
		for _, text := range texts[begin:end] {
			for _, sign := range "-09. %K" {
				texts = append(texts, text+string(sign))
			}
		}
		begin = end
	}
	for _, text := range texts {
		if got, want := isDecimal(text), decimal.MatchString(text); got != want {
			t.Errorf("isDecimal(%q) = %v, want %v", text, got, want)
		}
		n, rest, ok := cutNumber(text)
		// Callers want a unit behind the number, so what else follows is no match either.
		ok = ok && (rest == "" || rest[0] == '%' || rest[0] == 'K')
		m := number.FindStringSubmatch(text)
		if ok != (m != nil) || ok && (n != m[1] || rest != m[2]) {
			t.Errorf("cutNumber(%q) = %q, %q, %v, want %q", text, n, rest, ok, m)
		}
	}
}

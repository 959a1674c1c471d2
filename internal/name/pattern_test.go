package name

import (
	"strings"
	"testing"
	"time"
)

func TestPatternMatch(t *testing.T) {
	const (
		saxpy  = "_ZN3lin5saxpyIfEEviT_PKS1_PS1_"                          // lin::saxpy<float>
		kernel = "_Z1kIiLb1EEvv"                                           // k<int, true>
		nested = "_Z1kI3VecIfEEvT_"                                        // k<Vec<float> >
		ptr    = "_Z1kIPKfEvT_"                                            // k<float const*>
		uns    = "_Z1kILj128EjEvT0_"                                       // k<128u, unsigned int>
		neg    = "_Z1kILin3EEvv"                                           // k<-3>
		hidden = "_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf" // (anonymous namespace)::hidden
		static = "_ZN39_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc9atomicAddEPff"
		umlaut = "_Z6größeePf" // größe with two bytes for ö and ß each: not 6 bytes, so not mangled
		wraps  = "__nv_static_29__16_CUDA_HOG_cpp1_ii_04c76ffe__Z3hogPf"
	)
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"saxpy", "saxpy", true},
		{"saxpy", "saxpy2", false},
		{"saxpy", "_Z5saxpyPf", true},
		{"saxpy", saxpy, false}, // the whole name, with its namespace
		{"lin::saxpy", saxpy, false},
		{"lin::saxpy<float>", saxpy, true},
		{"lin::saxpy<double>", saxpy, false},
		{"lin::saxpy<*>", saxpy, true},
		{"lin::*", saxpy, true},
		{"lin::saxpy<?loat>", saxpy, true},
		{"lin::saxpy<??loat>", saxpy, false},
		{"*", saxpy, true},
		{"**", "", true},
		{"*saxpy*", saxpy, true},
		{"*saxpy", saxpy, false},
		{"void lin::saxpy<float>", saxpy, false}, // no return type
		{"lin::saxpy<float>(*", saxpy, false},    // no parameters
		{saxpy, saxpy, true},
		{"_ZN3lin5saxpy*", saxpy, true},
		{"_ZN3lin5saxpyIdEEviT_PKS1_PS1_", saxpy, false},
		{" lin::saxpy<float> ", saxpy, true},

		{"k<int, (bool)1>", kernel, true},
		{"k<int,(bool)1>", kernel, true},
		{"k<int, true>", kernel, true},
		{"k< int , true >", kernel, true},
		{"k<int, (bool)0>", kernel, false},
		{"k<int, (bool)*>", kernel, true},
		{"k<Vec<float>>", nested, true},
		{"k<Vec<float> >", nested, true},
		{"k<float const*>", ptr, true},
		{"k<float const *>", ptr, true},
		{"k<128u, unsigned int>", uns, true},
		{"k<(unsigned int)128, unsigned int>", uns, true},
		{"k<(unsigned int)128,unsigned  int>", uns, true},
		{"k<(unsigned int)*,unsigned int>", uns, true},
		{"k<128u, unsignedint>", uns, false},
		{"k<(int)-3>", neg, true},
		{"k<-3>", neg, true},
		{"k<(int)-4>", neg, false},

		{"(anonymous namespace)::hidden", hidden, true},
		{"<unnamed>::hidden", hidden, true},
		{"(anonymous namespace)::*", hidden, true},
		{"*::hidden", hidden, true},
		{"hidden", hidden, false},
		{"_GLOBAL__N__99999999_9_basics_cu_main::hidden", hidden, true},
		{hidden, hidden, true},
		{"_ZN40_GLOBAL__N__cef70a57_9_basics_cu_scale_c6hiddenEPf", hidden, true}, // another build
		{"_ZN23_GLOBAL__N__9_basics_cu6hiddenEPf", hidden, true},                  // canonical
		{"_ZN40_GLOBAL__N__cef70a57_9_others_cu_scale_c6hiddenEPf", hidden, false},
		{"_ZN40_GLOBAL__N__????????_9_basics_cu_scale_c6hiddenEPf", hidden, true},
		{"_INTERNAL_00000000_9_bounds_cu_12345678::atomicAdd", static, true},
		{"_INTERNAL_9_bounds_cu::atomicAdd", static, true},
		{"_INTERNAL_*::atomicAdd", static, true},
		{"hog", wraps, true},
		{wraps, wraps, true},

		{"gr??e*", umlaut, false},
		{"_Z6gr??ee*", umlaut, true}, // one character each
		{"_Z6gr????ee*", umlaut, false},
		{"*?", "", false},
		{"?*", "a", true},
		{"*ß?e*", umlaut, true},
		{`lin::\*`, "lin::*", true},
		{`lin::\*`, "lin::x", false},
		{`a\?\\b`, `a?\b`, true},

		{"re:lin::.*", saxpy, true},
		{"re:saxpy", saxpy, false}, // the whole name
		{"re:.*saxpy.*", saxpy, true},
		{"re:lin::saxpy<(float|double)>", saxpy, true},
		{"re:_ZN3lin5saxpyI[fd]E.*", saxpy, true},
		{"re:(?i)LIN::SAXPY<FLOAT>", saxpy, true},
		{"re:a|lin::saxpy<float>", saxpy, true},
		{"re:k<int, true>", kernel, true}, // regular expressions see the name as c++filt prints it
		{"re:k<int,true>", kernel, false},
		{`re:\(anonymous namespace\)::hidden`, hidden, true},
		{"re:.*9_basics_cu6hidden.*", hidden, true}, // the canonical form
	}
	for _, tt := range tests {
		p, err := CompilePattern(tt.pattern)
		if err != nil {
			t.Errorf("CompilePattern(%q): %v", tt.pattern, err)
			continue
		}
		if got := p.Match(tt.name); got != tt.want {
			t.Errorf("pattern %q, name %q (%s): %v, want %v", tt.pattern, tt.name, Qualified(tt.name), got, tt.want)
		}
		if p.String() != tt.pattern {
			t.Errorf("String() = %q, want %q", p.String(), tt.pattern)
		}
	}
}

func TestCompilePatternErrors(t *testing.T) {
	tests := []struct{ pattern, want string }{
		{"", "the pattern is empty"},
		{"  ", "the pattern is blank"},
		{"re:", "nothing follows"},
		{"re:a(b", "missing closing )"},
		{"re:a)b(", "unexpected )"},
		{"re:a{2001}", "invalid repeat count"},
		{"re:" + strings.Repeat("a{999}", 20), "the regular expression is too large: 19982 steps"},
		{`a\b`, "a backslash stands before"},
		{`a\`, "a backslash stands before"},
		{"a\xffb", "not valid UTF-8"},
		{"a\x00b", "NUL"},
		{strings.Repeat("a", maxPatternBytes+1), "at most 65536"},
		{"re:" + strings.Repeat("a", maxRegexpBytes+1), "at most 4096"},
	}
	for _, tt := range tests {
		_, err := CompilePattern(tt.pattern)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CompilePattern(%.40q): %v, want an error that says %q", tt.pattern, err, tt.want)
		}
	}
}

// A matcher that tries every way to divide a name among the stars needs more
// than the age of the universe for these.
func TestPatternMatchIsNotExponential(t *testing.T) {
	name := strings.Repeat("a", 16<<10)
	for _, pattern := range []string{
		strings.Repeat("a*", 200) + "b",
		strings.Repeat("*a", 200) + "b",
		strings.Repeat("*?a", 200) + "b",
		"*" + strings.Repeat("?", 1000) + "b",
		"re:(a*)*b",
		"re:" + strings.Repeat("a?", 100) + strings.Repeat("a", 100) + "b",
	} {
		p, err := CompilePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if p.Match(name) {
			t.Errorf("%.20q matches", pattern)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%.20q took %v", pattern, took)
		}
	}
}

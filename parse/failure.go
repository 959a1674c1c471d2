package parse

import "bytes"

// failure recognises the lines by which compilers and build tools say that
// they stopped. A pipe hides the exit code, so these lines are all that tells
// a finished build from a failed one.
func failure(b []byte, m *message) bool {
	t := bytes.TrimSpace(b)
	if len(t) < 8 || !failed(t) {
		return false
	}
	m.kind, m.text = msgFailure, t
	return true
}

func failed(t []byte) bool {
	if i := bytes.Index(t, []byte("rror")); i >= 0 && errorLine(t) {
		return true
	}
	for _, sign := range failureSigns {
		if i := bytes.Index(t, []byte(sign.text)); i >= 0 && (!sign.first || wrapperOnly(t[:i])) {
			return true
		}
	}
	return false
}

// failureSigns are lines without the word error in a fixed place. first says
// that the sign must begin the line, but for a wrapper.
var failureSigns = [...]struct {
	text  string
	first bool
}{
	{": *** ", false},                    // make
	{"ninja: build stopped", true},       // ninja
	{"ninja: fatal: ", true},             //
	{" failed: (Exit ", false},           // Bazel
	{"FAILED: ", true},                   // ninja, Bazel
	{"CMake Error", true},                //
	{"-- Configuring incomplete", true},  // CMake
	{"Build FAILED.", true},              // MSBuild
	{"scons: building terminated", true}, //
	{" detected in the compilation of ", false},
	{"did not complete successfully: exit code", false}, // BuildKit
	{"failed to solve: ", false},                        //
	{"returned non-zero exit status", false},            // Python's subprocess, docker
	{"##[error]", true},                                 // GitHub Actions, Azure
	{"ERROR: Failed building wheel", true},              // pip
	{"ERROR: Build did NOT complete", true},             // Bazel
	{"Segmentation fault", true},
}

// errorLine recognises `FILE(N): error`, `FILE:N:M: fatal error:`, `tool:
// error:` and `error:` at the start of a line.
func errorLine(t []byte) bool {
	for i := 0; ; {
		n := bytes.Index(t[i:], []byte("error"))
		if n < 0 {
			return false
		}
		i += n
		after := t[i+len("error"):]
		s := i
		if hasSuffix(t[:s], "fatal ") {
			s -= len("fatal ")
		}
		i += len("error")
		if !errorTail(after) {
			continue
		}
		before := t[:s]
		if wrapperOnly(before) {
			return true
		}
		if located(bytes.TrimRight(before, " ")) {
			return true
		}
	}
}

// errorTail reports whether what follows the word makes it a diagnostic:
// `error: …`, `error : …`, `error C2065: …`, `error #20: …`, `error[E0425]: …`.
func errorTail(after []byte) bool {
	if len(after) == 0 {
		return false
	}
	switch after[0] {
	case ':', '[':
		return true
	case ' ':
		rest := bytes.TrimLeft(after, " ")
		i := 0
		for i < len(rest) && (isWordByte(rest[i]) || rest[i] == '#' || rest[i] == '-') {
			i++
		}
		return i < len(rest) && rest[i] == ':' && i < 12
	}
	return false
}

// located reports whether before ends as the front of a diagnostic does:
// `FILE(12):`, `FILE(12,3):`, `FILE:12:`, `g++:`, `MSBUILD :`.
func located(before []byte) bool {
	n := len(before)
	if n < 2 || before[n-1] != ':' {
		return false
	}
	b := bytes.TrimRight(before[:n-1], " ")
	n = len(b)
	if n == 0 {
		return false
	}
	switch c := b[n-1]; {
	case c == ')':
		return n > 2 && b[n-2]-'0' < 10
	case c-'0' < 10:
		i := n
		for i > 0 && b[i-1]-'0' < 10 {
			i--
		}
		if i > 1 && b[i-1] == ':' {
			return true
		}
	}
	// A tool's own name, alone on the line but for a wrapper.
	w := n
	for w > 0 && (isToolByte(b[w-1]) || b[w-1] == '/' || b[w-1] == '\\') {
		w--
	}
	return w < n && wrapperOnly(b[:w])
}

// wrapperOnly reports whether text before a message can be a wrapper's: a
// time, a step, a service's name behind a bar; never the words of a sentence.
func wrapperOnly(b []byte) bool {
	t := bytes.TrimRight(b, " \t")
	if len(t) == 0 {
		return true
	}
	switch c := t[len(t)-1]; c {
	case '>', '|', ']', ')', 'Z':
		return true
	default:
		return c-'0' < 10
	}
}

package capture

import (
	"bytes"
	"strings"
	"testing"
)

// chunk is one write of one stream.
type chunk struct {
	s stream
	p string
}

func TestMerger(t *testing.T) {
	long := strings.Repeat("x", maxHeldLine+1)
	tests := []struct {
		name   string
		chunks []chunk
		want   string
		lines  string // the stream of each line: o or e
	}{
		{"whole lines", []chunk{{stdout, "a\nb\n"}, {stderr, "c\n"}}, "a\nb\nc\n", "ooe"},
		{"a line in pieces", []chunk{{stdout, "a"}, {stderr, "c\n"}, {stdout, "b\n"}}, "c\nab\n", "eo"},
		{"the end of one line with the start of another", []chunk{{stdout, "a\nb"}, {stderr, "c\n"}, {stdout, "\n"}}, "a\nc\nb\n", "oeo"},
		{"unfinished lines", []chunk{{stderr, "e"}, {stdout, "o"}}, "o\ne", "oe"},
		{"one unfinished line", []chunk{{stderr, "a\ne"}}, "a\ne", "ee"},
		{"a line too long to hold, continued", []chunk{{stdout, long}, {stdout, "y\nz\n"}}, long + "y\nz\n", "oo"},
		{"a line too long to hold, interrupted", []chunk{{stdout, long}, {stderr, "c\n"}, {stdout, "y\n"}}, long + "\nc\ny\n", "oeo"},
		{"a line too long to hold, twice", []chunk{{stdout, long}, {stdout, long}, {stdout, "\n"}}, long + long + "\n", "o"},
		{"a line too long to hold, unfinished", []chunk{{stderr, long}, {stdout, "o"}}, long + "\no", "eo"},
		{"a line too long to hold, more of it unfinished", []chunk{{stderr, long}, {stderr, "e"}, {stdout, "o"}}, long + "e\no", "eo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			m := &merger{w: &log}
			for _, c := range tt.chunks {
				m.write(c.s, []byte(c.p))
			}
			m.flush()
			if log.String() != tt.want {
				t.Errorf("got %.60q, want %.60q", log.String(), tt.want)
			}
			var lines strings.Builder
			for line := range strings.Lines(log.String()) {
				lines.WriteString(map[stream]string{stdout: "o", stderr: "e"}[m.origins.claim([]byte(line))])
			}
			if lines.String() != tt.lines {
				t.Errorf("streams %s, want %s", lines.String(), tt.lines)
			}
			if rest := len(m.origins.lines); rest > 1 || rest == 1 && strings.HasSuffix(tt.want, "\n") {
				t.Errorf("%d lines left that nobody wrote", rest)
			}
		})
	}
}

package tune

import (
	"strings"
	"testing"
)

// What is no result of tuning must not become an empty section of a report.
func TestReadJSONRefuses(t *testing.T) {
	tests := []struct{ text, fault string }{
		{`{"schema": 1}`, "it has no kernels"},
		{`{"schema": 1, "kernels": []}`, "it has no kernels"},
		{`{"schema": 1, "kernels": [{"name": "k", "rows": []}]}`, "no rows of variants for k"},
		{`{"schema": 1, "kernels": [{"name": "k", "registers": 32}]}`, "no rows of variants for k"},
		{`{"schema": 1, "kernels": [{"name": "k", "rows": [{"registers": 32}]}]}`, "no rows of variants for k"},
		{`{"schema": 2, "kernels": []}`, "schema 2"},
		{`{"schema": 1, "kernels": [{"name": "k", "rows": [{"variant": "none", "method": "ptx"}]}]} {}`, "after top-level value"},
		{"", "unexpected end"},
		{"[]", "cannot unmarshal"},
	}
	for _, tt := range tests {
		if _, err := ReadJSON(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%q: got %v, want an error with %q", tt.text, err, tt.fault)
		}
	}
	if _, err := ReadJSON(strings.NewReader(`{"schema": 1, "kernels": [{"name": "k", "rows": [{"variant": "none", "method": "ptx"}]}]}`)); err != nil {
		t.Errorf("a row that is there is refused: %v", err)
	}
}

package examples

import (
	"os"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestWorkflows: the CI files in docs/ci.md are YAML, and what they hand to the
// action and take from it exists.
func TestWorkflows(t *testing.T) {
	text, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	definition, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(definition, &a); err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of YAML, want GitHub's and GitLab's", len(blocks))
	}
	used := 0
	for _, block := range blocks {
		var file struct {
			Jobs map[string]struct {
				Steps []struct {
					ID, Uses string
					With     map[string]string
				}
			}
		}
		var whole map[string]any
		if err := yaml.Unmarshal([]byte(block[1]), &whole); err != nil {
			t.Fatalf("%v in:\n%s", err, block[1])
		}
		if err := yaml.Unmarshal([]byte(block[1]), &file); err != nil {
			t.Fatal(err)
		}
		for _, job := range file.Jobs {
			for _, step := range job.Steps {
				if step.ID != "occlint" {
					continue
				}
				used++
				for name := range step.With {
					if _, ok := a.Inputs[name]; !ok {
						t.Errorf("the action has no input %q", name)
					}
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`steps\.occlint\.outputs\.([a-z-]+)`).FindAllStringSubmatch(string(text), -1) {
		if _, ok := a.Outputs[m[1]]; !ok {
			t.Errorf("the action has no output %q", m[1])
		}
	}
	if used != 1 {
		t.Errorf("the action is used %d times, want once", used)
	}
}

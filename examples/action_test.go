package examples

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// action is action.yml as far as it can run without GitHub: composite steps of
// bash.
type action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Uses, Shell, Run string
			Dir                      string `yaml:"working-directory"`
			Env                      map[string]string
		}
	}
}

// runner runs an action as GitHub's does: each step's script in bash, with
// outputs, path additions and the summary in files.
type runner struct {
	*site
	action action
	values map[string]string // inputs.x and steps.x.outputs.y
	temp   string
	output string // all that the steps printed
	code   int    // of the first step that failed
	build  bool   // run the step that builds occlint; else take the one that is built
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z0-9_.-]+) *\}\}`)

func newRunner(s *site, inputs map[string]string) *runner {
	s.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		s.Fatal(err)
	}
	r := &runner{site: s, values: map[string]string{"github.action_path": root}, temp: s.TempDir()}
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		s.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &r.action); err != nil {
		s.Fatal(err)
	}
	for name, in := range r.action.Inputs {
		r.values["inputs."+name] = in.Default
	}
	for name, value := range inputs {
		if _, ok := r.action.Inputs[name]; !ok {
			s.Fatalf("the action has no input %q", name)
		}
		r.values["inputs."+name] = value
	}
	for _, f := range []string{"path", "summary"} {
		if err := os.WriteFile(filepath.Join(r.temp, f), nil, 0o644); err != nil {
			s.Fatal(err)
		}
	}
	s.env = append(s.env,
		"GITHUB_ACTIONS=true", "RUNNER_TEMP="+r.temp, "GITHUB_ACTION_PATH="+root, "GITHUB_WORKSPACE="+s.dir,
		"GITHUB_PATH="+filepath.Join(r.temp, "path"), "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"))
	return r
}

// expand puts the values in the place of ${{ expressions }}.
func (r *runner) expand(s string) string {
	return expression.ReplaceAllStringFunc(s, func(e string) string {
		return r.values[expression.FindStringSubmatch(e)[1]]
	})
}

var comparison = regexp.MustCompile(`^([a-z0-9_.-]+) (==|!=) '([^']*)'$`)

// holds evaluates the condition of a step: comparisons joined by &&.
func (r *runner) holds(condition string) bool {
	for _, c := range strings.Split(condition, " && ") {
		if c == "" {
			continue
		}
		m := comparison.FindStringSubmatch(c)
		if m == nil {
			r.Fatalf("the condition %q is beyond this test", condition)
		}
		if (r.values[m[1]] == m[3]) != (m[2] == "==") {
			return false
		}
	}
	return true
}

func (r *runner) runSteps() {
	r.Helper()
	for i, step := range r.action.Runs.Steps {
		if step.Uses != "" || !r.holds(step.If) {
			continue
		}
		if step.ID == "build" && !r.build {
			r.install()
			continue
		}
		if step.Shell != "bash" {
			r.Fatalf("step %d: shell %q, want bash", i, step.Shell)
		}
		if strings.Contains(step.Run, "${{") {
			r.Fatalf("step %d puts an expression into its script, where a name can become code: hand it over in env", i)
		}
		outputs := filepath.Join(r.temp, fmt.Sprint("output", i))
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir = filepath.Join(r.dir, r.expand(step.Dir))
		cmd.Env = append(append([]string{}, r.env...), "GITHUB_OUTPUT="+outputs)
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+r.expand(value))
		}
		out, err := cmd.CombinedOutput()
		r.output += string(out)
		text, _ := os.ReadFile(outputs)
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			r.values["steps."+step.ID+".outputs."+name] = value
		}
		if err != nil {
			r.code = cmd.ProcessState.ExitCode()
			return
		}
		path, _ := os.ReadFile(filepath.Join(r.temp, "path"))
		for line := range strings.Lines(string(path)) {
			r.env = append(r.env, "PATH="+strings.TrimSpace(line)+string(filepath.ListSeparator)+lastPath(r.env))
		}
	}
}

// install does what the step that builds occlint does, without the wait.
func (r *runner) install() {
	r.Helper()
	dir := filepath.Join(r.temp, "occlint")
	if err := os.Mkdir(dir, 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(built, "occlint"), filepath.Join(dir, "occlint")); err != nil {
		r.Fatal(err)
	}
	r.env = append(r.env, "PATH="+dir+string(filepath.ListSeparator)+lastPath(r.env))
}

func lastPath(env []string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if path, ok := strings.CutPrefix(env[i], "PATH="); ok {
			return path
		}
	}
	return ""
}

// out returns an output of the action.
func (r *runner) out(name string) string { return r.expand(r.action.Outputs[name].Value) }

func (r *runner) file(path string) string {
	r.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

func TestAction(t *testing.T) {
	needs(t, "bash", "make")
	fake := filepath.Join(built, "fake")
	tests := []struct {
		name, example string
		inputs        map[string]string
		code          int
		output        string // pattern in what the steps print
		summary       string // pattern in the job summary
	}{
		{
			"a clean build", "make", map[string]string{"run": "make WRAP="}, 0,
			`^3 kernels on sm_90: no findings$`, `occlint`,
		},
		{
			"records of a build under wrap", "make", map[string]string{"run": "make -j4"}, 0,
			`^3 kernels on sm_90: no findings$`, `occlint`,
		},
		{
			"a finding, annotated", "generate", map[string]string{"run": "nvcc -arch=sm_90 -cubin -o scan.cubin scan.cu"}, 1,
			`^::error file=scan\.cu,line=3,.*scan reaches 9 of 12`, `scan`,
		},
		{
			"a finding that is allowed", "generate",
			map[string]string{"run": "nvcc -arch=sm_90 -cubin -o scan.cubin scan.cu", "args": "--exit-zero\n--show-info"}, 0,
			`scan reaches 9 of 12`, `scan`,
		},
		{
			"a build that fails", "make", map[string]string{"run": "make WRAP= && exit 7"}, 7,
			`bash exited with status 7`, `occlint`,
		},
		{
			"a pipe that fails", "make", map[string]string{"run": "false | cat"}, 1,
			`bash exited with status 1`, `occlint`,
		},
		{"nothing to do", "make", nil, 2, `^::error title=occlint::give the action a command to run, or logs$`, ``},
		{"both, without records", "make", map[string]string{"run": "true", "logs": "build"}, 3, `cannot read the record directory`, ``},
		{
			"logs", "make", map[string]string{"logs": "replay/saxpy.log\nreplay/stencil.log", "args": "--no-config"}, 0,
			`^2 kernels on sm_90: no findings$`, `occlint`,
		},
		{
			"another directory", "make", map[string]string{"logs": "saxpy.log\nstencil.log", "working-directory": "replay", "args": "--no-config"}, 0,
			`^2 kernels on sm_90: no findings$`, `occlint`,
		},
		{
			"a base that is not there", "make", map[string]string{"run": "make WRAP=", "base": "none.json"}, 0,
			`^::notice title=occlint::no base to compare with: none\.json is not there$`, `occlint`,
		},
		{
			"a base with a command in it", "make", map[string]string{"run": "make WRAP=", "base": "100%\n::error::no"}, 0,
			`^::notice title=occlint::no base to compare with: 100%25%0A::error::no is not there$`, `occlint`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRunner(newSite(t, tt.example, fake), tt.inputs)
			r.runSteps()
			if r.code != tt.code {
				t.Errorf("exit %d, want %d\n%s", r.code, tt.code, r.output)
			}
			r.wants(r.output, tt.output)
			r.wants(r.file(filepath.Join(r.temp, "summary")), tt.summary)
			// The two that fail with 1 are told apart: a build that failed is no base.
			whole := tt.code == 0 || tt.name == "a finding, annotated"
			if want := strconv.FormatBool(whole); tt.inputs != nil && r.out("complete") != want {
				t.Errorf("output complete is %q, want %s", r.out("complete"), want)
			}
			if tt.code < 2 && r.out("exit-code") != strconv.Itoa(tt.code) {
				t.Errorf("output exit-code is %q", r.out("exit-code"))
			}
		})
	}
}

// TestActionCompares: the report of one run is the base of the next.
// TestActionJudgesRecords: a change that compiles nothing is judged by the
// records of the whole build, where there are some.
func TestActionJudgesRecords(t *testing.T) {
	needs(t, "bash", "make")
	s := newSite(t, "make", filepath.Join(built, "fake"))
	inputs := map[string]string{"run": "make -j4", "logs": "build"}
	for _, compiled := range []string{"3 files", "none"} {
		r := newRunner(s, inputs)
		r.runSteps()
		r.wants(r.output, `^3 kernels on sm_90: no findings$`)
		if r.code != 0 || r.out("complete") != "true" {
			t.Errorf("%s: exit %d, complete %q\n%s", compiled, r.code, r.out("complete"), r.output)
		}
	}
	// Without them there is nothing to judge.
	r := newRunner(s, map[string]string{"run": "make -j4"})
	r.runSteps()
	if r.code != 3 {
		t.Errorf("exit %d, want 3\n%s", r.code, r.output)
	}
}

func TestActionCompares(t *testing.T) {
	needs(t, "bash", "make")
	s := newSite(t, "make", filepath.Join(built, "fake"))
	base := newRunner(s, map[string]string{"run": "make WRAP="})
	base.build = true
	base.runSteps()
	if base.code != 0 || base.out("report") == "" || base.out("comment") != "" {
		t.Fatalf("exit %d, report %q, comment %q\n%s", base.code, base.out("report"), base.out("comment"), base.output)
	}
	// One kernel needs eight registers more; its log is edited as if it did.
	log := filepath.Join(s.dir, "replay", "stencil.log")
	worse := strings.Replace(base.file(log), "Used 32 registers", "Used 40 registers", 1)
	if err := os.WriteFile(log, []byte(worse), 0o644); err != nil {
		t.Fatal(err)
	}
	s.edit("stencil.cu")
	branch := newRunner(s, map[string]string{"run": "make -B WRAP=", "base": base.out("report")})
	branch.runSteps()
	if branch.code != 0 || branch.out("comment") == "" {
		t.Fatalf("exit %d, comment %q\n%s", branch.code, branch.out("comment"), branch.output)
	}
	comment := branch.file(branch.out("comment"))
	branch.wants(comment, `stencil27.*32.*40`)
	branch.wantsNot(comment, `saxpy`)
	branch.wants(branch.file(filepath.Join(branch.temp, "summary")), `stencil27.*32.*40`)
}

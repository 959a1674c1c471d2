package parse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// numbersOf is what a record states, without where it was stated.
func numbersOf(k *parse.Kernel) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s %s", k.Name, k.Arch, k.Kind, k.Stage, k.Defect)
	for i, n := range [...]parse.Count{
		k.Registers, k.Barriers, k.SharedBytes, k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes,
		k.CumulativeStackBytes, k.LocalBytes, k.Textures, k.Surfaces, k.Samplers,
	} {
		b.WriteString(countNames[i] + n.String())
	}
	for bank, bytes := range k.ConstBytes.All() {
		fmt.Fprintf(&b, " c%d=%d", bank, bytes)
	}
	return b.String()
}

var countNames = [...]string{
	" Registers:", " Barriers:", " SharedBytes:", " StackBytes:", " SpillStoreBytes:", " SpillLoadBytes:",
	" CumulativeStackBytes:", " LocalBytes:", " Textures:", " Surfaces:", " Samplers:",
}

// separate reads the logs of one job each and returns the numbers by name.
func separate(t *testing.T, pattern string, skip ...string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("no logs match %s (%v)", pattern, err)
	}
	truth := map[string]string{}
	for _, f := range files {
		rel, _ := filepath.Rel(corpus, f)
		rel = filepath.ToSlash(rel)
		skipped := false
		for _, s := range skip {
			skipped = skipped || strings.Contains(rel, s)
		}
		if skipped {
			continue
		}
		l := readLog(t, rel)
		if len(l.Faults) > 0 {
			t.Fatalf("%s: faults in a log of one job: %+v", rel, l.Faults)
		}
		for _, kernel := range l.Kernels() {
			k := &kernel
			if was, twice := truth[k.Name]; twice && was != numbersOf(k) {
				t.Fatalf("%s: %s has two truths", rel, k.Name)
			}
			truth[k.Name] = numbersOf(k)
		}
	}
	return truth
}

func TestParallelBuildInBursts(t *testing.T) {
	truth := separate(t, "parallel-nvcc12.4/*.log", "interleaved", "shuffled", "make")
	l := readLog(t, "parallel-nvcc12.4/interleaved-j8.log")
	if l.Len() != 82 || len(truth) != 82 {
		t.Fatalf("%d kernels in the mixed log, %d in the separate ones, want 82", l.Len(), len(truth))
	}
	for _, kernel := range l.Kernels() {
		if k := &kernel; numbersOf(k) != truth[k.Name] {
			t.Errorf("%s:\n got %s\nwant %s", k.Name, numbersOf(k), truth[k.Name])
		}
	}
	if len(l.Faults) > 0 {
		t.Errorf("faults: %+v", l.Faults)
	}
}

// TestMixedBuilds reads logs whose jobs wrote between each other's lines. A
// record is whole and right, or it is marked and states nothing wrong.
func TestMixedBuilds(t *testing.T) {
	for _, test := range []struct {
		log, units string
		skip       []string
		records    int
		// whole is how many records were found whole when this was written.
		// More is better; fewer is a loss.
		whole int
	}{
		{"parallel-nvcc12.4/make-j16-delay3000us.log", "parallel-nvcc12.4/units/u*.log", nil, 144, 99},
		{"parallel-nvcc12.4/make-O-j16-delay3000us.log", "parallel-nvcc12.4/units/u*.log", nil, 144, 144},
		{"parallel-nvcc12.4/shuffled.log", "parallel-nvcc12.4/*.log", []string{"interleaved", "shuffled", "make"}, 82, 7},
	} {
		t.Run(test.log, func(t *testing.T) {
			truth := separate(t, test.units, test.skip...)
			l := readLog(t, test.log)
			if l.Len() != test.records {
				t.Errorf("%d records, want %d", l.Len(), test.records)
			}
			whole := 0
			for _, kernel := range l.Kernels() {
				k := &kernel
				want, known := truth[k.Name]
				switch {
				case !known:
					t.Errorf("%s is in no separate log", k.Name)
				case k.Defect == 0:
					whole++
					if got := numbersOf(k); !sameOrAbsentArch(got, want, k) {
						t.Errorf("%s:\n got %s\nwant %s", k.Name, got, want)
					}
				default:
					checkNothingWrong(t, k, truth)
				}
			}
			if whole < test.whole {
				t.Errorf("%d records are whole, want %d at least", whole, test.whole)
			}
			t.Logf("%d of %d whole", whole, l.Len())
		})
	}
}

// sameOrAbsentArch allows a function of a mixed log to have no architecture.
func sameOrAbsentArch(got, want string, k *parse.Kernel) bool {
	if k.Kind == parse.Function && k.Arch == "" {
		c := *k
		for _, arch := range []string{"sm_80", "sm_86"} {
			c.Arch = arch
			if numbersOf(&c) == want {
				return true
			}
		}
	}
	return got == want
}

// checkNothingWrong checks that a marked record states no number that the
// record in the log of its own job does not.
func checkNothingWrong(t *testing.T, k *parse.Kernel, truth map[string]string) {
	t.Helper()
	for what, n := range map[string]parse.Count{
		"Registers": k.Registers, "StackBytes": k.StackBytes, "SpillStoreBytes": k.SpillStoreBytes,
		"SpillLoadBytes": k.SpillLoadBytes, "SharedBytes": k.SharedBytes, "CumulativeStackBytes": k.CumulativeStackBytes,
	} {
		if n.Stated() && !strings.Contains(truth[k.Name], " "+what+":"+n.String()+" ") {
			t.Errorf("%s: %s = %v, in its own log: %s", k.Name, what, n, truth[k.Name])
		}
	}
}

// TestMixedBuildOwners checks make-j16-delay3000us.log line by line against
// the recorded truth of which unit wrote it. A Used line that came while one
// entry had its properties and no Used line, with no other such entry since
// the last time that none was open, must be in the record of its unit's entry.
func TestMixedBuildOwners(t *testing.T) {
	const log = "parallel-nvcc12.4/make-j16-delay3000us.log"
	lines := readLines(t, log)
	owners := readLines(t, strings.TrimSuffix(log, ".log")+".owners")
	if len(owners) != len(lines) {
		t.Fatalf("%d owners for %d lines", len(owners), len(lines))
	}
	got := map[string]*parse.Kernel{}
	l := readLog(t, log)
	for _, k := range l.Kernels() {
		got[k.Name] = &k
	}
	var compiling = map[string]bool{}
	inUnit := map[string]string{} // the entry that each unit is in
	open, group, certain := 0, 0, 0
	for i, line := range lines {
		unit := strings.Split(owners[i], "\t")[1]
		if name, ok := strings.CutPrefix(line, "ptxas info    : Compiling entry function '"); ok {
			name = strings.TrimSuffix(name, "' for 'sm_80'")
			inUnit[unit], compiling[name] = name, true
		} else if name, ok := strings.CutPrefix(line, "ptxas info    : Function properties for "); ok && compiling[name] {
			open++
			group++
		} else if used, ok := strings.CutPrefix(line, "ptxas info    : Used "); ok {
			if group == 1 {
				certain++
				k := got[inUnit[unit]]
				if k == nil || k.Defect != 0 || !strings.HasPrefix(used, k.Registers.String()+" registers") {
					t.Errorf("line %d is certain to be of %s, whose record is %+v", i+1, inUnit[unit], k)
				}
			}
			if open--; open == 0 {
				group = 0
			}
		}
	}
	if certain < 25 {
		t.Errorf("found %d certain lines, want 25 at least", certain)
	}
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestTaggedJobs reads two real logs whose lines come in turn, as a build
// tool shows that puts the job's name in front of each. Alone, their lines
// could not be told apart.
func TestTaggedJobs(t *testing.T) {
	one, two := readLines(t, "parallel-nvcc12.4/matmul_backward_bias.log"), readLines(t, "parallel-nvcc12.4/layernorm_backward.log")
	for _, tags := range [][2]string{
		{"1>", "2>"}, {"1>  ", "12>  "}, {"trainer-a  | ", "trainer-b  | "}, {"(Worker pid=12) ", "(Worker pid=13) "},
		{"2025-11-02T10:00:00.12Z #7 12.5 ", "2025-11-02T10:00:00.12Z #8 12.5 "}, {"[web] ", "[gpu] "},
	} {
		var b strings.Builder
		for i := range max(len(one), len(two)) {
			if i < len(one) {
				b.WriteString(tags[0] + one[i] + "\n")
			}
			if i < len(two) {
				b.WriteString(tags[1] + two[i] + "\n")
			}
		}
		truth := separate(t, "parallel-nvcc12.4/matmul_backward_bias.log")
		for name, numbers := range separate(t, "parallel-nvcc12.4/layernorm_backward.log") {
			truth[name] = numbers
		}
		l := parseText(t, b.String())
		if l.Len() != len(truth) || len(l.Faults) > 0 {
			t.Errorf("%q: %d records of %d, faults %+v", tags, l.Len(), len(truth), l.Faults)
			continue
		}
		for _, kernel := range l.Kernels() {
			if k := &kernel; numbersOf(k) != truth[k.Name] {
				t.Errorf("%q: %s:\n got %s\nwant %s", tags, k.Name, numbersOf(k), truth[k.Name])
			}
		}
	}
}

// TestCumulativeStack holds real compilers to what the pairing of mixed
// builds rests on: an entry's cumulative stack size is never less than its
// frame, and is its frame where no function of the log has one.
func TestCumulativeStack(t *testing.T) {
	stated, equal := 0, 0
	for _, file := range logFiles(t) {
		l := readLog(t, file)
		if len(l.Faults) > 0 {
			continue
		}
		framed := false
		for _, k := range l.Kernels() {
			framed = framed || k.Kind == parse.Function && k.StackBytes.Or(1) > 0
		}
		for _, kernel := range l.Kernels() {
			k := &kernel
			cumulative, ok := k.CumulativeStackBytes.Value()
			if !ok {
				continue
			}
			stated++
			frame := k.StackBytes.Or(-1)
			if cumulative < frame {
				t.Errorf("%s: %s has a frame of %d bytes and %d cumulative", file, k.Name, frame, cumulative)
			}
			if !framed {
				equal++
				if cumulative != frame {
					t.Errorf("%s: %s has a frame of %d bytes and %d cumulative, though no function has a frame", file, k.Name, frame, cumulative)
				}
			}
		}
	}
	if stated < 300 || equal < 100 {
		t.Errorf("%d entries state a cumulative size, %d of them where no function has a frame", stated, equal)
	}
	t.Logf("%d entries state a cumulative size, %d of them where no function has a frame", stated, equal)
}

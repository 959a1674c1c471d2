package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/occlint/occlint/parse"
)

// linkLog is what nvlink 12.4 prints for a link of one architecture: it names
// none. calls_all takes 171 registers there; ptxas said 24.
const linkLog = `nvlink info    : 0 bytes gmem
nvlink info    : Function properties for '_Z5scalePf':
nvlink info    : used 171 registers, 0 stack, 0 bytes smem, 352 bytes cmem[0], 0 bytes lmem
`

// apartProject compiles scale.cu with -rdc into scale.o, without a link.
func apartProject(t *testing.T, arch string) string {
	t.Helper()
	dir := project(t)
	writeFile(t, filepath.Join(dir, "replay/scale.log"), strings.ReplaceAll(scaleLog, "sm_90", arch))
	writeFile(t, filepath.Join(dir, "replay/dl.log"), linkLog)
	build(t, dir, "nvcc -arch="+arch+" -rdc=true -c scale.cu -o scale.o")
	return dir
}

func build(t *testing.T, dir string, args string) {
	t.Helper()
	if code, _, stderr := wrapped(dir, words(args)...); code != 0 || stderr != "" {
		t.Fatalf("%s: exit %d, %q", args, code, stderr)
	}
}

func unlinked(log *parse.Log) bool {
	return slices.ContainsFunc(log.Compilations, func(c parse.Compilation) bool { return c.Unlinked })
}

// TestUnlinked: a unit that was compiled apart is known to lack its link, until
// a link that took it is recorded, as itself or as a member of an archive.
func TestUnlinked(t *testing.T) {
	dir := apartProject(t, "sm_90")
	if log, _ := load(t, dir, dir); !unlinked(log) || len(log.Faults) != 0 {
		t.Errorf("compiled alone: %+v, %s", log.Compilations, faults(log))
	}
	writeFile(t, filepath.Join(dir, "other.o"), "another object")
	build(t, dir, "nvcc -arch=sm_90 -rdc=true -c scale.cu -o b.o")
	build(t, dir, "nvcc -arch=sm_90 -dlink b.o -o dl.o")
	if log, _ := load(t, dir, dir); !unlinked(log) {
		t.Error("a link of another object counts")
	}
	remove(t, filepath.Join(dir, "b.o"))
	writeArchive(t, filepath.Join(dir, "liba.a"), "a_name_longer_than_fifteen.o", readFile(t, filepath.Join(dir, "scale.o")))
	build(t, dir, "nvcc -arch=sm_90 -dlink liba.a -o dl.o")
	log, _ := load(t, dir, dir)
	if unlinked(log) || len(log.Faults) != 0 {
		t.Errorf("linked from an archive: %+v, %s", log.Compilations, faults(log))
	}
	// Not apart: nothing to link.
	plain := project(t)
	build(t, plain, strings.Join(compileScale, " "))
	if log, _ := load(t, plain, plain); unlinked(log) {
		t.Error("a whole program counts as apart")
	}
}

// writeArchive writes an ar archive of one member with a long name, as GNU ar
// lays it out.
func writeArchive(t *testing.T, path, name, body string) {
	t.Helper()
	header := func(name string, size int) string {
		return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", size)
	}
	long := name + "/\n"
	if len(long)%2 == 1 {
		long += "\n"
	}
	writeFile(t, path, "!<arch>\n"+header("//", len(long))+long+header("/0", len(body))+body+strings.Repeat("\n", len(body)%2))
}

// TestStaleLink: the numbers of a link hold while its objects are those that it
// took, and each has a record.
func TestStaleLink(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, dir string)
		fault  string
	}{
		{"nothing", func(*testing.T, string) {}, ""},
		{"an object is touched", func(t *testing.T, dir string) {
			touch(t, filepath.Join(dir, "scale.o"), time.Now().Add(time.Hour))
		}, ""},
		{"an object is made again", func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "scale.cu"), "// edited\n")
			build(t, dir, "nvcc -arch=sm_90 -rdc=true -c scale.cu -o scale.o")
		}, "dl.o: the record of dl.o is stale: scale.o, which it links, was made again since; delete dl.o and build again"},
		{"an object never had a record", func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "past.o"), "device code, for all one knows")
			build(t, dir, "nvcc -arch=sm_90 -dlink scale.o past.o -o dl.o")
		}, "past.o, which it links, has no record: it was compiled without occlint wrap; delete it and build again"},
		{"an archive has another object", func(t *testing.T, dir string) {
			writeArchive(t, filepath.Join(dir, "liba.a"), "past.o", "device code, for all one knows")
			build(t, dir, "nvcc -arch=sm_90 -dlink scale.o liba.a -o dl.o")
		}, "liba.a(past.o), which it links, has no record: it was compiled without occlint wrap, or again since; delete liba.a and build again"},
		{"an archive of elsewhere", func(t *testing.T, dir string) {
			lib := filepath.Join(t.TempDir(), "libb.a")
			writeArchive(t, lib, "past.o", "the toolkit's")
			build(t, dir, "nvcc -arch=sm_90 -dlink scale.o "+lib+" -o dl.o")
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := apartProject(t, "sm_90")
			build(t, dir, "nvcc -arch=sm_90 -dlink scale.o -o dl.o")
			tt.change(t, dir)
			log, _ := load(t, dir, dir)
			if got := faults(log); !strings.Contains(got, tt.fault) || tt.fault == "" && got != "" {
				t.Errorf("faults %q, want %q", got, tt.fault)
			}
		})
	}
}

// TestLinkTarget: nvlink names no architecture where it links one; the command
// line does, so that shards of one architecture each are judged together as
// they are apart.
func TestLinkTarget(t *testing.T) {
	var dirs []string
	for _, arch := range []string{"sm_80", "sm_90"} {
		dir := apartProject(t, arch)
		build(t, dir, "nvcc -arch="+arch+" -dlink scale.o -o dl.o")
		dirs = append(dirs, dir)
	}
	log, _ := load(t, dirs[0], dirs...)
	var got []string
	for _, k := range log.Kernels() {
		got = append(got, fmt.Sprintf("%s %s %v", k.Arch, k.Stage, k.Registers))
	}
	slices.Sort(got)
	if want := "sm_80 nvlink 171, sm_80 ptxas 24, sm_90 nvlink 171, sm_90 ptxas 24"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLeftBuild: with a compilation database that was written since, an output
// that it does not list has left the build.
func TestLeftBuild(t *testing.T) {
	database := func(t *testing.T, dir string, objects ...string) {
		t.Helper()
		var list []string
		for _, o := range objects {
			source := strings.TrimSuffix(o, ".o") + ".cu"
			list = append(list, fmt.Sprintf(`{"directory": %q, "command": "nvcc -arch=sm_90 -c %s -o %s", "file": %q}`, dir, source, o, source))
		}
		path := filepath.Join(dir, "compile_commands.json")
		writeFile(t, path, "["+strings.Join(list, ",")+"]")
		touch(t, path, time.Now().Add(time.Minute))
	}
	dir := project(t)
	for _, name := range []string{"gone", "bad"} {
		writeFile(t, filepath.Join(dir, name+".cu"), "\n")
		writeFile(t, filepath.Join(dir, "replay", name+".log"), strings.ReplaceAll(scaleLog, "_Z5scalePf", name))
	}
	writeFile(t, filepath.Join(dir, "bad.cu"), "#error no\n")
	wrapped(dir, compileScale...)
	build(t, dir, "nvcc -arch=sm_90 -c gone.cu -o gone.o")
	build(t, dir, "nvcc -arch=sm_90 -cubin gone.cu -o gone.cubin")
	wrapped(dir, words("nvcc -arch=sm_90 -c bad.cu -o bad.o")...)

	// Without a database the message names what helps.
	log, _ := load(t, dir, dir)
	if got := faults(log); !strings.Contains(got, "mend it and build again, or delete .occlint/bad.o-") {
		t.Errorf("faults %q", got)
	}
	database(t, dir, "scale.o", "gone.o", "bad.o")
	if log, notes := load(t, dir, dir); len(log.Faults) != 1 || len(notes) != 0 || log.Len() != 3 {
		t.Errorf("all listed: %s, %q, %d kernels", faults(log), notes, log.Len())
	}
	// The source of gone.o is still there; the build does not compile it.
	database(t, dir, "scale.o")
	log, notes := load(t, dir, dir)
	want := "left out, since compile_commands.json does not list it any more: bad.o, gone.o"
	if len(log.Faults) != 0 || len(notes) != 1 || notes[0] != want || kernelNames(log) != "gone _Z5scalePf" { // the cubin's is not the database's matter
		t.Errorf("not listed: %s, %q, %s", faults(log), notes, kernelNames(log))
	}
	// A database that is older than the record knows nothing of it.
	touch(t, filepath.Join(dir, "compile_commands.json"), time.Now().Add(-time.Hour))
	if log, _ := load(t, dir, dir); log.Len() != 3 {
		t.Errorf("an old database: %s", kernelNames(log))
	}
}

// TestLeftLink: a device link leaves the build with its objects.
func TestLeftLink(t *testing.T) {
	dir := apartProject(t, "sm_90")
	build(t, dir, "nvcc -arch=sm_90 -dlink scale.o -o dl.o")
	writeFile(t, filepath.Join(dir, "other.cu"), "\n")
	build(t, dir, "nvcc -arch=sm_90 -c other.cu -o other.o")
	path := filepath.Join(dir, "compile_commands.json")
	writeFile(t, path, fmt.Sprintf(`[{"directory": %q, "arguments": ["nvcc", "-c", "other.cu", "-o", "other.o"], "file": "other.cu"}]`, dir))
	touch(t, path, time.Now().Add(time.Minute))
	log, notes := load(t, dir, dir)
	if len(log.Faults) != 0 || len(notes) != 1 || !strings.Contains(notes[0], "dl.o, scale.o") || log.Len() != 0 {
		t.Errorf("%s, %q, %d kernels", faults(log), notes, log.Len())
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if log, _ := load(t, dir, dir); log.Len() != 2 {
		t.Errorf("%d kernels, want those of ptxas and nvlink", log.Len())
	}
}

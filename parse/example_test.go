package parse_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/occlint/occlint/parse"
)

const exampleLog = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5saxpyifPKfPf' for 'sm_90'
ptxas info    : Function properties for _Z5saxpyifPKfPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers
ptxas info    : Compile time = 2.105 ms
`

// A log is read as a whole. What the log does not state is absent, which is
// not the same as 0.
func ExampleRead() {
	log, err := parse.Read(strings.NewReader(exampleLog), "build.log")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, k := range log.Kernels() {
		registers, _ := k.Registers.Value()
		_, sharedStated := k.SharedBytes.Value()
		fmt.Println(k.Name, "on", k.Arch, "uses", registers, "registers; shared memory stated:", sharedStated)
	}
	fmt.Println("complete:", log.Summary().Complete)
	// Output:
	// _Z5saxpyifPKfPf on sm_90 uses 12 registers; shared memory stated: false
	// complete: true
}

// Several logs are read into one. Compilations count through all of them.
func ExampleLog_Read() {
	var log parse.Log
	for _, file := range []string{"a.log", "b.log"} {
		if err := log.Read(strings.NewReader(exampleLog), file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
	}
	for i, k := range log.Kernels() {
		fmt.Printf("%d %s in %s: compilation %d, %s µs\n", i, k.Name, k.Place.File, k.Compilation, k.CompileMicros)
	}
	fmt.Println("the numbers are shared:", log.Kernel(0).Class == log.Kernel(1).Class)
	// Output:
	// 0 _Z5saxpyifPKfPf in a.log: compilation 0, 2105 µs
	// 1 _Z5saxpyifPKfPf in b.log: compilation 1, 2105 µs
	// the numbers are shared: true
}

// What was not read from a log is added, to be judged with the rest.
func ExampleLog_Add() {
	var log parse.Log
	log.Add(parse.Kernel{
		Name: "saxpy", Compilation: -1, Place: parse.Place{File: "by hand"},
		Class: &parse.Class{Arch: "sm_90", Kind: parse.Entry, Stage: parse.StagePtxas, Registers: parse.Some(12)},
	})
	fmt.Println(log.Len(), log.Kernel(0).Registers)
	// Output: 1 12
}

// OnLine passes on what the compiler did not print for a machine to read.
func ExampleOnLine() {
	log, _ := parse.Read(strings.NewReader("[1/1] Building saxpy.o\n"+exampleLog), "build.log", parse.OnLine(func(l parse.Line) {
		if l.Class != parse.LineResource {
			fmt.Printf("%s", l.Raw)
		}
	}))
	fmt.Println(log.Len(), "kernel")
	// Output:
	// [1/1] Building saxpy.o
	// 1 kernel
}

// A log that stops inside a record is not complete, and the record says so.
func ExampleLog_Summary() {
	cut, _, _ := strings.Cut(exampleLog, "Used")
	log, _ := parse.Read(strings.NewReader(cut), "build.log")
	s := log.Summary()
	fmt.Println(log.Kernel(0).Defect, s.Complete, s.Defects[0])
	// Output:
	// truncated false truncated
}

func ExampleLog_WriteJSON() {
	log, _ := parse.Read(strings.NewReader("nvlink info    : 64 bytes gmem\n"), "link.log")
	_ = log.WriteJSON(os.Stdout)
	// Output:
	// {
	//   "schema": 1,
	//   "kernels": [],
	//   "compilations": [
	//     {
	//       "global_bytes": 64,
	//       "stage": "nvlink",
	//       "tool": "nvlink",
	//       "place": {
	//         "file": "link.log",
	//         "line": 1
	//       }
	//     }
	//   ],
	//   "remarks": [],
	//   "summary": {
	//     "complete": true,
	//     "defects": []
	//   }
	// }
}

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
func ExampleLog_Read() {
	var log parse.Log
	if err := log.Read(strings.NewReader(exampleLog), "build.log"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, k := range log.Kernels {
		registers, _ := k.Registers.Value()
		_, sharedStated := k.SharedBytes.Value()
		fmt.Println(k.Name, "on", k.Arch, "uses", registers, "registers; shared memory stated:", sharedStated)
	}
	fmt.Println("complete:", log.Summary().Complete)
	// Output:
	// _Z5saxpyifPKfPf on sm_90 uses 12 registers; shared memory stated: false
	// complete: true
}

// A Reader gives one record after the other, in the order of the log.
func ExampleReader() {
	r := parse.NewReader(strings.NewReader(exampleLog), "build.log")
	for r.Scan() {
		switch rec := r.Record().(type) {
		case *parse.Compilation:
			fmt.Println(rec.Tool, "compiled for", rec.Arch)
		case *parse.Kernel:
			fmt.Println("kernel at line", rec.Place.Line)
		case *parse.Fault:
			fmt.Println("not to be trusted:", rec.Text)
		}
	}
	if err := r.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	// Output:
	// ptxas compiled for sm_90
	// kernel at line 2
}

func ExampleReader_All() {
	for record, err := range parse.NewReader(strings.NewReader(exampleLog), "build.log").All() {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		if k, ok := record.(*parse.Kernel); ok {
			fmt.Println(k.Name, k.CompileMicros)
		}
	}
	// Output:
	// _Z5saxpyifPKfPf 2105
}

// OnLine passes on what the compiler did not print for a machine to read.
func ExampleOnLine() {
	var log parse.Log
	_ = log.Read(strings.NewReader("[1/1] Building saxpy.o\n"+exampleLog), "build.log", parse.OnLine(func(l parse.Line) {
		if l.Class != parse.LineResource {
			fmt.Printf("%s", l.Raw)
		}
	}))
	fmt.Println(len(log.Kernels), "kernel")
	// Output:
	// [1/1] Building saxpy.o
	// 1 kernel
}

// A log that stops inside a record is not complete, and the record says so.
func ExampleLog_Summary() {
	var log parse.Log
	cut, _, _ := strings.Cut(exampleLog, "Used")
	_ = log.Read(strings.NewReader(cut), "build.log")
	s := log.Summary()
	fmt.Println(log.Kernels[0].Defect, s.Complete, s.Defects[0])
	// Output:
	// truncated false truncated
}

func ExampleLog_WriteJSON() {
	var log parse.Log
	_ = log.Read(strings.NewReader("nvlink info    : 64 bytes gmem\n"), "link.log")
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

package cubin_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/occlint/occlint/cubin"
)

// read unpacks a sample of the repository.
func read(name string) []byte {
	file, err := os.Open("../testdata/cubin/" + name)
	if err != nil {
		log.Fatal(err)
	}
	r, err := gzip.NewReader(file)
	if err != nil {
		log.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	return data
}

// The numbers that ptxas prints, and the spills that CUDA 13 lists.
func ExampleParse() {
	f, err := cubin.Parse(read("places-130-sm_75.cubin.gz"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Arch, "by CUDA", f.Toolkit)
	for _, fn := range f.Functions {
		if fn.Entry {
			fmt.Printf("%-8s %3s registers (cap %s), %s bytes of stack, spills %s stored, %s loaded\n",
				fn.Name, fn.Registers, fn.RegisterCap, fn.StackBytes, fn.SpillStoreBytes, fn.SpillLoadBytes)
		}
	}
	// Output:
	// sm_75 by CUDA 13.0
	// wide      64 registers (cap 64), 488 bytes of stack, spills 1072 stored, 1088 loaded
	// paths     53 registers (cap 64), 0 bytes of stack, spills 0 stored, 0 loaded
	// calls    168 registers (cap 255), 0 bytes of stack, spills 0 stored, 0 loaded
	// both      64 registers (cap 255), 0 bytes of stack, spills 0 stored, 0 loaded
	// indexed   42 registers (cap 255), 128 bytes of stack, spills 0 stored, 0 loaded
	// outer     64 registers (cap 255), 0 bytes of stack, spills 0 stored, 0 loaded
	// inner    128 registers (cap 255), 0 bytes of stack, spills 0 stored, 0 loaded
	// parked    64 registers (cap 255), 0 bytes of stack, spills 0 stored, 0 loaded
}

// An image before CUDA 13 says nothing of spills: absent is not 0.
func ExampleFunction() {
	f, err := cubin.Parse(read("features-124-sm_90a.cubin.gz"))
	if err != nil {
		log.Fatal(err)
	}
	for _, fn := range f.Functions {
		if fn.MaxThreads.Threads() == 333 {
			fmt.Println(fn.Name, fn.MaxThreads, "cap", fn.RegisterCap, "stack", fn.StackBytes, "stores", fn.SpillStoreBytes)
		}
	}
	// Output:
	// _Z7boundedILi333ELi3EEvPfPKfi [333 1 1] cap 56 stack 48 stores -
}

// The layers below: attribute records and the section that a function is in.
func ExampleSection_Attributes() {
	f, err := cubin.Parse(read("separate-124-sm_90.cubin.gz"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Arch, "relocatable:", f.Relocatable)
	for _, fn := range f.Functions {
		text := &f.Sections[fn.Section]
		relocations := 0
		for range f.Relocations(fn.Section) {
			relocations++
		}
		fmt.Printf("%s: %d bytes in %s, %d relocations\n", fn.Name, fn.Size, text.Name, relocations)
		for a := range f.Sections[fn.Info].Attributes() {
			if a.Code == cubin.CodeParameterBytes {
				fmt.Println("  parameters of", a.Value, "bytes")
			}
		}
	}
	// Output:
	// sm_90 relocatable: true
	// _Z6helperf: 384 bytes in .text._Z6helperf, 2 relocations
	// _Z5otherf: 1024 bytes in .text._Z5otherf, 0 relocations
	// _Z11calls_otherPf: 512 bytes in .text._Z11calls_otherPf, 6 relocations
	//   parameters of 8 bytes
}

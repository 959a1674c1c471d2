package biglog

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// What a Project has: templates with instantiations each.
const (
	ProjectTemplates      = 100
	ProjectInstantiations = 8
	ProjectKernels        = ProjectTemplates * ProjectInstantiations
)

var compilingName = regexp.MustCompile(`Compiling entry function '([^']+)'`)

// Project returns the log of a code base with ProjectKernels kernels on sm_90,
// of which the first `spilling` spill. The records are those of bounds.cu
// under nvcc 13.0; the names are made up. ptxas is the folder testdata/ptxas.
func Project(ptxas string, spilling int) (string, error) {
	data, err := os.ReadFile(filepath.Join(ptxas, "nvcc13.0", "bounds-sm_90.log"))
	if err != nil {
		return "", err
	}
	const placeholder = "KERNEL"
	var clean, spills []string
	for _, block := range strings.SplitAfter(string(data), " ms\n") {
		m := compilingName.FindStringSubmatch(block)
		if m == nil {
			continue
		}
		_, record, _ := strings.Cut(block, string(compiling))
		text := strings.ReplaceAll(string(compiling)+record, m[1], placeholder)
		if strings.Contains(text, " 0 bytes spill stores") {
			clean = append(clean, text)
		} else {
			spills = append(spills, text)
		}
	}
	if len(clean) == 0 || len(spills) == 0 {
		return "", fmt.Errorf("biglog: %d clean and %d spilling records under %s", len(clean), len(spills), ptxas)
	}
	var b strings.Builder
	b.WriteString("ptxas info    : 0 bytes gmem\n")
	for i := range ProjectKernels {
		template := fmt.Sprintf("kernel%02d", i%ProjectTemplates)
		mangled := fmt.Sprintf("_ZN3lin%d%sILi%dEEEvPf", len(template), template, i/ProjectTemplates)
		text := clean[i%len(clean)]
		if i < spilling {
			text = spills[i%len(spills)]
		}
		b.WriteString(strings.ReplaceAll(text, placeholder, mangled))
	}
	return b.String(), nil
}

package compare

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// BaselineVersion is the version of the file that is written and read.
const BaselineVersion = 1

const baselineHead = `# Findings that are accepted as they were when this file was written:
# no worse passes, worse fails, and what got better or is gone is reported.
# "occlint baseline prune" takes out what is no longer needed.
`

// Words of the file beside rules, fields and architectures.
const (
	presentWord     = "present" // a finding without a number
	unknownArchWord = "?"       // a log that names no architecture
)

// baselineFields are the fields that an entry can have, in the file's order.
var baselineFields = []string{
	rules.FieldRegisters, rules.FieldSpillStores, rules.FieldSpillLoads, rules.FieldLoopSpills, rules.FieldStack, rules.FieldShared,
	rules.FieldBarriers, rules.FieldBlocks, rules.FieldOccupancy, rules.FieldBytesInFlight, "",
}

func fieldRank(field string) int { return slices.Index(baselineFields, field) }

// WriteBaseline writes entries as a baseline file: a reason for each family, and
// under it one line for each finding of a kernel, so that a review shows what
// changed and nothing else. Equal entries give equal bytes.
// It returns an error for a kernel name that is no UTF-8, which the file can't
// hold.
func WriteBaseline(w io.Writer, entries []rules.BaselineEntry) error {
	entries = slices.Clone(entries)
	sortEntries(entries)
	var b bytes.Buffer
	b.WriteString(baselineHead)
	fmt.Fprintf(&b, "version: %d\n", BaselineVersion)
	if len(entries) == 0 {
		b.WriteString("families: []\n")
	} else {
		b.WriteString("families:\n")
	}
	for i, e := range entries {
		if !utf8.ValidString(e.Kernel) {
			return fmt.Errorf("the kernel name %q is not UTF-8, so a baseline can't hold it", e.Kernel)
		}
		group := i == 0 || !sameGroup(&entries[i-1], &e)
		if group {
			fmt.Fprintf(&b, "  - family: %s\n    reason: %s\n    kernels:\n",
				config.Scalar(name.Family(e.Kernel)), config.Scalar(e.Reason))
		}
		if group || entries[i-1].Kernel != e.Kernel {
			fmt.Fprintf(&b, "      %s:\n", config.Scalar(e.Kernel))
		}
		writeEntry(&b, entries, i, group)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeEntry writes one field. The fields of one finding share a line.
func writeEntry(b *bytes.Buffer, entries []rules.BaselineEntry, i int, group bool) {
	e := &entries[i]
	same := func(j int) bool {
		return j >= 0 && j < len(entries) && sameGroup(&entries[j], e) && entries[j].Kernel == e.Kernel && findingKey(&entries[j]) == findingKey(e)
	}
	if group || !same(i-1) {
		fmt.Fprintf(b, "        %s: {", config.Scalar(findingKey(e)))
	} else {
		b.WriteString(", ")
	}
	if e.Field == "" {
		b.WriteString(presentWord + ": true")
	} else {
		b.WriteString(config.Scalar(e.Field) + ": " + strconv.FormatFloat(e.Value, 'f', -1, 64))
	}
	if !same(i + 1) {
		b.WriteString("}\n")
	}
}

// findingKey is the architecture, the rule and, where one rule finds several
// things in a kernel, which of them: "sm_90 compiler-remark C7510".
func findingKey(e *rules.BaselineEntry) string {
	key := cmp.Or(e.Arch, unknownArchWord) + " " + e.Rule
	if e.Detail != "" {
		key += " " + e.Detail
	}
	return key
}

func sameGroup(a, b *rules.BaselineEntry) bool {
	return a.Reason == b.Reason && (a.Kernel == b.Kernel || name.Family(a.Kernel) == name.Family(b.Kernel))
}

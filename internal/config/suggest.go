package config

import (
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/edit"
	"github.com/occlint/occlint/internal/name"
)

// otherWords are what people write for a key of ours: words of the compiler,
// of other tools, or plain synonyms.
var otherWords = map[string][]string{
	"architectures": {"archs"}, "arch": {"archs", "arch"}, "targets": {"archs"}, "gencode": {"archs"},
	"default": {"defaults"}, "budget": {"defaults"}, "budgets": {"defaults"}, "limits": {"defaults"},
	"kernel": {"kernels", "match"}, "functions": {"kernels"}, "overrides": {"kernels"},
	"severity": {"rules"}, "severities": {"rules"}, "checks": {"rules"},
	"exclude": {"ignore"}, "suppress": {"ignore"}, "suppressions": {"ignore"}, "exceptions": {"ignore"}, "skip": {"ignore"},
	"name": {"match"}, "pattern": {"match"}, "regex": {"match"},
	"min_blocks": {"launch_bounds"}, "blocks": {"launch_bounds", "blocks_per_sm"}, "bounds": {"launch_bounds"}, "max_threads": {"launch_bounds"},
	"threads": {"block", "threads_per_block"}, "block_size": {"block"}, "blocksize": {"block"},
	"dynamic_smem": {"dynamic_shared"}, "dynamic_shared_memory": {"dynamic_shared"}, "smem": {"shared", "shared_per_sm"},
	"shared_memory": {"shared", "shared_per_sm"}, "shared_bytes": {"shared"}, "max_registers": {"maxnreg"}, "maxrregcount": {"maxnreg"},
	"regs": {"registers"}, "reg": {"registers"}, "spill": {"spills"}, "stack_frame": {"stack"}, "stack_bytes": {"stack"},
	"bars": {"barriers"}, "occupancy": {"min_occupancy"}, "note": {"message"}, "help": {"message"}, "owner": {"message"},
	"spill_stores": {"stores", "spills"}, "spill_loads": {"loads", "spills"}, "store": {"stores"}, "load": {"loads"},
	"why": {"reason"}, "because": {"reason"}, "comment": {"reason"}, "justification": {"reason"},
	"expires": {"until"}, "expiry": {"until"}, "deadline": {"until"}, "date": {"until"}, "architecture": {"arch", "archs"},
	"source": {"sources"}, "src": {"sources"}, "files": {"sources"}, "macros": {"defines"}, "define": {"defines"},
	"device": {"gpu"}, "base": {"like"}, "extends": {"like"}, "sm_count": {"sms"}, "sm": {"sms"}, "frequency": {"clock"}, "clock_ghz": {"clock"},
	"custom_arch": {"custom_archs"}, "custom_gpu": {"custom_gpus"}, "min_kernels": {"expect"},
}

// Nearest returns the one of the words that a person most likely meant, or "".
// Other strict files of ours suggest by it too.
func Nearest(word string, words []string) string { return nearest(word, words) }

// nearest returns the one of the words that a person most likely meant, or "".
func nearest(word string, words []string) string {
	folded := fold(word)
	for _, other := range otherWords[folded] {
		if slices.Contains(words, other) {
			return other
		}
	}
	best, bestCost := "", len(folded)/3+2 // at most a third of the letters wrong, and one
	for _, w := range words {
		if cost := edit.Distance(folded, fold(w)); cost < bestCost {
			best, bestCost = w, cost
		}
	}
	return best
}

// fold removes the differences that people don't see.
func fold(word string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(word)))
}

// didYouMean phrases a suggestion; empty for no word.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean " + quote(word) + "?"
}

// meant suggests a number, a size or a date, as it is to be written: without
// quotes.
func meant(value string) string { return "did you mean " + value + "?" }

// quote shows a text of the file: in quotes, escaped and cut.
func quote(s string) string {
	const longest = 60
	return `"` + name.Escape(cut(s, longest)) + `"`
}

// listing phrases a choice: "a, b or c".
func listing(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

package declare

import (
	"cmp"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/internal/source"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Inputs is all that can declare something.
type Inputs struct {
	Config *config.Config // nil: none
	Log    Entries        // nil: the sources are joined with no kernel

	// Root is the directory that reports name files from, and Dir the one
	// that flags are relative to; both absolute.
	Root, Dir string

	Sources, PTX []string // globs from flags, beside those of the config
	// Defines are -D definitions from flags: NAME=VALUE, or NAME for 1. They
	// win over the config's. !NAME says that the build does not pass NAME.
	Defines []string

	// Embedded is PTX that binaries carry, or that was kept beside a
	// compilation. Its entries say which code was made from them, where that
	// is known.
	Embedded []ptx.Entry

	Baseline *rules.Baseline // nil: none
	Table    *arch.Table     // nil: the built-in one
	Partial  bool
	Today    time.Time

	// Note is told, each on a line, what was left out and is no fault; nil
	// hears nothing.
	Note func(string)
}

// Entries is what is asked of a log: name and architecture of its entries, as
// often as it has them. *parse.Log knows.
type Entries interface {
	Entries() iter.Seq2[string, string]
}

// Policy merges everything into what the rules judge by. The error names each
// fault with its place.
func Policy(in Inputs) (*rules.Policy, error) {
	m := &merger{in: in, policy: &rules.Policy{Baseline: in.Baseline, Partial: in.Partial, Today: in.Today}}
	if in.Config == nil {
		m.in.Config = &config.Config{}
	}
	m.table()
	m.settings()
	m.defaults()
	m.sources()
	m.ptx()
	m.kernels()
	m.ignores()
	if err := m.faults.err(); err != nil {
		return nil, err
	}
	return m.policy, nil
}

// merger fills one policy.
type merger struct {
	in     Inputs
	policy *rules.Policy
	faults faults

	project *source.Project   // nil: no sources
	defined map[string]string // macros that the sources were read with
}

// place is a position in the config.
func (m *merger) place(p config.Pos) parse.Place {
	return parse.Place{File: m.shown(cmp.Or(p.File, m.in.Config.File)), Line: p.Line, Column: p.Column}
}

// shown names a file from the root, with slashes; as it is when it lies
// outside.
func (m *merger) shown(file string) string {
	if file == "" || !filepath.IsAbs(file) || m.in.Root == "" {
		return filepath.ToSlash(file)
	}
	rel, err := filepath.Rel(m.in.Root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// dirOf is the directory of the file that a setting stands in, which globs are
// relative to.
func (m *merger) dirOf(p config.Pos) string {
	file := cmp.Or(p.File, m.in.Config.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(m.in.Dir, file)
	}
	return filepath.Dir(file)
}

func (m *merger) origin(from rules.OriginKind, p config.Pos, text string) rules.Origin {
	return rules.Origin{From: from, Place: m.place(p), Text: text}
}

package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"strings"

	"github.com/occlint/occlint/rules"
)

// gitlabIssue is one entry of GitLab's code quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"` // info, minor, major, critical or blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes every finding that is not suppressed; an empty array says
// that there is none. GitLab compares fingerprints between branches and shows
// only one issue of those that share one, so they are made unique.
func writeGitLab(w *bufio.Writer, in *Input) error {
	issues := []gitlabIssue{}
	seen := map[string]int{}
	for _, f := range in.open() {
		at := anchor(f)
		file := repositoryPath(at.File)
		if file == "" {
			file = "occlint"
		}
		id := fingerprint(f)
		seen[id]++
		if n := seen[id]; n > 1 {
			id = digest(id, itoa(n))
		}
		issues = append(issues, gitlabIssue{
			Description: in.sentence(f), CheckName: f.Rule, Fingerprint: id,
			Severity: gitlabSeverity(f), Location: gitlabLocation{file, gitlabLines{max(at.Line, 1)}},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(issues)
}

func gitlabSeverity(f *rules.Finding) string {
	switch {
	case f.Rule == "untrusted-log":
		return "blocker"
	case f.Severity == rules.Error:
		return "major"
	case f.Severity == rules.Warning:
		return "minor"
	}
	return "info"
}

// fingerprint tells a finding from others over line moves and build ids.
func fingerprint(f *rules.Finding) string {
	if f.Fingerprint != "" {
		return f.Fingerprint
	}
	return digest(f.Rule, f.Kernel, f.Arch, f.Field, f.Message)
}

// digest hashes parts, kept apart by a byte that no name holds.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// repositoryPath cleans a path for readers that resolve it against the
// repository's root: slashes, no leading ./.
func repositoryPath(file string) string {
	if !isFile(file) {
		return ""
	}
	return path.Clean(strings.ReplaceAll(file, "\\", "/"))
}

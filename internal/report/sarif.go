package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	projectURI  = "https://github.com/occlint/occlint"
	// sarifResults is how many results GitHub code scanning shows of a run. It
	// takes 25,000, sorts them itself and drops the rest; what is dropped is
	// decided here instead, and said.
	sarifResults = 5000
	srcRoot      = "%SRCROOT%"
)

// writeSARIF writes SARIF 2.1.0 for GitHub code scanning and editors. Info is
// left out unless asked for: code scanning annotates all that it is given.
// Suppressed findings are there with their reason, behind the others.
func writeSARIF(w *bufio.Writer, in *Input) error {
	run := sarifRun{
		Tool:        sarifTool{in.sarifDriver()},
		Invocations: []sarifInvocation{{ExecutionSuccessful: in.Result.Trusted()}},
		BaseIDs:     map[string]sarifBase{srcRoot: {sarifText{"the root of the repository"}}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, r := range run.Tool.Driver.Rules {
		index[r.ID] = i
	}
	list := in.reported()
	order := ruleOrder()
	slices.SortStableFunc(list, func(a, b *rules.Finding) int {
		return cmp.Or(cmp.Compare(standing(b), standing(a)), order.weigh(a).compare(order.weigh(b)))
	})
	if n := len(list) - sarifResults; n > 0 {
		list = list[:sarifResults]
		run.Invocations[0].Notifications = []sarifNotification{{"warning", sarifText{fmt.Sprintf(
			"%d results are not in this file: GitHub shows %d of a run, and these are the worst", n, sarifResults)}}}
	}
	for _, f := range list {
		run.Results = append(run.Results, in.sarifResult(f, index[f.Rule]))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// standing orders results: by severity, suppressed ones last.
func standing(f *rules.Finding) rules.Severity {
	if f.Suppressed != "" {
		return rules.Off
	}
	return f.Severity
}

func (in *Input) sarifDriver() sarifDriver {
	d := sarifDriver{Name: "occlint", InformationURI: projectURI, Version: in.Version, Rules: []sarifRule{}}
	for _, r := range rules.Registry() {
		d.Rules = append(d.Rules, sarifRule{
			ID: r.ID, Name: pascal(r.ID),
			Short:   sarifText{sarifPlain(sentenceCase(r.Title))},
			Full:    sarifText{sarifPlain(firstParagraph(r.Why))},
			Help:    sarifMarkup{ruleText(r), ruleMarkdown(r)},
			HelpURI: ruleURI(r.ID),
			Default: sarifRuleConfig{Enabled: r.Default != rules.Off, Level: sarifLevel(r.Default)},
			Properties: sarifRuleExtras{Tags: []string{"cuda", "performance"},
				Severity: problemSeverity(r.Default)},
		})
	}
	return d
}

// ruleURI is where a rule's page is read.
func ruleURI(id string) string { return projectURI + "/blob/main/docs/rules/" + id + ".md" }

func sarifLevel(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	case rules.Info:
		return "note"
	default:
		return "none"
	}
}

func problemSeverity(s rules.Severity) string {
	switch s {
	case rules.Error, rules.Warning:
		return s.String()
	default:
		return "recommendation"
	}
}

func (in *Input) sarifResult(f *rules.Finding, rule int) sarifResult {
	id := fingerprint(f)
	r := sarifResult{
		RuleID: f.Rule, RuleIndex: rule, Level: sarifLevel(f.Severity),
		Message:   sarifText{sarifPlain(in.sentence(f))},
		Locations: []sarifLocation{in.sarifLocation(f)},
		// GitHub tells alerts apart by the first key alone; without it, by the
		// text around the line, which a build log has new in each run.
		Fingerprints: map[string]string{"primaryLocationLineHash": id, "occlint/v1": id},
	}
	if f.Suppressed != "" {
		kind := "external"
		if f.SuppressedBy.From == rules.FromSource {
			kind = "inSource"
		}
		r.Suppressions = []sarifSuppression{{kind, "accepted", brief(f.Suppressed)}}
	}
	if p := sarifPhysicalOf(f.Log); p != nil && f.Log != anchor(f) {
		r.Related = append(r.Related, sarifLocation{ID: 1, Physical: p, Message: &sarifText{sarifPlain("the log: " + brief(f.LogText))}})
	}
	if p := sarifPhysicalOf(f.Declared.Place); p != nil && f.Declared.Place != anchor(f) {
		r.Related = append(r.Related, sarifLocation{ID: len(r.Related) + 1, Physical: p,
			Message: &sarifText{sarifPlain("declared here: " + brief(f.Declared.Text))}})
	}
	r.Properties = sarifProperties(f)
	return r
}

// sarifProperties has what SARIF has no place for: the numbers.
func sarifProperties(f *rules.Finding) map[string]any {
	p := map[string]any{}
	if f.Arch != "" {
		p["arch"] = f.Arch
	}
	if f.Unit != "" {
		p["value"], p["unit"] = f.Value, f.Unit
		if !f.Unlimited {
			p["limit"] = f.Limit
		}
	}
	if f.Limiters != 0 {
		p["limiters"] = f.Limiters.Names()
	}
	if len(p) == 0 {
		return nil
	}
	return p
}

// sarifLocation is where a result is shown. GitHub drops a result without a
// file, so one that has none points to the config.
func (in *Input) sarifLocation(f *rules.Finding) sarifLocation {
	l := sarifLocation{Physical: sarifPhysicalOf(anchor(f))}
	if l.Physical == nil {
		l.Physical = sarifPhysicalOf(f.Declared.Place)
	}
	if l.Physical == nil {
		l.Physical = sarifPhysicalOf(parse.Place{File: cmp.Or(in.ConfigFile, ".occlint.yml"), Line: 1})
	}
	if f.Kernel != "" {
		l.Logical = []sarifLogical{{Name: in.subject(f), Qualified: escaped(name.Qualified(f.Kernel)),
			Decorated: f.Kernel, Kind: "function"}}
	}
	return l
}

// sarifPhysicalOf is nil for a place without a file of its own.
func sarifPhysicalOf(p parse.Place) *sarifPhysical {
	file := repositoryPath(p.File)
	if file == "" {
		return nil
	}
	l := &sarifPhysical{Artifact: sarifArtifact{URI: fileURI(file), BaseID: srcRoot}}
	if absolute(file) {
		l.Artifact = sarifArtifact{URI: "file://" + fileURI("/"+strings.TrimPrefix(file, "/"))}
	}
	if p.Line > 0 {
		l.Region = &sarifRegion{StartLine: p.Line, StartColumn: p.Column}
	}
	return l
}

// absolute reports a path that no root can be put before, on any system.
func absolute(file string) bool {
	return path.IsAbs(file) || len(file) > 2 && file[1] == ':' && file[2] == '/'
}

// fileURI escapes each part of a path for a URI. A colon in the first part
// would read as a scheme.
func fileURI(file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(parts[i]), ":", "%3A")
	}
	return strings.Join(parts, "/")
}

// sarifPlain keeps text from being read as SARIF's own markup: [text](target)
// is a link in a message, and operator[](int) looks like one.
func sarifPlain(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// pascal writes a rule's id as the name that SARIF asks for: MinBlocks.
func pascal(id string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(id, "-") {
		b.WriteString(sentenceCase(part))
	}
	return b.String()
}

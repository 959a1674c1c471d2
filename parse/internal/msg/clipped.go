package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/scan"
)

// A clipping is how a service says that it did not keep the whole log.
type clipping struct {
	begin, then string // then stands anywhere behind begin
}

var clippings = [...]clipping{
	{"[output clipped, ", "reached"},                           // BuildKit: log limit 2MiB reached
	{"Job's log exceeded limit of ", ""},                       // GitLab
	{"The job exceeded the maximum log length", ""},            // Travis
	{"The log length has exceeded the limit of ", ""},          // Travis
	{"This step has been truncated due to its large size", ""}, // GitHub Actions
	{"This log is too long to be displayed", ""},               // Travis, AppVeyor
	{"Log is too big to display", ""},                          // viewers of GitHub Actions
	{"The last ", "lines of the build log are shown"},          // AppVeyor
	{"This output was truncated", ""},                          // CircleCI
	{"Your build output ", "too large"},                        // CircleCI
	{"This log has exceeded the ", "limit"},                    // Buildkite, Bazel's viewers
	{"[...truncated ", "...]"},                                 // Jenkins' mails
	{"[…truncated ", "]"},                                      // Jenkins' checks
	{"Build log truncated", ""},                                // Jenkins' checks
	{"Output truncated.", ""},                                  // Jenkins' checks
	{">>> Max Log Size reached", ""},                           // Jenkins' log file size checker
	{"Skipping ", " KB.. Full Log"},                            // Jenkins' pages
	{"##[warning]The log was truncated", ""},                   // Azure
	{"##[error]The log was truncated", ""},                     // Azure
	{"Streaming output truncated to the last ", " lines"},      // Colab, Kaggle
	{"Output exceeds the ", "size limit"},                      // notebooks in VS Code
	{"[truncated: ", " lines omitted"},                         // several
	{"...<output truncated>", ""},                              // CircleCI's agents
	{"[output truncated", ""},                                  // several
	{"(output truncated", ""},                                  // several
}

// clipped recognises the lines by which a service says that lines of the log
// are missing from it.
func clipped(t []byte, m *Message) bool {
	if len(t) < len("[output truncated") {
		return false
	}
	t, quoted := logtext.Strip(t)
	if quoted {
		return false
	}
	for _, c := range clippings {
		if scan.HasAt(t, 0, c.begin) && bytes.Contains(t[len(c.begin):], []byte(c.then)) {
			m.Kind, m.Text = Clipped, t
			return true
		}
	}
	return clippedBy(t, m)
}

// clippedBy takes Bazel, which names the option that sets its limit.
func clippedBy(t []byte, m *Message) bool {
	if bytes.Contains(t, []byte(" exceeds maximum size of --experimental_ui_max_stdouterr_bytes=")) {
		m.Kind, m.Text = Clipped, t
		return true
	}
	return false
}

package report

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// browser drives a headless Chromium through its debugging pipe: messages are
// JSON, each ended by a zero byte, on descriptors 3 and 4.
type browser struct {
	t       *testing.T
	out     *os.File
	answers chan message
	next    int
	session string
	events  []message
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct{ Message string }
}

// newBrowser starts Chromium with one empty page, and skips the test where
// there is none.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser is slow to start")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the debugging pipe needs inherited descriptors")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium on this machine")
	}
	fromTest, toBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromBrowser, toTest, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{fromTest, toTest}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = fromTest.Close()
	_ = toTest.Close()
	b := &browser{t: t, out: toBrowser, answers: make(chan message, 4096)}
	go b.read(fromBrowser)
	t.Cleanup(func() {
		_ = toBrowser.Close() // Chromium ends with its pipe
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Runtime", "Accessibility"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) read(f *os.File) {
	defer close(b.answers)
	r := bufio.NewReaderSize(f, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.answers <- m
		}
	}
}

// call sends a command and waits for its answer; events that come before it
// are kept.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.next++
	m := map[string]any{"id": b.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.out.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	answer := b.wait(method, func(m message) bool { return m.ID == b.next })
	if answer.Error != nil {
		b.t.Fatalf("%s: %s", method, answer.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result, result); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

func (b *browser) wait(what string, done func(message) bool) message {
	b.t.Helper()
	timeout := time.After(60 * time.Second)
	for {
		select {
		case m, ok := <-b.answers:
			if !ok {
				b.t.Fatalf("%s: the browser went away", what)
			}
			if done(m) {
				return m
			}
			if m.Method != "" {
				b.events = append(b.events, m)
			}
		case <-timeout:
			b.t.Fatalf("%s: no answer in a minute", what)
		}
	}
}

// open loads a page from a file.
func (b *browser) open(path string) {
	b.t.Helper()
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	for _, e := range b.events {
		if e.Method == "Page.loadEventFired" {
			return
		}
	}
	e := b.wait("load", func(m message) bool { return m.Method == "Page.loadEventFired" })
	b.events = append(b.events, e)
}

// eval runs an expression in the page; a promise is awaited.
func (b *browser) eval(expression string, result any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if result != nil {
		if err := json.Unmarshal(r.Result.Value, result); err != nil {
			b.t.Fatalf("%s: %v in %s", expression, err, r.Result.Value)
		}
	}
}

// press sends a key to what has the focus.
func (b *browser) press(key string) {
	b.t.Helper()
	text := map[string]string{"Enter": "\r", " ": " "}[key]
	code := map[string]int{"Enter": 13, "Tab": 9, " ": 32}[key]
	down := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if text != "" {
		down["text"] = text
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

// page writes an HTML report to a file.
func page(t *testing.T, in *Input) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(write(t, "html", in)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

package biglog_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/biglog"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/declare"
	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

const ptxas = "../../testdata/ptxas"

var logBytes = flag.Int64("bytes", 32<<20, "size of the logs of BenchmarkPipeline")

// BenchmarkPipeline is all that a check does but for starting up and for the
// reading of the file: the log is in memory.
func BenchmarkPipeline(b *testing.B) {
	for _, shape := range biglog.Shapes {
		b.Run(string(shape), func(b *testing.B) {
			var log bytes.Buffer
			kernels, err := biglog.Write(&log, ptxas, shape, *logBytes)
			if err != nil {
				b.Fatal(err)
			}
			cfg := loadConfig(b)
			b.SetBytes(int64(log.Len()))
			b.ReportAllocs()
			for b.Loop() {
				check(b, cfg, log.Bytes())
			}
			perKernel := float64(b.N) * float64(kernels)
			b.ReportMetric(perKernel/b.Elapsed().Seconds(), "kernels/s")
		})
	}
}

func check(tb testing.TB, cfg *config.Config, text []byte) string {
	log := &parse.Log{}
	if err := log.Read(bytes.NewReader(text), "big.log"); err != nil {
		tb.Fatal(err)
	}
	policy, err := declare.Policy(declare.Inputs{Config: cfg, Log: log})
	if err != nil {
		tb.Fatal(err)
	}
	result, err := rules.Judge(log, policy)
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	in := &report.Input{Result: result, Table: policy.Table, ConfigFile: "big.yml"}
	if err := report.Write(&out, "text", in); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

func loadConfig(tb testing.TB) *config.Config {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "big.yml")
	if err := os.WriteFile(path, []byte(biglog.Config()), 0o600); err != nil {
		tb.Fatal(err)
	}
	cfg, err := config.Load(path, config.Known{})
	if err != nil {
		tb.Fatal(err)
	}
	return cfg
}

// TestConfig holds the config against the logs that it is for: every pattern
// matches, and the spilling hundredth has findings.
func TestConfig(t *testing.T) {
	for _, shape := range biglog.Shapes {
		var log bytes.Buffer
		kernels, err := biglog.Write(&log, ptxas, shape, 4<<20)
		if err != nil {
			t.Fatal(err)
		}
		out := check(t, loadConfig(t), log.Bytes())
		if strings.Contains(out, "matches") {
			t.Errorf("%s: a pattern matches nothing", shape)
		}
		if shape == biglog.Repeated {
			kernels = biglog.RepeatedKernels // each is reported once
		}
		if n := strings.Count(out, "error: "); n < kernels/100-1 || n > kernels/100+1 {
			t.Errorf("%s: %d errors for %d kernels, want a hundredth", shape, n, kernels)
		}
	}
}

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// TestCommandFor holds what few commands do with arguments against what all of
// them do.
func TestCommandFor(t *testing.T) {
	type outcome struct {
		Code           int
		Stdout, Stderr string
	}
	lists := [][]string{
		{}, {""}, {"-"}, {"-", "-"}, {"--"}, {"--", "calc"}, {"--", "chek"}, {"none.log"}, {"chek"}, {"none.log", "calc"},
		{"help"}, {"help", "calc"}, {"help", "config", "check"}, {"help", "nothing"}, {"none.log", "help"}, {"--no-config", "help"},
		{"-h"}, {"-qh"}, {"-help"}, {"--help"}, {"--help=true"}, {"--help=false"}, {"--hel"}, {"none.log", "-h"}, {"none.log", "--help"}, {"--", "--help"},
		{"--no-config", "calc"}, {"--config", "calc"}, {"--config", "calc", "rules"}, {"--config=calc", "rules"}, {"--config"}, {"--none"}, {"--quiet=x"},
		{"--base", "--help"}, {"calc", "--no-such"}, {"calc", "help"}, {"calc", "calc"}, {"check", "calc"}, {"check", "--config", "calc", "-"}, {"check", "chek"},
		{"config"}, {"config", "help"}, {"config", "chek"}, {"config", "--help"}, {"config", "check", "--help"}, {"config", "schema", "calc"}, {"baseline"}, {"baseline", "-h"},
		{"__complete", ""}, {"__complete", "c"}, {"__complete", "calc", "-"}, {"__complete", "help", "c"}, {"__completeNoDesc", "--"}, {"__complete"}, {"completion", "__complete"},
		{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"}, {"completion"},
	}
	for _, c := range subcommands() {
		lists = append(lists, []string{c.name, "--help"}, []string{"help", c.name}, []string{c.name, "--no-such"}, []string{"--no-config", c.name, "-h"})
	}
	for _, variable := range []string{"", "OCCLINT_HELPS=x", "OCCLINT_SMEMS=x", "OCCLINT_FAILON=x"} {
		for _, args := range lists {
			run := func(command func(*app) *cobra.Command) (o outcome) {
				var stdout, stderr bytes.Buffer
				a := &app{
					Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
					Env: func(string) string { return "" }, Environ: func() []string { return []string{variable} },
					Dir: t.TempDir(),
				}
				o.Code = a.execute(command(a), args)
				o.Stdout, o.Stderr = stdout.String(), stderr.String()
				return o
			}
			want := run((*app).rootCommand)
			got := run(func(a *app) *cobra.Command { return a.commandFor(args) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s occlint %q (-all +few):\n%s", variable, args, diff)
			}
		}
	}
}

func TestCommandNames(t *testing.T) {
	for _, c := range subcommands() {
		if got := c.make(&app{}).Name(); got != c.name {
			t.Errorf("the command %q is listed as %q", got, c.name)
		}
	}
}

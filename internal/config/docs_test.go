package config

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const configDoc = "../../docs/config.md"

// docSections are the mappings of the file, in the order of the document.
var docSections = []struct {
	heading, text string
	value         any
}{
	{"Top level", "", Config{}},
	{"`expect`", "", Expect{}},
	{"`defaults` and `kernels`", "`match` belongs to an entry of `kernels`, where it is required. All other keys can stand in `defaults`, in an " +
		"entry of `kernels`, and, without `by_arch`, under an architecture of `by_arch`.", Kernel{}},
	{"`ignore`", "Each entry of the list has", Ignore{}},
	{"`tolerance`", "", Tolerance{}},
	{"`profile`", "", Profile{}},
	{"`custom_archs`", "Each architecture, by its name (`sm_130`), has", CustomArch{}},
	{"`custom_gpus`", "Each device, by its name, has", CustomGPU{}},
}

// valueWords names what a key takes.
func valueWords(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Slice && strings.HasPrefix(t.Name(), "Map["):
		value, _ := t.Elem().FieldByName("Value")
		if strings.HasPrefix(value.Type.Name(), "Field[") {
			return "mapping to " + valueWords(value.Type)
		}
		return "mapping, see below"
	case t.Kind() == reflect.Slice:
		if t.Elem() == reflect.TypeFor[Field[Arch]]() {
			return "list of architectures"
		}
		if strings.HasPrefix(t.Elem().Name(), "Field[") {
			return "list of " + strings.Replace(valueWords(t.Elem()), "text", "globs", 1)
		}
		return "list, see below"
	case t == reflect.TypeFor[Spills]():
		return "size, or two"
	case strings.HasPrefix(t.Name(), "Field["):
		switch t.Field(0).Type.Name() {
		case "bool":
			return "true or false"
		case "int":
			return "number"
		case "Bytes":
			return "size"
		case "Time":
			return "date"
		case "Percent":
			return "percentage"
		case "string", "Glob", "GPUName", "Rule", "Macro", "VerdictName":
			return "text"
		case "Arch":
			return "architecture"
		case "Severity":
			return "severity"
		case "Bounds":
			return "number or list"
		case "Bandwidth":
			return "bandwidth"
		case "Hertz":
			return "frequency"
		default:
			return "name pattern"
		}
	}
	return "mapping, see below"
}

func keyTable(g *generator, v any) string {
	var b strings.Builder
	b.WriteString("| key | takes | |\n|---|---|---|\n")
	var rows func(t reflect.Type)
	rows = func(t reflect.Type) {
		for i := range t.NumField() {
			field := t.Field(i)
			key, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
			if option == "inline" {
				rows(field.Type)
				continue
			}
			if key == "-" || key == "" {
				continue
			}
			comment := g.CommentMap["github.com/occlint/occlint/internal/config."+t.Name()+"."+field.Name]
			text := strings.TrimSpace(strings.TrimPrefix(comment, field.Name))
			text = strings.TrimPrefix(text, "is ")
			text = strings.ToUpper(text[:1]) + text[1:]
			if field.Tag.Get("need") != "" {
				text += " Required."
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", key, valueWords(field.Type), strings.ReplaceAll(text, "|", `\|`))
		}
	}
	rows(reflect.TypeOf(v))
	return b.String()
}

// The tables of keys in the document are what the types say.
func TestDocsListEachKey(t *testing.T) {
	text, err := os.ReadFile(configDoc)
	if err != nil {
		t.Fatal(err)
	}
	const marker = ": from here -->\n"
	hand, have, ok := strings.Cut(string(text), marker)
	if !ok {
		t.Fatal("the marker before the tables is gone")
	}
	g := newGenerator(t)
	var b strings.Builder
	for _, s := range docSections {
		fmt.Fprintf(&b, "\n### %s\n\n", s.heading)
		if s.text != "" {
			b.WriteString(s.text + "\n\n")
		}
		b.WriteString(keyTable(g, s.value))
	}
	if *update {
		if err := os.WriteFile(configDoc, []byte(hand+marker+b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(b.String(), have); diff != "" {
		t.Errorf("docs/config.md (-want +got); go test ./internal/config -update writes it:\n%s", diff)
	}
}

// Every YAML block of the document is a right config, to Load and to the schema.
func TestDocsConfigsAreRight(t *testing.T) {
	text, err := os.ReadFile(configDoc)
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../docs/examples/config/.occlint.yml")
	if err != nil {
		t.Fatal(err)
	}
	blocks := []string{string(example)}
	for _, m := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) < 3 {
		t.Fatalf("only %d configs were found in the document", len(blocks))
	}
	schema := compileSchema(t)
	for _, block := range blocks {
		if _, err := Parse([]byte(block), "docs/config.md", known); err != nil {
			t.Errorf("%v", err)
		}
		if err := schema.Validate(plainYAML(t, block)); err != nil {
			t.Errorf("%v\nin\n%s", err, block)
		}
	}
}

package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	generate "github.com/invopop/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/occlint/occlint/internal/name"
)

var update = flag.Bool("update", false, "rewrite the golden files and the schema")

const schemaID = "https://raw.githubusercontent.com/occlint/occlint/main/internal/config/schema.json"

// leaf returns the schema of a type that reads itself from one value.
func leaf(t reflect.Type) *generate.Schema {
	whole := func() *generate.Schema { return &generate.Schema{Type: "integer", Minimum: "0"} }
	text := func(pattern string) *generate.Schema {
		return &generate.Schema{Type: "string", Pattern: pattern}
	}
	anyOf := func(options ...*generate.Schema) *generate.Schema { return &generate.Schema{AnyOf: options} }
	one := uint64(1)
	three := uint64(3)
	switch t {
	case reflect.TypeFor[int]():
		return whole()
	case reflect.TypeFor[Bytes]():
		return anyOf(whole(), text(`^[0-9]+(\.[0-9]+)? ?(B|KiB|MiB|GiB)$`))
	case reflect.TypeFor[Percent]():
		return anyOf(&generate.Schema{Type: "number", Minimum: "0", Maximum: "100"}, text(`^[0-9]+(\.[0-9]+)? ?%$`))
	case reflect.TypeFor[Bandwidth]():
		return text(`^[0-9.]+ ?(MB|GB|TB)/s$`)
	case reflect.TypeFor[Hertz]():
		return text(`^[0-9.]+ ?(MHz|GHz)$`)
	case reflect.TypeFor[time.Time]():
		return text(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	case reflect.TypeFor[bool]():
		return &generate.Schema{Type: "boolean"}
	case reflect.TypeFor[Severity]():
		return &generate.Schema{Enum: []any{"off", "info", "warning", "error"}}
	case reflect.TypeFor[Arch]():
		return anyOf(text(archName().String()), &generate.Schema{Type: "number"})
	case reflect.TypeFor[Macro]():
		return &generate.Schema{AnyOf: []*generate.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "null"}}}
	case reflect.TypeFor[Rule](), reflect.TypeFor[VerdictName]():
		return text(ruleID().String())
	case reflect.TypeFor[string](), reflect.TypeFor[Glob](), reflect.TypeFor[GPUName](), reflect.TypeFor[*name.Pattern]():
		return &generate.Schema{Type: "string", MinLength: &one}
	case reflect.TypeFor[Bounds]():
		return anyOf(&generate.Schema{Type: "integer", Minimum: "1"},
			&generate.Schema{Type: "array", Items: whole(), MinItems: &one, MaxItems: &three})
	}
	return nil
}

// generator makes the schema from the types, their tags and their comments.
type generator struct{ generate.Reflector }

func newGenerator(t *testing.T) *generator {
	g := &generator{}
	g.DoNotReference = true
	g.Anonymous = true
	g.FieldNameTag = "yaml"
	g.RequiredFromJSONSchemaTags = true
	g.Mapper = g.mapped
	if err := g.AddGoComments("github.com/occlint/occlint/internal/config", ".", generate.WithFullComment()); err != nil {
		t.Fatal(err)
	}
	for i := range g.CommentMap {
		g.CommentMap[i] = strings.ReplaceAll(strings.TrimSpace(g.CommentMap[i]), "\n", " ")
	}
	return g
}

// mapped returns the schemas of the types that are not mappings with fixed keys.
func (g *generator) mapped(t reflect.Type) *generate.Schema {
	switch {
	case t == reflect.TypeFor[Spills]():
		size := func() *generate.Schema { return leaf(reflect.TypeFor[Bytes]()) }
		parts := &generate.Schema{Type: "object", Properties: generate.NewProperties(), AdditionalProperties: generate.FalseSchema}
		parts.Properties.Set("stores", size())
		parts.Properties.Set("loads", size())
		one := uint64(1)
		parts.MinProperties = &one
		return &generate.Schema{AnyOf: append(size().AnyOf, parts)}
	case strings.HasPrefix(t.Name(), "Field["):
		return leaf(t.Field(0).Type)
	case strings.HasPrefix(t.Name(), "Map["):
		value, _ := t.Elem().FieldByName("Value")
		return &generate.Schema{Type: "object", AdditionalProperties: g.schema(value.Type)}
	}
	return nil
}

func (g *generator) schema(t reflect.Type) *generate.Schema {
	s := g.ReflectFromType(t)
	s.Version = ""
	if t.Kind() == reflect.Struct && !strings.HasPrefix(t.Name(), "Field[") {
		g.tags(t, t, s)
	}
	return s
}

// tags adds what the tags of a struct's fields say.
func (g *generator) tags(t, owner reflect.Type, s *generate.Schema) {
	one := uint64(1)
	for i := range t.NumField() {
		field := t.Field(i)
		key, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if option == "inline" {
			g.tags(field.Type, owner, s)
			continue
		}
		p, ok := s.Properties.Get(key)
		if !ok {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Slice && p.Items != nil {
			inner = inner.Elem()
			if inner.Kind() == reflect.Struct && !strings.HasPrefix(inner.Name(), "Field[") {
				g.tags(inner, inner, p.Items)
			}
		} else if inner.Kind() == reflect.Struct && p.Properties != nil {
			g.tags(inner, inner, p)
		}
		comment := g.CommentMap["github.com/occlint/occlint/internal/config."+t.Name()+"."+field.Name]
		// Comments begin with the name of the Go field; who writes YAML knows its key.
		p.Description = strings.TrimSuffix(key+strings.TrimPrefix(comment, field.Name), " ")
		if field.Tag.Get("need") != "" {
			s.Required = append(s.Required, key)
		}
		if field.Tag.Get("nonempty") != "" {
			p.MinItems = &one
		}
		if least := field.Tag.Get("min"); least != "" {
			for _, number := range append([]*generate.Schema{p}, p.AnyOf...) {
				if number.Type == "integer" {
					number.Minimum = json.Number(least)
				}
			}
		}
		switch field.Tag.Get("keys") {
		case "arch":
			named(p, archName().String())
		case "rule":
			named(p, ruleID().String())
		case "macro":
			named(p, macroName().String())
		}
	}
}

// named limits the keys of a free mapping.
func named(p *generate.Schema, pattern string) {
	p.PatternProperties = map[string]*generate.Schema{pattern: p.AdditionalProperties}
	p.AdditionalProperties = generate.FalseSchema
}

func TestSchemaIsGenerated(t *testing.T) {
	s := newGenerator(t).schema(reflect.TypeFor[Config]())
	s.Version = generate.Version
	s.ID = schemaID
	s.Title = "occlint config"
	version, _ := s.Properties.Get("version")
	*version = generate.Schema{Const: Version, Description: version.Description}
	s.Description = "The file .occlint.yml: what the kernels of a CUDA project declare and may use."
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile("schema.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if Schema() != string(text) {
		t.Error("schema.json is not what the types say; run go test ./internal/config -update")
	}
}

func compileSchema(t *testing.T) *validate.Schema {
	t.Helper()
	doc, err := validate.UnmarshalJSON(strings.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := validate.NewCompiler()
	if err := c.AddResource(schemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainValue turns YAML into what JSON could hold, as an editor does.
func plainValue(t *testing.T, n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return plainValue(t, n.Content[0])
	case yaml.AliasNode:
		return plainValue(t, n.Alias)
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Tag == "!!merge" {
				mergeInto(m, plainValue(t, n.Content[i+1]))
				continue
			}
			m[n.Content[i].Value] = plainValue(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, plainValue(t, item))
		}
		return list
	default:
		return plainScalar(t, n)
	}
}

func plainScalar(t *testing.T, n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!int", "!!float":
		if _, err := strconv.ParseFloat(n.Value, 64); err != nil {
			t.Fatalf("%q is not a JSON number", n.Value)
		}
		return json.Number(n.Value)
	case "!!bool":
		return n.Value == "true"
	case "!!null":
		return nil
	}
	return n.Value
}

// mergeInto does what "<<" does with a mapping or a list of them.
func mergeInto(m map[string]any, source any) {
	if list, ok := source.([]any); ok {
		for _, item := range list {
			mergeInto(m, item)
		}
		return
	}
	for key, value := range source.(map[string]any) {
		if _, have := m[key]; !have {
			m[key] = value
		}
	}
}

func plainYAML(t *testing.T, text string) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Load([]byte(text), &n); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return plainValue(t, &n)
}

func TestSchemaAcceptsWhatLoadAccepts(t *testing.T) {
	s := compileSchema(t)
	full, err := os.ReadFile("testdata/full.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(validConfigs(), string(full)) {
		if _, err := Parse([]byte(text), "x", Known{}); err != nil {
			t.Errorf("%v\nin\n%s", err, text)
		}
		if err := s.Validate(plainYAML(t, text)); err != nil {
			t.Errorf("the schema refuses what Load accepts: %v\nin\n%s", err, text)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compileSchema(t)
	for _, text := range []string{
		"archs: [sm_90]",
		"version: 1\nkernal: []",
		"version: 1\narchs: []",
		"version: 1\narchs: [sm90]",
		"version: 1\nkernels: [{registers: 3}]",
		"version: 1\nkernels: [{match: x, launch_bounds: [1, 2, 3, 4]}]",
		"version: 1\nkernels: [{match: x, launch_bounds: 0}]",
		"version: 1\nkernels: [{match: x, block: 0}]",
		"version: 1\nkernels: [{match: x, by_arch: {sm_86: {blok: 1}}}]",
		"version: 1\ndefaults: {spills: -1}",
		"version: 1\ndefaults: {spills: {}}",
		"version: 1\ndefaults: {shared: 96KB}",
		"version: 1\ndefaults: {min_occupancy: 120}",
		"version: 1\nrules: {stack-frame: warn}",
		"version: 1\nignore: [{rule: spill-budget}]",
		"version: 1\nignore: [{rule: spill-budget, reason: x, until: 1.3.2027}]",
		"version: 1\ncustom_archs: {sm_130: {}}",
	} {
		if _, err := Parse([]byte(text), "x", Known{}); err == nil {
			t.Errorf("Load accepts\n%s", text)
		}
		if err := s.Validate(plainYAML(t, text)); err == nil {
			t.Errorf("the schema accepts\n%s", text)
		}
	}
}

func TestSchemaDescribesEachKey(t *testing.T) {
	var doc any
	if err := json.NewDecoder(bytes.NewReader([]byte(Schema()))).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	var keys int
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for key, p := range properties {
				keys++
				if _, ok := p.(map[string]any)["description"]; !ok && key != "stores" && key != "loads" {
					t.Errorf("%s.%s has no description", path, key)
				}
			}
			for key, value := range v {
				walk(path+"."+key, value)
			}
		case []any:
			for _, value := range v {
				walk(path, value)
			}
		}
	}
	walk("", doc)
	if keys < 60 {
		t.Errorf("the schema has %d keys, fewer than the types", keys)
	}
}

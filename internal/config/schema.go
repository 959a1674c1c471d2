package config

import _ "embed"

//go:embed schema.json
var schema string

// Schema returns the JSON Schema of the file, for editors. It is generated
// from the types of this package by its tests.
func Schema() string { return schema }

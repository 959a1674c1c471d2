package parse

import _ "embed" // the JSON Schema

//go:embed schema.json
var schema string

// Schema returns the JSON Schema of the JSON that a Log marshals to.
func Schema() string { return schema }

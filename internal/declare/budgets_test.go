package declare

import (
	"fmt"
	"testing"

	"github.com/occlint/occlint/rules"
)

// TestEveryBudgetCanBeDeclared: each row of the table of budgets has its key in
// the config, in defaults and by name, and in comments.
func TestEveryBudgetCanBeDeclared(t *testing.T) {
	for _, b := range rules.Budgets() {
		number, operator := "7", "<="
		if b.Unit == "%" {
			number = "7%"
		}
		if b.AtLeast {
			operator = ">="
		}
		inConfig := b.Key + ": " + number
		switch b.Key { // the config has these under one key
		case "spill_stores":
			inConfig = "spills: {stores: 7}"
		case "spill_loads":
			inConfig = "spills: {loads: 7}"
		}
		for where, files := range map[string]map[string]string{
			"defaults": {".occlint.yml": "version: 1\ndefaults: {" + inConfig + "}\n"},
			"kernels":  {".occlint.yml": "version: 1\nkernels: [{match: k, " + inConfig + "}]\n"},
			"comments": {".occlint.yml": "version: 1\nsources: ['*.cu']\n", "k.cu": fmt.Sprintf("// occlint: %s%s%s\n__global__ void k() {}\n", b.Key, operator, number)},
		} {
			in := repository(t, files)
			in.Log = logOf("_Z1kv sm_90")
			d := merged(t, in)["_Z1kv sm_90"]
			if d == nil {
				t.Fatalf("%s in %s: the kernel is not judged", b.Key, where)
			}
			for _, other := range rules.Budgets() {
				f := other.Declared(d)
				if f.Set != (other.Key == b.Key) || f.Set && f.Value != 7 {
					t.Errorf("%s in %s: %s is %+v", b.Key, where, other.Key, f)
				}
			}
		}
	}
}

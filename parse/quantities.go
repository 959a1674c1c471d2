package parse

import "github.com/occlint/occlint/parse/internal/msg"

// stages and severities are what a message says, as a record states it.
var (
	stages     = [...]Stage{msg.StageUnknown: StageUnknown, msg.Ptxas: StagePtxas, msg.Nvlink: StageNvlink, msg.Cuobjdump: StageCuobjdump}
	severities = [...]Severity{msg.Info: Info, msg.Warning: Warning, msg.Error: Error, msg.Fatal: Fatal}
)

func count(n msg.Number) Count {
	if !n.Stated() {
		return 0
	}
	return Some(n.Value())
}

func size(n msg.Size) Size {
	if !n.Stated() {
		return 0
	}
	return SomeSize(n.Value())
}

package main

import "github.com/spf13/cobra"

// commands lists what occlint can do, one file each.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		newCheckCommand(a),
		newCalcCommand(a),
		newRunCommand(a),
		newWrapCommand(a),
		newShowCommand(a),
		newDeclaredCommand(a),
		newExplainCommand(a),
		newRulesCommand(a),
		newDiffCommand(a),
		newBaselineCommand(a),
		newInitCommand(a),
		newConfigCommand(a),
		newVersionCommand(a),
		newCompletionCommand(a),
	}
}

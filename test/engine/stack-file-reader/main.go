// Reads stacks' files as the Pulumi CLI does. Each line of its input is one as a JSON string; each line of its output is the
// value of integration-platform:tenants as the program gets it, or an error.
package main

import (
	"encoding/json"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/encoding"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

type result struct {
	Value string `json:"value"`
	Error string `json:"error,omitempty"`
}

func read(text string) result {
	project := &workspace.Project{Name: "project"}
	stack, err := workspace.LoadProjectStackBytes(nil, project, []byte(text), "Pulumi.test.yaml", encoding.YAML)
	if err != nil {
		return result{Error: err.Error()}
	}
	values, err := stack.Config.Decrypt(config.NopDecrypter)
	if err != nil {
		return result{Error: err.Error()}
	}
	return result{Value: values[config.MustParseKey("integration-platform:tenants")]}
}

func main() {
	input := json.NewDecoder(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for input.More() {
		var text string
		if err := input.Decode(&text); err != nil {
			panic(err)
		}
		if err := output.Encode(read(text)); err != nil {
			panic(err)
		}
	}
}

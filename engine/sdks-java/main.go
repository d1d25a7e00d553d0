// Generates the SDK for Java from a Pulumi schema, with Pulumi's own package.
// Reads the file that its argument names, and prints {"diagnostics": [...], "sdks": {"java": {"<path>": "<content in base64>"}}}.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	// The generator prints its warnings to standard output.
	output := os.Stdout
	os.Stdout = os.Stderr
	if err := run(output); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(output *os.File) error {
	var spec schema.PackageSpec
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewPluginLoader(nil))
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, err := java.GeneratePackage("pulumi-integration-platform", pkg, nil, false)
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(map[string]any{
		"diagnostics": []string{},
		"sdks":        map[string]any{"java": files},
	})
}

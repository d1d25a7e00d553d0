// Checks a Pulumi schema and generates SDKs from it, with Pulumi's own packages. Reads the file that its
// argument names, and prints {"diagnostics": [...], "sdks": {"<language>": {"<path>": "<content in base64>"}}}.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-integration-platform"

var generators = map[string]func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error){
	"nodejs": func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, loader)
	},
	"python": func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, loader)
	},
	"go": func(pkg *schema.Package, _ schema.ReferenceLoader) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
}

type output struct {
	Diagnostics []string                     `json:"diagnostics"`
	Sdks        map[string]map[string][]byte `json:"sdks"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var spec schema.PackageSpec
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	result := output{Diagnostics: []string{}, Sdks: map[string]map[string][]byte{}}
	for language, generate := range generators {
		loader := schema.NewPluginLoader(nil)
		// A generator changes the package that it is given, so each gets its own.
		pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
		if err != nil {
			return err
		}
		result.Diagnostics = []string{}
		for _, diagnostic := range diagnostics {
			result.Diagnostics = append(result.Diagnostics, diagnostic.Summary+": "+diagnostic.Detail)
		}
		if diagnostics.HasErrors() {
			break
		}
		files, err := generate(pkg, loader)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		result.Sdks[language] = files
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

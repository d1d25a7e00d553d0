// Generates the SDK for .NET from a Pulumi schema, with the last release of Pulumi's package that the Go module proxy serves.
// Reads the file that its argument names, and prints {"diagnostics": [...], "sdks": {"dotnet": {"<path>": "<content in base64>"}}}.
package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

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
	// The generator downloads the package's icon. A plain one from here keeps it off the network.
	icon := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		_ = png.Encode(response, image.NewGray(image.Rect(0, 0, 64, 64)))
	}))
	defer icon.Close()
	spec.LogoURL = icon.URL
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewPluginLoader(nil), schema.ValidationOptions{})
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, err := dotnet.GeneratePackage("pulumi-integration-platform", pkg, nil, nil)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"diagnostics": []string{},
		"sdks":        map[string]any{"dotnet": files},
	})
}

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readDocumentation } from "./documentation.ts";
import { functionSpecs } from "./functions.ts";
import { type PackageSpec, tokenOf } from "./package-spec.ts";
import { settingSpecs } from "./provider-settings.ts";
import { resourceSources, resourceSpec } from "./resources.ts";
import { typeSpecs } from "./types.ts";

const manifestSchema = z.object({ version: z.string(), license: z.string() });

/** The files whose exports the schema takes its descriptions from. */
const documentedFiles = [
  "src/index.ts",
  "src/resources/tenant-fleet/resource.ts",
  "src/resources/fleet-rollout/resource.ts",
  "src/resources/fleet-rollout/schema.ts",
  "src/lookups/integrations.ts",
  "src/settings/table.ts",
  "src/connection/connection-settings.ts",
  "src/operation/run-outcome.ts",
  "src/operation/tenant-connection.ts",
];

/**
 * The schema of the provider plugin, from which Pulumi makes SDKs and documents: names, types and enums from the zod schemas,
 * descriptions from the docstrings.
 */
export function providerSchema(): PackageSpec {
  const manifest = join(dirname(dirname(import.meta.dirname)), "package.json");
  const { version, license } = manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8")));
  const { documentation, checker } = readDocumentation(documentedFiles);
  const lookups = functionSpecs(documentation, checker);
  const config = settingSpecs(documentation, (variable) => `The environment variable \`${variable}\` overrides it.`);
  const inputProperties = settingSpecs(
    documentation,
    (variable) => `Default: the environment variable \`${variable}\`.`,
  );
  return {
    name: "integration-platform",
    displayName: "Integration Platform",
    version,
    description:
      "Tenants of an embedded integration platform: configs, schedules, releases and metadata declared in code.",
    keywords: ["pulumi", "integration-platform", "embedded-integrations", "ipaas", "tenants", "kind/native"],
    license,
    meta: { supportPack: true },
    language: {
      nodejs: { packageName: "pulumi-integration-platform-sdk", respectSchemaVersion: true },
      python: {
        packageName: "pulumi_integration_platform",
        inputTypes: "classes-and-dicts",
        pyproject: { enabled: true },
        respectSchemaVersion: true,
      },
      go: {
        modulePath: "integration-platform.example/sdk/go",
        importBasePath: "integration-platform.example/sdk/go/integrationplatform",
        rootPackageName: "integrationplatform",
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: {
        rootNamespace: "PulumiSdk",
        namespaces: { "integration-platform": "IntegrationPlatform" },
        packageReferences: { Pulumi: "3.*" },
        respectSchemaVersion: true,
      },
      java: { basePackage: "example.pulumi", buildFiles: "gradle" },
    },
    config: { variables: config },
    provider: {
      description:
        "A platform and the API key for it. Without an explicit provider, the settings are those of the stack's config namespace `integration-platform` and of the environment.",
      properties: inputProperties,
      inputProperties,
    },
    types: byToken({ ...typeSpecs(documentation), ...lookups.types }),
    resources: byToken(
      Object.fromEntries(
        Object.entries(resourceSources).map(([name, source]) => [name, resourceSpec(name, source, documentation)]),
      ),
    ),
    functions: byToken(lookups.functions),
  };
}

function byToken<Spec>(specs: Readonly<Record<string, Spec>>): Record<string, Spec> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [tokenOf(name), spec]));
}

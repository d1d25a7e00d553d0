import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createEmulator, type EmulatorOptions, type Seed } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

const auth = { connected: true, connectors: [{ name: "crm", status: "connected", last_change: null }] };
export const schema = { type: "object", properties: { region: { type: "string" } } };

interface Part {
  id: number;
  name: string;
  integration_release_id?: number;
}

export function seedOf(
  releases: readonly (Part & { tag: string; created_date?: string })[],
  tenants: readonly Part[],
): Seed {
  return {
    integrations: [
      {
        ...{ id: 101, name: "crm-to-billing", connectors: [{ name: "crm", isGlobal: false }] },
        ...{ default_release_id: releases[0]?.id, runs: { takes_seconds: 0.01 } },
        releases: releases.map((release) => ({ config_schema: schema, ...release })),
      },
    ],
    tenants: tenants.map((tenant) => ({ integration: "crm-to-billing", status: { auth }, ...tenant })),
  };
}

const sandboxSeed = seedOf(
  [
    { id: 11, name: "old", tag: "v1.4.0", created_date: "2026-01-01T00:00:00Z" },
    { id: 12, name: "new", tag: "v1.5.0", created_date: "2026-01-02T00:00:00Z" },
  ],
  [
    { id: 1, name: "test-one", integration_release_id: 12 },
    { id: 2, name: "test-two", integration_release_id: 12 },
    { id: 3, name: "old-one", integration_release_id: 11 },
  ],
);
export const productionReleases = [
  { id: 31, name: "old", tag: "v1.4.0" },
  { id: 32, name: "new", tag: "v1.5.0" },
];
export const productionTenants = [
  { id: 501, name: "acme", integration_release_id: 31, configs: { region: "eu" } },
  { id: 502, name: "bluebird", integration_release_id: 31, configs: { region: "us" } },
];

export const productionFile = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing, release: { tag: v1.4.0 } } # all
  integration-platform:tenants: { acme: {}, bluebird: {} }
`;

/** Two emulators, and a project with a stack for each. A script stands in for \`pulumi config\`. */
export async function twoPlatforms(production: EmulatorOptions = {}, config: object = {}) {
  const [source, target] = [
    await createEmulator({ seed: sandboxSeed }),
    await createEmulator({ seed: seedOf(productionReleases, productionTenants), ...production }),
  ];
  const folder = await mkdtemp(join(tmpdir(), "promote-"));
  const configOf = ({ url }: { url: string }, more: object = {}) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries({ baseUrl: url, ...more }).map(([key, value]) => [`integration-platform:${key}`, { value }]),
      ),
    );
  const script = `#!/bin/sh\ncase "$*" in\n*sandbox*) echo '${configOf(source)}';;\n*) echo '${configOf(target, config)}';;\nesac\n`;
  await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
  await writeFile(join(folder, "Pulumi.yaml"), "name: customers\nruntime: nodejs\n");
  await writeFile(join(folder, "Pulumi.production.yaml"), productionFile);
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    INTEGRATION_PLATFORM_API_KEY: target.apiKey,
    INTEGRATION_PLATFORM_FROM_API_KEY: source.apiKey,
  };
  const command = ["promote", "--from", "sandbox", "--to", "production", "--integration", "crm-to-billing"];
  return {
    source,
    target,
    folder,
    env,
    run: (...args: string[]) => runCli(undefined, [...command, ...args], env, folder),
    file: () => readFile(join(folder, "Pulumi.production.yaml"), "utf8"),
    write: (text: string) => writeFile(join(folder, "Pulumi.production.yaml"), text),
    async [Symbol.asyncDispose]() {
      await Promise.all([source.close(), target.close(), rm(folder, { recursive: true })]);
    },
  };
}

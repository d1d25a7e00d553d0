import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEmulator, type EmulatorOptions, type Seed } from "../../../src/emulator/index.ts";
import { call } from "../../emulator/running-emulator.ts";
import { runCli } from "../run-cli.ts";

const auth = { connected: true, connectors: [{ name: "crm", status: "connected", last_change: null }] };
const schema = { type: "object", properties: { region: { type: "string" } } };

interface Part {
  id: number;
  name: string;
  integration_release_id?: number;
}

function seedOf(releases: readonly (Part & { tag: string; created_date?: string })[], tenants: readonly Part[]): Seed {
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
const productionReleases = [
  { id: 31, name: "old", tag: "v1.4.0" },
  { id: 32, name: "new", tag: "v1.5.0" },
];
const productionTenants = [
  { id: 501, name: "acme", integration_release_id: 31, configs: { region: "eu" } },
  { id: 502, name: "bluebird", integration_release_id: 31, configs: { region: "us" } },
];

const productionFile = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing, release: { tag: v1.4.0 } } # all
  integration-platform:tenants: { acme: {}, bluebird: {} }
`;

/** Two emulators, and a project with a stack for each. A script stands in for \`pulumi config\`. */
async function twoPlatforms(production: EmulatorOptions = {}, config: object = {}) {
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
    run: (...args: string[]) => runCli(undefined, [...command, ...args], env, folder),
    file: () => readFile(join(folder, "Pulumi.production.yaml"), "utf8"),
    write: (text: string) => writeFile(join(folder, "Pulumi.production.yaml"), text),
    async [Symbol.asyncDispose]() {
      await Promise.all([source.close(), target.close(), rm(folder, { recursive: true })]);
    },
  };
}

/** Runs a sync of a tenant to its end. */
async function syncOf(emulator: Parameters<typeof call>[0], tenantId: number) {
  await call(emulator, "POST", `/v2/tenants/${tenantId}/sync?mode=normal`);
  await expect
    .poll(async () => Object((await call(emulator, "GET", `/v2/tenants/${tenantId}/runs`)).body)[0]?.completed_date)
    .toEqual(expect.any(String));
}

describe.concurrent("promote", () => {
  test("declares the release in the other stack's file, and says what was proven", async () => {
    await using on = await twoPlatforms();
    await Promise.all([syncOf(on.source, 1), syncOf(on.source, 2)]);
    const { code, stdout, stderr } = await on.run("--tag", "v1.5.0", "--write-summary", "summary.md");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("sandbox: 2 tenants of crm-to-billing run v1.5.0 (release 12);");
    expect(stdout).toMatch(/2 syncs\s+succeeded\s+and\s+0\s+failed\s+since \d{4}-/);
    expect(stdout).toContain("Pulumi.production.yaml is changed:\n  tenantDefaults.release.tag: v1.4.0 -> v1.5.0\n");
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(await on.file()).toBe(productionFile.replace("tag: v1.4.0", "tag: v1.5.0"));
    expect(on.target.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await on.run("--tag", "v1.5.0")).stdout).toContain("Pulumi.production.yaml declares it already");
  });

  test("needs a tag if the tenants run several releases", async () => {
    await using on = await twoPlatforms();
    expect(await on.run()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/v1\.5\.0 \(2 tenants\).*name one of them with --tag/),
    });
  });

  test("refuses without enough proof, by the option or the stack's config", async () => {
    await using on = await twoPlatforms({}, { promoteRequires: "tenants >= 3" });
    const refused = await on.run("--tag", "v1.5.0");
    expect(refused).toMatchObject({
      code: 4,
      stdout: expect.stringContaining("it is not proven enough: tenants >= 3"),
    });
    expect(await on.file()).toBe(productionFile);
    const allowed = await on.run("--tag", "v1.5.0", "--require", "tenants == 2 and syncs == 0", "--dry-run");
    expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining("would be changed:") });
    expect(await on.file()).toBe(productionFile);
    expect(await on.run("--tag", "v1.5.0", "--require", "runs > 1")).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("there are tenants, syncs and failures"),
    });
  });

  test("refuses a release with other schemas, and one that does not fit a tenant, and says who must act", async () => {
    const stricter = { ...schema, required: ["batch"] };
    const releases = productionReleases.map((one) => ({ ...one, config_schema: stricter }));
    await using on = await twoPlatforms({ seed: seedOf(releases, productionTenants) });
    const { code, stdout } = await on.run("--tag", "v1.5.0", "--require", "tenants > 0");
    expect(code).toBe(4);
    const text = stdout.replaceAll(/\n? +/g, " ");
    expect(text).toContain("the config_schema of production differs from that of sandbox: it is not what was tried");
    expect(text).toContain("it does not fit 2 tenants of production");
    expect(text).toContain("configs.batch is required: acme, bluebird. To be set by");
    expect(await on.file()).toBe(productionFile);
  });

  test.each([
    [
      "tenants of another integration have the release too",
      `integration-platform:tenantDefaults: { release: { tag: v1.4.0 } }
  integration-platform:tenants: { acme: { integration: crm-to-billing }, shop: { integration: shop } }`,
      "tenantDefaults.release.tag is the release of other integrations' tenants too: declare theirs at them or in a group",
    ],
    [
      "tenants follow a channel",
      `integration-platform:tenantDefaults: { integration: crm-to-billing, release: { channel: Default } }
  integration-platform:tenants: { acme: {} }`,
      "its tenants follow a channel of the platform, and no tag or id",
    ],
  ])("cannot change a file in which %s, and says what to do", async (_, config, reason) => {
    await using on = await twoPlatforms();
    await on.write(`config:\n  ${config}\n`);
    const { code, stderr } = await on.run("--tag", "v1.5.0", "--require", "tenants > 0");
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("Declare the tag v1.5.0 by hand");
  });

  test("builds the tag where it is missing, if asked to", async () => {
    const [old] = productionReleases;
    const seed = seedOf(old === undefined ? [] : [old], productionTenants);
    await using on = await twoPlatforms({ seed });
    const without = await on.run("--tag", "v1.5.0", "--require", "tenants > 0");
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("or add --build") });
    await on.run("--tag", "v1.5.0", "--require", "tenants > 0", "--build");
    const [build] = on.target.requests().filter(({ method }) => method === "POST");
    expect(build?.body).toMatchObject({ integration_id: 101, tag: "v1.5.0" });
  });

  test("changes a key that a program reads, and gives programs the result as JSON", async () => {
    await using on = await twoPlatforms();
    await on.write("config:\n  customers:release: v1.4.0\n");
    expect(await on.run("--tag", "v1.5.0", "--require", "tenants > 0")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--config-key"),
    });
    const named = ["--config-key", "customers:release", "--json"];
    const { stdout } = await on.run("--tag", "v1.5.0", "--require", "tenants > 0", ...named);
    expect(JSON.parse(stdout)).toMatchObject({
      tag: "v1.5.0",
      releases: { from: 12, to: 32 },
      changed: [{ path: "customers:release", declared: "v1.4.0" }],
      refusals: [],
    });
    expect(await on.file()).toBe("config:\n  customers:release: v1.5.0\n");
  });
});

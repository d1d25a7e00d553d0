import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { packPackage } from "../../scripts/pack.ts";
import { bundleLambda, lambdaNames } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { payload } from "../receiver/fixtures.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const repository = join(import.meta.dirname, "../..");

const program = `
const pulumi = require("@pulumi/pulumi");
const { Tenant } = require("pulumi-integration-platform");
const acme = new Tenant("acme", {
  integration: "crm-to-billing",
  release: { tag: "v1.0.0" },
  paused: false,
  configs: { region: "eu", api_token: pulumi.secret("packed-secret") },
  metadata: { plan: "gold" },
});
exports.acmeId = acme.tenantId;
`;

const withoutPulumi = `
import { createClient } from "pulumi-integration-platform/api";
import { createEmulator } from "pulumi-integration-platform/emulator";
const emulator = await createEmulator();
const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
for await (const integration of client.integrations.list()) console.log(integration.name);
await client.close();
await emulator.close();
`;

const typed = `
import { Tenant } from "pulumi-integration-platform";
import { createClient } from "pulumi-integration-platform/api";
export const id = new Tenant("acme", { integration: "crm-to-billing", release: { channel: "Latest" } }).tenantId;
// @ts-expect-error: a tenant needs an integration
new Tenant("nobody", {});
// @ts-expect-error: a client needs a key
createClient({ baseUrl: "https://platform.example.com" });
`;

const receiverCode = `
const infrastructure = "./node_modules/pulumi-integration-platform/src/receiver/infrastructure";
const { lambdaNames } = await import(infrastructure + "/bundle-lambda.js");
const { lambdaCode } = await import(infrastructure + "/lambda-code.js");
const archives = await Promise.all(lambdaNames.map((name) => lambdaCode(name)));
console.log(JSON.stringify(await Promise.all(archives.map(async (archive) => (await archive.assets)["index.mjs"].path))));
`;

const handler = `
import { eventHandlers } from "pulumi-integration-platform/receiver/events";
const handler = eventHandlers({ onTenantCreated: (tenant) => console.log(tenant.tenant_name) });
const event = ${JSON.stringify(payload("new_tenant_created", { tenant_name: "acme" }))};
const receivedAt = "2026-11-21T12:00:00Z";
await handler({ detail: { ingestId: "1", receivedAt, reconciled: false, isWhole: true, problems: [], event } });
`;

describe("the packed package, installed in an empty project", () => {
  let place: string;
  let consumer: string;
  let tarball: string;

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), "integration-platform-pack-"));
    consumer = join(place, "consumer");
    await mkdir(consumer);
    tarball = await packPackage({ destination: place, buildDirectory: join(place, "build") });
    await run("npm", "init", "--yes");
    await run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", tarball, "@pulumi/pulumi@3.270.0");
  });
  afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));

  test("contains JavaScript and declarations, but no tests or TypeScript sources", async () => {
    const installed = join(consumer, "node_modules/pulumi-integration-platform");
    const files = (await readdir(installed, { recursive: true })).filter((file) => !file.startsWith("node_modules"));
    expect(files).toEqual(
      expect.arrayContaining(["README.md", "LICENSE", "src/index.js", "src/index.d.ts", "schemas/stack.schema.json"]),
    );
    expect(files.filter((file) => /(?<!\.d)\.ts$|\btest\b|\.test\.|Pulumi\./.test(file))).toEqual([]);
  });

  test("exports the client and the emulator for use without Pulumi, and has a command", async () => {
    await writeFile(join(consumer, "without-pulumi.mjs"), withoutPulumi);
    expect(await run(process.execPath, "without-pulumi.mjs")).toBe("crm-to-billing\nshop-to-erp\nhr-to-payroll\n");
    expect(await run(process.execPath, "node_modules/.bin/integration-platform", "--help")).toContain("Usage");
  });

  test("contains the code of the webhook receiver's functions, and exports the types of the events", async () => {
    await writeFile(join(consumer, "receiver-code.mjs"), receiverCode);
    const bundles = JSON.parse(await run(process.execPath, "receiver-code.mjs"));
    expect(bundles).toEqual(["acknowledge", "consume", "reconcile"].map((name) => expect.stringMatching(name)));
    for (const [index, name] of lambdaNames.entries()) {
      expect((await readFile(bundles[index])).equals((await bundleLambda(name)).code)).toBe(true);
    }
    await writeFile(join(consumer, "handler.mjs"), handler);
    expect(await run(process.execPath, "handler.mjs")).toBe("acme\n");
  });

  test("has types that reject a wrong TypeScript program", async () => {
    await writeFile(join(consumer, "typed.mts"), typed);
    const compiler = join(repository, "node_modules/typescript/bin/tsc");
    await run(
      process.execPath,
      compiler,
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--skipLibCheck",
      "typed.mts",
    );
  });

  test("works in a plain JavaScript program: up, up without changes, destroy", async () => {
    await writeFile(join(consumer, "index.js"), program);
    await writeFile(join(consumer, "Pulumi.yaml"), "name: consumer\nruntime: nodejs\n");
    await using platform = await openPlatform();
    await using project = await createProject({ folder: consumer, stackYaml: "config: {}\n", env: platform.env });

    await project.mustRun(["up", "--yes", "--skip-preview"]);
    const acme = await platform.tenant("acme");
    expect(acme).toMatchObject({ paused: false, configs: { region: "eu", api_token: "packed-secret" } });
    expect(await platform.metadata("acme")).toEqual({ plan: "gold" });
    await platform.change("acme", { paused: true });
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh"]);
    expect(await platform.tenant("acme")).toMatchObject({ id: acme.id, paused: false });
    await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toEqual([]);
    expect(project.printed()).not.toContain("packed-secret");
  });

  /** Runs a program in the consumer's folder, without the variables of the npm that runs this test. */
  async function run(command: string, ...args: string[]): Promise<string> {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
    const { code, stdout, stderr } = await runCommand(command, args, { cwd: consumer, env, timeLimitSeconds: 180 });
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  }
});

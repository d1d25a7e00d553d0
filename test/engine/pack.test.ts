import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { bundleLambda, lambdaNames } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { payload } from "../receiver/fixtures.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { packedPackage, runIn } from "./harness/packed-package.ts";
import { options2018 } from "./harness/typescript-templates.ts";

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

const typescriptProgram = `
import { Tenant } from "pulumi-integration-platform";
const acme = new Tenant("acme", {
  integration: "crm-to-billing",
  paused: false,
  configs: { region: "eu", api_token: "t" },
});
export const acmeId = acme.tenantId;
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

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), "integration-platform-pack-"));
    consumer = join(place, "consumer");
    await mkdir(consumer);
    await run("npm", "init", "--yes");
    const packages = [await packedPackage(), "@pulumi/pulumi@3.270.0", "@types/node@18.19.130"];
    await run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", ...packages);
  });
  afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));

  test("exports the client and the emulator for use without Pulumi, and has a command", async () => {
    await writeFile(join(consumer, "without-pulumi.mjs"), withoutPulumi);
    expect(await run(process.execPath, "without-pulumi.mjs")).toBe("crm-to-billing\nshop-to-erp\nhr-to-payroll\n");
    expect(await run(process.execPath, "node_modules/.bin/integration-platform", "--help")).toContain("Usage");
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(await run(process.execPath, "node_modules/.bin/integration-platform", "--version")).toBe(`${version}\n`);
  });

  test("reads a receiver on AWS without an installed AWS SDK", async () => {
    expect(existsSync(join(consumer, "node_modules/@aws-sdk"))).toBe(false);
    const endpoint = "127.0.0.1:9"; // nothing listens there
    const env = {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: `http://${endpoint}`,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    };
    const args = ["node_modules/.bin/integration-platform", "events", "list", "--ledger", "the-ledger"];
    const { code, stderr } = await runCommand(process.execPath, args, { cwd: consumer, env, timeLimitSeconds: 60 });
    expect(stderr).toMatch(new RegExp(`^error: .*ECONNREFUSED ${endpoint}`));
    expect(code).toBe(1);
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

  test("works in Pulumi's TypeScript template of 2018, whose compiler is the one that Pulumi brings", async () => {
    expect(existsSync(join(consumer, "node_modules/typescript"))).toBe(false);
    const folder = join(consumer, "template");
    await mkdir(folder);
    await writeFile(join(folder, "index.ts"), typescriptProgram);
    await writeFile(join(folder, "package.json"), JSON.stringify({ main: "index.ts" }));
    await writeFile(join(folder, "Pulumi.yaml"), "name: template\nruntime: nodejs\n");
    const tsconfig = { compilerOptions: options2018, files: ["index.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    await using platform = await openPlatform();
    await using project = await createProject({ folder, stackYaml: "config: {}\n", env: platform.env });

    expect((await project.preview()).changeSummary).toEqual({ create: 2 });
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenant("acme")).toMatchObject({ paused: false, configs: { region: "eu" } });
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);

    await project.put("index.ts", typescriptProgram.replace("paused: false", "paused: 1"));
    const { code, stdout, stderr } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("index.ts(5,3): error TS2322: Type 'number' is not assignable to type");
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

  function run(command: string, ...args: string[]): Promise<string> {
    return runIn(consumer, command, ...args);
  }
});

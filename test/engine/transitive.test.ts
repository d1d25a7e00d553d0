import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { packedPackage, runIn } from "./harness/packed-package.ts";

const wrapper = `
const { Tenant } = require("pulumi-integration-platform");
exports.tenantOf = (customer) =>
  new Tenant(customer, { integration: "crm-to-billing", paused: false, configs: { region: "eu", api_token: "t" } });
`;

const program = `
const { tenantOf } = require("tenants-of-ours");
exports.acmeId = tenantOf("acme").tenantId;
`;

let place: string;
let consumer: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "integration-platform-transitive-"));
  consumer = join(place, "consumer");
  const tarball = await packedPackage();
  await write("wrapper", {
    "index.js": wrapper,
    "package.json": JSON.stringify({
      name: "tenants-of-ours",
      version: "1.0.0",
      dependencies: { "pulumi-integration-platform": `file:${tarball}` },
      peerDependencies: { "@pulumi/pulumi": "*" },
    }),
  });
  await write("consumer", {
    "index.js": program,
    "Pulumi.yaml": "name: consumer\nruntime: nodejs\n",
    "package.json": JSON.stringify({
      name: "consumer",
      dependencies: { "tenants-of-ours": "file:../wrapper", "@pulumi/pulumi": "3.270.0" },
    }),
  });
  const install = ["install", "--prefer-offline", "--store-dir", join(place, "store")];
  await runIn(consumer, "npx", "--yes", "pnpm@10.34.9", ...install);
});
afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));

test("with pnpm, the provider is found if this package is only a transitive dependency", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ folder: consumer, stackYaml: "config: {}\n", env: platform.env });
  expect(existsSync(join(consumer, "node_modules/@pulumi/pulumi"))).toBe(true);
  expect(existsSync(join(consumer, "node_modules/pulumi-integration-platform"))).toBe(false);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const acme = await platform.tenant("acme");
  expect(acme).toMatchObject({ paused: false, configs: { region: "eu" } });
  await platform.change("acme", { paused: true });
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh"]);
  expect(await platform.tenant("acme")).toMatchObject({ id: acme.id, paused: false });
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
});

async function write(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(join(place, folder));
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, folder, name), text);
}

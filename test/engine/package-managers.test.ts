import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { packedPackage, runIn } from "./harness/packed-package.ts";

/** `npx` runs each from npm's registry. transitive.test.ts has the provider with pnpm. */
const managers = {
  npm: { run: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"], files: {} },
  pnpm: { run: ["npx", "--yes", "pnpm@10.34.9", "install", "--prefer-offline", "--store-dir", "../store"], files: {} },
  yarn: {
    run: ["npx", "--yes", "--package=@yarnpkg/cli-dist@4.18.1", "yarn", "install", "--no-immutable"],
    files: {
      ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\nenableGlobalCache: false\n",
      "yarn.lock": "",
    },
  },
  bun: { run: ["npx", "--yes", "bun@1.4.5", "install"], files: {} },
} as const;

/** Loads the package in each way that matters: as a program, as a dynamic provider, as a command. */
const program = `
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { Tenant } from "pulumi-integration-platform";
import { createEmulator } from "pulumi-integration-platform/emulator";
const require = createRequire(import.meta.url);
const emulator = await createEmulator();
await emulator.close();
const provider = require(require.resolve("pulumi-integration-platform/provider", { paths: [process.cwd()] }));
console.log(require("pulumi-integration-platform").Tenant === Tenant, typeof provider.tenant.create);
console.log(execFileSync("node_modules/.bin/integration-platform", ["--help"], { encoding: "utf8" }).split("\\n")[0]);
process.exit(); // the provider would wait for its engine
`;

let place: string;
let tarball: string;

beforeAll(() =>
  endAfterTests(async (open) => {
    tarball = await packedPackage();
    place = await mkdtemp(join(tmpdir(), "integration-platform-managers-"));
    open.defer(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));
  }),
);

test.each(Object.entries(managers))("%s installs the package, and its entry points load", async (name, manager) => {
  const folder = join(place, name);
  await mkdir(folder);
  const dependencies = { "pulumi-integration-platform": `file:${tarball}`, "@pulumi/pulumi": "3.270.0" };
  const files = { ...manager.files, "package.json": JSON.stringify({ dependencies }), "index.mjs": program };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  // Yarn and bun have other defaults than npm, which a machine may not reach.
  const registry = (await runIn(folder, "npm", "config", "get", "registry")).trim();
  const env = [`YARN_NPM_REGISTRY_SERVER=${registry}`, `BUN_CONFIG_REGISTRY=${registry}`];

  await runIn(folder, "env", ...env, ...manager.run);

  expect(await runIn(folder, process.execPath, "index.mjs")).toBe(
    "true function\nUsage: integration-platform [options] [command]\n",
  );
});

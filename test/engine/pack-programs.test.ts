import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { packedPackage, runIn } from "./harness/packed-package.ts";

const repository = join(import.meta.dirname, "../..");
const compiler = join(repository, "node_modules/typescript/bin/tsc");

/** Uses every entry point, and is wrong where it says so. */
const typescript = `
import type * as pulumi from "@pulumi/pulumi";
import { getTenant, SyncTrigger, Tenant, TenantFleet } from "pulumi-integration-platform";
import { createClient } from "pulumi-integration-platform/api";
import { createEmulator } from "pulumi-integration-platform/emulator";
import { tenant } from "pulumi-integration-platform/provider";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";
import { eventHandlers } from "pulumi-integration-platform/receiver/events";

export function declare(): pulumi.Output<number> {
  const acme = new Tenant("acme", { integration: "crm-to-billing", release: { channel: "Latest" }, configs: { a: 1 } });
  new TenantFleet("fleet", { integration: "crm-to-billing", tenants: { acme: { paused: false } } });
  new WebhookReceiver("hooks", { tokens: ["a token"] });
  // @ts-expect-error: a tenant needs an integration
  new Tenant("nobody", {});
  // @ts-expect-error: there is no such mode
  new SyncTrigger("wrong", { tenantId: acme.tenantId, mode: "slow" });
  return acme.tenantId;
}
export const read = (): Promise<number> => getTenant({ id: 1 }).then((found) => found.tenantId);
export const handler = eventHandlers({ onTenantCreated: (created) => created.tenant_name.toUpperCase() });

async function main(): Promise<void> {
  const emulator = await createEmulator();
  // @ts-expect-error: a client needs a key
  const wrong = (): unknown => createClient({ baseUrl: emulator.url });
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  for await (const { name } of client.integrations.list()) console.log(name);
  console.log(typeof tenant, typeof wrong, typeof WebhookReceiver);
  await client.close();
  await emulator.close();
}
main();
`;
const printed = "crm-to-billing\nshop-to-erp\nhr-to-payroll\nobject function function\n";

interface Template {
  /** Default `ts`. */
  readonly extension?: "ts" | "mts" | "cts";
  /** `type` of package.json. */
  readonly type?: "commonjs" | "module";
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

const node10 = { moduleResolution: "node", ignoreDeprecations: "6.0" };
const officialOptions = {
  strict: true,
  experimentalDecorators: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

const templates: Readonly<Record<string, Template>> = {
  "Pulumi's template since 2026": {
    compilerOptions: { ...officialOptions, target: "es2020", module: "nodenext", moduleResolution: "nodenext" },
  },
  "Pulumi's template since 2024": {
    compilerOptions: { ...officialOptions, target: "es2020", module: "commonjs", ...node10 },
  },
  "Pulumi's template since 2018": {
    compilerOptions: { ...officialOptions, target: "es2016", module: "commonjs", ...node10 },
  },
  "CommonJS of node16": { compilerOptions: { target: "es2022", module: "node16" } },
  "CommonJS of node16 as .cts": { extension: "cts", type: "module", compilerOptions: { module: "node16" } },
  "ES modules of node16": { type: "module", compilerOptions: { target: "es2022", module: "node16" } },
  "ES modules of nodenext, as .mts": { extension: "mts", compilerOptions: { module: "nodenext" } },
  "ES modules for a bundler": {
    type: "module",
    compilerOptions: { target: "es2022", module: "esnext", moduleResolution: "bundler" },
  },
  "CommonJS for a bundler": { compilerOptions: { module: "commonjs", moduleResolution: "bundler" } },
  "isolatedModules and verbatimModuleSyntax": {
    type: "module",
    compilerOptions: { module: "nodenext", isolatedModules: true, verbatimModuleSyntax: true },
  },
};

const javascript = {
  "as an ES module": [
    "index.mjs",
    `import { createEmulator } from "pulumi-integration-platform/emulator";
     import { Tenant } from "pulumi-integration-platform";
     import { createRequire } from "node:module";
     const required = createRequire(import.meta.url)("pulumi-integration-platform");
     console.log(typeof createEmulator, required.Tenant === Tenant);`,
  ],
  "as CommonJS": [
    "index.cjs",
    `const { createEmulator } = require("pulumi-integration-platform/emulator");
     const { Tenant } = require("pulumi-integration-platform");
     import("pulumi-integration-platform").then((imported) => console.log(typeof createEmulator, imported.Tenant === Tenant));`,
  ],
} as const;

const oldVersions = ["18.20.8", "20.20.2", "22.11.0"];
const entryPoints = ["", "/api", "/emulator", "/provider", "/receiver", "/receiver/events"];

describe("the packed package, installed with npm", () => {
  let place: string;

  beforeAll(() =>
    endAfterTests(async (open) => {
      const tarball = await packedPackage();
      place = await mkdtemp(join(tmpdir(), "integration-platform-programs-"));
      open.defer(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));
      await writeFile(join(place, "package.json"), "{}");
      const nodes = oldVersions.map(
        (version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`,
      );
      const packages = [tarball, "@pulumi/pulumi@3.270.0", "@pulumi/aws@7.48.0", "@types/node@22.19.1", ...nodes];
      await runIn(
        place,
        "npm",
        "install",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        ...packages,
      );
    }),
  );

  describe.each(Object.entries(templates))("in TypeScript: %s", (name, { extension = "ts", type, compilerOptions }) => {
    test("has types for it, and runs", async () => {
      const folder = join(place, name.replace(/\W+/g, "-"));
      await mkdir(folder);
      await writeFile(join(folder, `index.${extension}`), typescript);
      await writeFile(join(folder, "package.json"), JSON.stringify({ type }));
      const tsconfig = { compilerOptions: { strict: true, types: ["node"], outDir: "bin", ...compilerOptions } };
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
      // skipLibCheck is false unless a template sets it: the declarations themselves must be right.
      await runIn(folder, process.execPath, compiler, "-p", ".");
      expect(await runIn(folder, process.execPath, `bin/index.${extension.replace("ts", "js")}`)).toBe(printed);
    });
  });

  test.each(Object.entries(javascript))("in JavaScript %s, is there once", async (_, [file, text]) => {
    await writeFile(join(place, file), text);
    expect(await runIn(place, process.execPath, file)).toBe("function true\n");
  });

  describe.each(oldVersions)("on Node.js %s", (version) => {
    const sentence = `pulumi-integration-platform needs Node.js 22.19 or later; this is v${version}.`;
    const run = (...args: string[]) => {
      const node = join(place, "node_modules", `node-${version}/bin/node`);
      return runCommand(node, args, { cwd: place, timeLimitSeconds: 60 });
    };

    test("the command says in one sentence which version it needs", async () => {
      const outcome = await run("node_modules/.bin/integration-platform", "--help");
      expect(outcome).toEqual({ code: 1, stdout: "", stderr: `${sentence}\n` });
    });

    test.each(entryPoints)("an import and a require of pulumi-integration-platform%s say it too", async (path) => {
      const name = JSON.stringify(`pulumi-integration-platform${path}`);
      for (const [type, text] of [
        ["module", `import * as all from ${name}; console.log(all);`],
        ["commonjs", `console.log(require(${name}));`],
      ] as const) {
        const file = `old.${type === "module" ? "mjs" : "cjs"}`;
        await writeFile(join(place, file), text);
        const { code, stdout, stderr } = await run(file);
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toContain(sentence);
        expect(stderr).not.toMatch(/^ +at /m);
      }
    });
  });
});

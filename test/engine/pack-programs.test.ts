import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { builtPlugin } from "../../engine/built-plugin.ts";
import { runCommand } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { packedPackage, runIn } from "./harness/packed-package.ts";
import { options2018, printed, program, type Template, templates } from "./harness/typescript-templates.ts";

const repository = join(import.meta.dirname, "../..");
const compiler = join(repository, "node_modules/typescript/bin/tsc");

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

const oldVersions = ["18.20.8", "20.20.2", "22.11.0"] as const;
const typescriptVersions = ["5.0.4", "5.9.3"] as const;
const entryPoints = ["", "/api", "/emulator", "/native", "/provider", "/receiver", "/receiver/events"];

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
      const compilers = typescriptVersions.map((version) => `typescript-${version}@npm:typescript@${version}`);
      const others = ["@pulumi/pulumi@3.270.0", "mime@2.6.0", "@types/node@22.19.1"];
      const packages = [tarball, ...others, ...compilers, ...nodes];
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
      // it has 10,000 files, which npm unpacks slowly; its dependencies are installed above
      const aws = "node_modules/@pulumi/aws";
      await cp(join(repository, aws), join(place, aws), { recursive: true });
    }),
  );

  describe("in TypeScript", () => {
    let errors: string;

    beforeAll(async () => {
      for (const [name, template] of Object.entries(templates)) await writeTemplate(folderOf(name), template);
      const args = [compiler, "--build", ...Object.keys(templates).map(folderOf)];
      errors = (await runCommand(process.execPath, args, { cwd: place, timeLimitSeconds: 400 })).stdout;
    });

    test.each(Object.entries(templates))("%s: has types, and runs", async (name, { extension = "ts" }) => {
      expect(errors.split("\n").filter((line) => line.startsWith(`${folderOf(name)}/`))).toEqual([]);
      const file = `bin/index.${extension.replace("ts", "js")}`;
      expect(await runIn(join(place, folderOf(name)), process.execPath, file)).toBe(printed);
    });

    test("the declarations are right themselves", () => {
      expect(errors).toBe("");
    });

    test.each(typescriptVersions)("compiles with TypeScript %s and Pulumi's template since 2018", async (version) => {
      await writeTemplate(version, { compilerOptions: options2018 });
      const args = [`node_modules/typescript-${version}/bin/tsc`, "-p", version, "--pretty", "false"];
      const { stdout } = await runCommand(process.execPath, args, { cwd: place, timeLimitSeconds: 200 });
      // TypeScript 5 finds errors in the declarations of other packages, and compiles all the same. It finds none in ours.
      expect(stdout).not.toMatch(/^(?!node_modules\/(zod|@types)\/)\S/m);
      expect(await runIn(join(place, version), process.execPath, "bin/index.js")).toBe(printed);
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

    test("the provider plugin says it too", async () => {
      const outcome = await run(join(await builtPlugin(), "main.cjs"));
      const stderr = `${sentence.replace("pulumi-integration-platform", "pulumi-resource-integration-platform")}\n`;
      expect(outcome).toEqual({ code: 1, stdout: "", stderr });
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

  test("the scripts of a clone say on Node.js 18 which version they need", async () => {
    const node = join(place, "node_modules/node-18.20.8/bin/node");
    const args = [join(repository, "bootstrap.mjs"), "scripts/pack.ts"];
    expect(await runCommand(node, args, { timeLimitSeconds: 20 })).toEqual({
      code: 1,
      stdout: "",
      stderr: "The scripts of this project need Node.js 20 or later; this is v18.20.8.\n",
    });
  });

  async function writeTemplate(name: string, { extension = "ts", type, compilerOptions }: Template): Promise<void> {
    const folder = join(place, name);
    await mkdir(folder);
    await writeFile(join(folder, `index.${extension}`), program);
    await writeFile(join(folder, "package.json"), JSON.stringify({ type }));
    const tsconfig = { compilerOptions: { strict: true, types: ["node"], outDir: "bin", ...compilerOptions } };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  }
});

function folderOf(template: string): string {
  return template.replace(/\W+/g, "-");
}

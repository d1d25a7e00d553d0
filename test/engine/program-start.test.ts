import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";

/** In a program or a provider: the packages that have been loaded so far, of those that Pulumi's SDK can do without. */
const large = /node_modules\/(@pulumi\/pulumi\/vendor\/[^/@]+|typescript|@npmcli\/arborist)/;
const loaded = `require("node:module").createRequire(process.cwd() + "/").cache`;
const loadedLarge = `[...new Set(Object.keys(${loaded}).flatMap((file) => ${large}.exec(file)?.[1] ?? []))].sort()`;

const program = `
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
const require = createRequire(import.meta.url);
const __provider = \`exports.handler = () => ({
  check: async (olds, news) => ({ inputs: news, failures: [] }),
  create: async () => ({ id: "one", outs: { loaded: ${loadedLarge.replaceAll("\\", "\\\\")} } }),
})\`;
class Bare extends pulumi.CustomResource {
  constructor() {
    super("pulumi-nodejs:dynamic:Bare", "bare", { __provider, loaded: undefined });
  }
}
export const inProvider = new Bare().loaded;
export const inProgram = ${loadedLarge};
`;

test("a program and its provider start without TypeScript and npm's installer", async () => {
  await using project = await createProject({ program, stackYaml: "config: {}\n" });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await outputsOf(project)).toEqual({ inProgram: [], inProvider: [] });
});

test("a program that does not turn TypeScript off gets ts-node as before", async () => {
  await using project = await createProject({ program, stackYaml: "config: {}\n" });
  const file = join(project.directory, "Pulumi.yaml");
  await project.put("Pulumi.yaml", (await readFile(file, "utf8")).replace("typescript: false", ""));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await outputsOf(project)).toMatchObject({ inProgram: ["@pulumi/pulumi/vendor/ts-node", "typescript"] });
});

test("the SDK still serialises functions, with the packages that they need", async () => {
  const functions = `
    import { valid } from "semver";
    import * as pulumi from "@pulumi/pulumi";
    const prefix = "v";
    class Version extends pulumi.dynamic.Resource {
      constructor() {
        super({ create: async ({ text }) => ({ id: "one", outs: { version: prefix + valid(text) } }) }, "version", {
          text: "1.2.3+build",
          version: undefined,
        });
      }
    }
    export const version = new Version().version;
    export const files = pulumi.runtime.computeCodePaths().then((paths) => [...paths.keys()].some((path) => path.endsWith("/zod")));
  `;
  await using project = await createProject({ program: functions, stackYaml: "config: {}\n" });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await outputsOf(project)).toEqual({ version: "v1.2.3", files: true });
});

async function outputsOf(project: Awaited<ReturnType<typeof createProject>>): Promise<unknown> {
  return JSON.parse((await project.mustRun(["stack", "output", "--json"])).stdout);
}

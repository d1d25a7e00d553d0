import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { createProject, type Project } from "./create-project.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
const config = new pulumi.Config();
class Note extends pulumi.dynamic.Resource {
  constructor(name: string, text: pulumi.Input<string>) {
    super({ async create(inputs) { return { id: "note-1", outs: inputs }; } }, name, { text });
  }
}
new Note("note", config.require("text"));
export const text = config.require("text");
`;

test("brings up its own program, previews a change, applies it, and destroys the stack", {
  timeout: 120_000,
}, async () => {
  await using project = await createProject({ program, stackYaml: "config:\n  throw-away:text: first\n" });

  const { stdout, stderr } = await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(stdout).toContain("+ 2 created");
  expect(stdout + stderr).not.toMatch(/warning|ambient/i);
  expect((await project.preview()).changeSummary).toEqual({ same: 2 });

  await project.writeStackYaml("config:\n  throw-away:text: second\n");
  expect((await project.preview()).steps.map((step) => step.op)).toContain("update");
  expect((await project.up()).stdout).toContain("~ 1 updated");
  const note = (await project.exportState()).resources.find((resource) => resource.id === "note-1");
  expect(note?.inputs).toMatchObject({ text: "second" });

  expect((await project.destroy()).code).toBe(0);
  expect((await project.exportState()).resources).toEqual([]);
});

test("starts with a selected stack, the same as `pulumi stack init` would make", { timeout: 120_000 }, async () => {
  await using project = await createProject({ program, stackYaml: "config: { throw-away:text: first }\n" });
  const selected = async () => (await project.mustRun(["stack", "--show-name"])).stdout.trim();
  expect(await selected()).toBe("test");
  const written = await newStackOf(project, "test");
  await project.mustRun(["stack", "init", "other"]);
  expect(await selected()).toBe("other");
  expect(written).toEqual(await newStackOf(project, "other"));
});

/** The stack's file in the backend, without its name, times and salt. */
async function newStackOf({ directory }: Project, stack: string): Promise<unknown> {
  const stored = await readFile(join(directory, `.pulumi-state/.pulumi/stacks/throw-away/${stack}.json.zst`));
  const stackFile = await readFile(join(directory, `Pulumi.${stack}.yaml`), "utf8");
  const checkpoint = JSON.parse(zstdDecompressSync(stored).toString(), (key, value) => {
    if (key === "stack") return String(value).replace(stack, "NAME");
    return key === "manifest" ? Object.keys(value) : key === "salt" ? stackFile.includes(value) : value;
  });
  return { checkpoint, meta: (await readFile(join(directory, ".pulumi-state/.pulumi/meta.yaml"), "utf8")).trim() };
}

test("leaves no folder behind", { timeout: 60_000 }, async () => {
  let directory: string;
  {
    await using project = await createProject({ program, stackYaml: "config: {}\n" });
    directory = project.directory;
    expect(existsSync(directory)).toBe(true);
  }
  expect(existsSync(directory)).toBe(false);
});

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { createProject } from "./create-project.ts";

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

it("brings up a program of its own, shows a change, applies it, and destroys it", { timeout: 120_000 }, async () => {
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

it("leaves no folder behind", { timeout: 60_000 }, async () => {
  let directory: string;
  {
    await using project = await createProject({ program, stackYaml: "config: {}\n" });
    directory = project.directory;
    expect(existsSync(directory)).toBe(true);
  }
  expect(existsSync(directory)).toBe(false);
});

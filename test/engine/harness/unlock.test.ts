import { globSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject } from "./create-project.ts";
import { unlock } from "./unlock.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
export const text = new pulumi.Config().require("text");
`;

test("unlocks a stack whose state was being replaced when the engine was killed", { timeout: 120_000 }, async () => {
  await using project = await createProject({ program, stackYaml: "config:\n  throw-away:text: first\n" });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const [attributes] = globSync(join(project.directory, ".pulumi-state/.pulumi/stacks/*/*.json.zst.attrs"));
  await truncate(String(attributes));

  const exported = await project.run(["stack", "export"]);
  expect(exported.stderr).toContain("failed to load checkpoint: EOF");
  await unlock(project);
  expect((await project.exportState()).resources).toHaveLength(1);
});

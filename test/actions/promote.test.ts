import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { twoPlatforms } from "../cli/promote/two-platforms.ts";
import { actionRunner } from "./action-runner.ts";

test("the action keeps one pull request with the changed file, and the summary as its text", async () => {
  await using on = await twoPlatforms({}, { promoteRequires: "tenants >= 2" });
  await using action = await actionRunner("promote", on.env, on.folder);
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand("git", args, { cwd: on.folder, timeLimitSeconds: 20 });
    expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
    return stdout;
  };
  await git("init", "--quiet", "--initial-branch", "main");
  await git("add", "--all");
  await git("-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "stacks");
  await git("init", "--quiet", "--bare", join(action.temporary, "remote.git"));
  await git("remote", "add", "origin", join(action.temporary, "remote.git"));

  const inputs = { from: "sandbox", to: "production", integration: "crm-to-billing", tag: "v1.5.0" };
  expect(await action.run(inputs)).toEqual([0, 0]);
  const branch = "promote/production/crm-to-billing";
  const changed = await git("show", "--unified=0", "--format=%s", `origin/${branch}`);
  expect(changed).toMatch(/^crm-to-billing: a release for production\n/);
  expect(changed.split("\n").filter((line) => /^[+-][^+-]/.test(line))).toEqual([
    "-  integration-platform:tenantDefaults: { integration: crm-to-billing, release: { tag: v1.4.0 } } # all",
    "+  integration-platform:tenantDefaults: { integration: crm-to-billing, release: { tag: v1.5.0 } } # all",
  ]);
  const calls = async () => (await action.read("gh.log")).trimEnd().split("\n");
  expect((await calls()).at(-1)).toContain(`gh <pr> <create> <--head> <${branch}>`);
  expect(await action.read("summary.md")).toContain("Pulumi.production.yaml is changed");

  await git("switch", "--quiet", "main");
  await writeFile(join(action.temporary, "gh.answer"), "7\n");
  expect(await action.run(inputs)).toEqual([0, 0]);
  expect((await calls()).at(-1)).toContain("gh <pr> <edit> <7> <--body-file>");
}, 60_000);

test("the action fails without enough proof, and makes no pull request", async () => {
  await using on = await twoPlatforms();
  await using action = await actionRunner("promote", on.env, on.folder);
  const inputs = { from: "sandbox", to: "production", integration: "crm-to-billing", tag: "v1.5.0" };
  const [promoted] = await action.run(inputs);
  expect(promoted).toBe(4);
  expect(await action.read("summary.md")).toContain("not proven enough");
  expect(await action.read("gh.log")).toBe("");
}, 60_000);

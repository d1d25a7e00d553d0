import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { changedPaths } from "./harness/changed-paths.ts";
import { type DeclaredStack, openDeclaredStack, withoutRefresh, withRefresh } from "./harness/declared-stack.ts";
import { urnOf } from "./harness/stored-state.ts";

const eu = { configs: { region: "eu" } };
const us = { configs: { region: "us" } };
// What a renamed or deleted resource of the state leads to: ../in-process/state-commands.test.ts.
const synced = { ...eu, forceArchive: true, sync: { mode: "normal", on: ["configs"] } };
/** What the tests share: each continues where the previous one ended. */
let declared: Record<string, object> = {
  ...{ first: eu, second: eu, leaving: eu, forgotten: eu, changed: eu },
  before: synced,
};
let stack: DeclaredStack;

beforeAll(() =>
  endAfterTests(async (open) => {
    stack = open.use(await openDeclaredStack());
    await stack.mustUp(declared);
  }),
);

describe("up --target", () => {
  test("writes only the targeted tenant and leaves the other for the next up", async () => {
    const target = ["--target", await urnOf(stack.project, "first")];
    const { id } = await stack.platform.tenant("first");
    declared = { ...declared, first: us, second: us };
    await stack.mustUp(declared, [...withoutRefresh, ...target]);
    expect(stack.writes()).toEqual([`PATCH /v2/tenants/${id}`]);
    expect(await stack.platform.tenant("first")).toMatchObject(us);
    expect(await stack.platform.tenant("second")).toMatchObject(eu);

    await stack.mustUp(declared);
    expect(stack.writes()).toEqual([`PATCH /v2/tenants/${(await stack.platform.tenant("second")).id}`]);
  });

  // the declaration of an untargeted resource is unknown: docs/decisions/who-answers-for-a-tenant.md
  test("archives a removed tenant although an untargeted resource adopts it", async () => {
    const { id } = await stack.platform.tenant("leaving");
    const target = ["--target", await urnOf(stack.project, "leaving")];
    const { leaving: _, ...others } = declared;
    declared = others;
    await stack.mustUp({ ...declared, taking: { name: "leaving", adopt: id } }, [...withoutRefresh, ...target]);
    expect((await stack.platform.tenants({ archived: true })).map((one) => one.id)).toContain(id);
  });
});

test("state delete of an unchanged tenant makes the next up take it over", async () => {
  const { id } = await stack.platform.tenant("forgotten");
  await stack.project.mustRun(["state", "delete", await urnOf(stack.project, "forgotten"), "--yes"]);
  await stack.mustUp(declared);
  expect(stack.writes()).toEqual([]);
  expect((await stack.platform.tenant("forgotten")).id).toBe(id);
});

test("state rename together with the program's name keeps the tenant and its sync", async () => {
  const rename = async (from: string, to: string) =>
    stack.project.mustRun(["state", "rename", await urnOf(stack.project, from), to, "--yes"]);
  for (const connector of ["crm", "billing"]) await stack.platform.connect("before", connector);
  await stack.mustUp(declared, withRefresh); // with the sync
  await rename("before-sync", "after-sync");
  await rename("before", "after");
  const { before: _, ...others } = declared;
  declared = { ...others, after: { name: "before", ...synced } };
  await stack.mustUp(declared); // records the resource's name
  expect(stack.writes()).toEqual([]);
  await stack.mustUp(declared, [...withoutRefresh, "--expect-no-changes"]);
});

test("refresh --preview-only shows drift and changes neither the state nor the platform", async () => {
  await stack.platform.change("changed", us);
  const { text } = await stack.project.exportState();
  stack.platform.clearRequests();
  const { stdout } = await stack.project.mustRun(["refresh", "--preview-only", "--diff"]);
  expect(stdout).toMatch(/region\s*: "eu" => "us"/);
  expect((await stack.project.exportState()).text).toBe(text);
  expect(stack.writes()).toEqual([]);
  expect(changedPaths(await stack.project.preview(withRefresh))).toEqual({ changed: { "configs.region": "update" } });
});

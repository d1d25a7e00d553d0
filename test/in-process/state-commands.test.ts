import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import {
  type DeclaredStack,
  openDeclaredStackOf,
  withoutRefresh,
  withRefresh,
} from "../engine/harness/declared-stack.ts";
import { isAlwaysRefreshed } from "../engine/harness/provider-under-test.ts";
import { urnOf } from "../engine/harness/stored-state.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const eu = { configs: { region: "eu" } };
const us = { configs: { region: "us" } };
let stack: DeclaredStack<StackProject>;

beforeAll(() =>
  endAfterTests(async (open) => {
    stack = open.use(await openDeclaredStackOf(createInProcessProject));
  }),
);

const archivedIds = async () => (await stack.platform.tenants({ archived: true })).map(({ id }) => id);
const hasRun = (id: number) =>
  stack.platform.call("PATCH", `/_emulator/tenants/${id}`, { status: { last_run: { id: 1 } } });

describe("state delete", () => {
  test.each([withoutRefresh, withRefresh])(
    "of an unchanged tenant makes the next up take it over (%s)",
    async (refresh) => {
      await stack.mustUp({ forgotten: eu });
      const { id } = await stack.platform.tenant("forgotten");
      await stack.project.mustRun(["state", "delete", await urnOf(stack.project, "forgotten"), "--yes"]);
      await stack.mustUp({ forgotten: eu }, [refresh].flat());
      expect(stack.writes()).toEqual([]);
      expect((await stack.platform.tenant("forgotten")).id).toBe(id);
    },
  );

  test("of a tenant with runs makes the preview warn and up refuse until adopt takes it over", async () => {
    await stack.mustUp({ forgotten: eu });
    const { id } = await stack.platform.tenant("forgotten");
    await hasRun(id);
    await stack.project.mustRun(["state", "delete", await urnOf(stack.project, "forgotten"), "--yes"]);
    const reason = new RegExp(`tenant named "forgotten" \\(id ${id}\\).*it has run.*adopt: true`, "s");

    const preview = await stack.project.mustRun(["preview"]);
    expect(preview.stdout + preview.stderr).toMatch(reason);
    const refused = await stack.up({ forgotten: eu });
    expect(refused.code).not.toBe(0);
    expect(refused.printed).toMatch(reason);
    expect(stack.writes()).toEqual([]);

    await stack.mustUp({ forgotten: { ...us, adopt: true } });
    expect(stack.writes()).toEqual([`PATCH /v2/tenants/${id}`]);
    expect(await archivedIds()).not.toContain(id);
    await stack.mustUp({});
    expect(await archivedIds()).toContain(id);
  });
});

describe.each([[withoutRefresh], [withRefresh]])("state rename (%s)", (refresh) => {
  const sync = { mode: "normal", on: ["configs"] };
  const rename = async (from: string, to: string) =>
    stack.project.mustRun(["state", "rename", await urnOf(stack.project, from), to, "--yes"]);

  test("together with the program's name keeps the tenant and its sync, and a later removal archives it", async () => {
    await stack.mustUp({ before: { ...eu, sync } }, refresh);
    const { id } = await stack.platform.tenant("before");
    for (const connector of ["crm", "billing"]) await stack.platform.connect("before", connector);
    await stack.mustUp({ before: { ...eu, sync, forceArchive: true } }, withRefresh);
    expect(stack.writes()).toEqual([`POST /v2/tenants/${id}/sync`]);

    await rename("before-sync", "after-sync");
    await rename("before", "after");
    const after = { after: { name: "before", ...eu, sync, forceArchive: true } };
    await stack.mustUp(after, refresh);
    expect(stack.writes()).toEqual([]);
    await stack.mustUp(after, [...refresh, "--expect-no-changes"]);
    await stack.mustUp({}, refresh);
    expect(stack.writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  test("without the program's name archives nothing", async () => {
    await stack.mustUp({ before: eu }, refresh);
    const { id } = await stack.platform.tenant("before");
    await rename("before", "after");
    const { code, printed } = await stack.up({ before: eu }, refresh);
    expect(stack.writes()).toEqual([]);
    expect((await stack.platform.tenant("before")).id).toBe(id);
    if (refresh === withRefresh || isAlwaysRefreshed) {
      expect(code).not.toBe(0);
      expect(printed).toMatch(/under another resource name \(`pulumi state rename`\): rename .* in the program too/);
      await rename("after", "before");
    } else {
      expect(printed).toContain(`tenant "before" (id ${id}) is not archived`);
    }
    await stack.mustUp({ before: eu }, [...refresh, "--expect-no-changes"]);
    await stack.mustUp({}, refresh);
    expect(stack.writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  test("that swaps two names writes nothing", async () => {
    await stack.mustUp({ left: eu, right: us }, refresh);
    await rename("left", "spare");
    await rename("right", "left");
    await rename("spare", "right");
    await stack.mustUp({ left: { name: "right", ...us }, right: { name: "left", ...eu } }, refresh);
    expect(stack.writes()).toEqual([]);
    const { id } = await stack.platform.tenant("left");
    await stack.mustUp({ left: { name: "right", ...us } }, refresh);
    expect(stack.writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import {
  type DeclaredStack,
  openDeclaredStackOf,
  withoutRefresh,
  withRefresh,
} from "../engine/harness/declared-stack.ts";
import type { ResourceState } from "../engine/harness/engine-output.ts";
import { isAlwaysRefreshed } from "../engine/harness/provider-under-test.ts";
import { editState } from "../engine/harness/stored-state.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const eu = { configs: { region: "eu" } };
const us = { configs: { region: "us" } };
let stack: DeclaredStack<StackProject>;

beforeAll(() =>
  endAfterTests(async (open) => {
    stack = open.use(await openDeclaredStackOf(createInProcessProject));
  }),
);

describe("a state that was exported, edited and imported", () => {
  const edit = (name: string, change: (resource: ResourceState) => void) => editState(stack.project, name, change);

  test("writes nothing if a config value was edited and the platform matches the declaration", async () => {
    await stack.mustUp({ edited: eu });
    await edit("edited", ({ inputs, outputs }) => {
      for (const properties of [inputs, outputs]) properties.configs = { region: "uk" };
    });
    const { changeSummary } = await stack.project.preview(withoutRefresh);
    expect(changeSummary.update ?? 0).toBe(isAlwaysRefreshed ? 0 : 1);
    await stack.mustUp({ edited: eu });
    expect(stack.writes()).toEqual([]);
    expect(await stack.platform.tenant("edited")).toMatchObject(eu);
    await stack.mustUp({ edited: eu }, [...withRefresh, "--expect-no-changes"]);
  });

  test("ignores unknown fields", async () => {
    await stack.mustUp({ edited: eu });
    await edit("edited", ({ inputs, outputs }) => {
      for (const properties of [inputs, outputs]) Object.assign(properties, { note: "by hand", more: { a: [1] } });
    });
    for (const refresh of [withoutRefresh, withRefresh]) {
      await stack.mustUp({ edited: eu }, refresh);
      expect(stack.writes()).toEqual([]);
    }
    await stack.mustUp({ edited: eu }, [...withRefresh, "--expect-no-changes"]);
    const { id } = await stack.platform.tenant("edited");
    await stack.mustUp({});
    expect(stack.writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  test.each([[withoutRefresh], [withRefresh]])(
    "is refused if two resources have the same tenant id, with an error that names both (%s)",
    async (refresh) => {
      const both = { edited: eu, other: us };
      await stack.mustUp(both);
      const { id } = await stack.platform.tenant("edited");
      const other = await stack.platform.tenant("other");
      await edit("edited", (resource) => {
        resource.id = String(other.id);
        resource.outputs.tenantId = other.id;
      });
      const outcomes = [await stack.project.run(["preview", ...refresh]), await stack.project.up(refresh)];
      for (const { code, stdout, stderr } of outcomes) {
        expect(code).not.toBe(0);
        expect(stdout + stderr).toMatch(new RegExp(`id ${other.id}\\).*declared by two resources`));
        for (const owner of ["Tenant edited", "Tenant other"]) expect(stdout + stderr).toContain(owner);
      }
      await stack.mustUp({ other: us }, refresh);
      expect(stack.writes()).toEqual([]);
      expect((await stack.platform.tenants()).map((tenant) => tenant.id).sort()).toEqual([id, other.id].sort());
      await stack.platform.archive("edited");
    },
  );
});

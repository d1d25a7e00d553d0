import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import {
  createDeclaredProjectOf,
  type DeclaredProject,
  type DeclaredResource,
} from "../engine/harness/declared-project.ts";
import { oneOfEachType } from "../engine/harness/declared-tenants.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { isAlwaysRefreshed } from "../engine/harness/provider-under-test.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { urnOf } from "../engine/harness/stored-state.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const integration = "crm-to-billing";
const configs = { region: "eu" };
const refreshes = [["--refresh=false"], ["--refresh"]];

let platform: LivePlatform;
let on: DeclaredProject<StackProject>;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(
      await openPlatform({
        seed: { integrations: quickIntegrations(), tenants: [{ integration, name: "theirs" }] },
        variants: { metadata: "replace" },
      }),
    );
    on = open.use(await createDeclaredProjectOf(createInProcessProject, platform));
  }),
);

const writes = () => platform.writes().map(({ request }) => request);

function metadata(name: string, tenantId: number, options: object = {}): DeclaredResource {
  return { type: "TenantMetadata", name, args: { tenantId, data: { plan: "gold" } }, options };
}

describe.each(refreshes)("a resource of each type, renamed with the option aliases (%s)", (refresh) => {
  test("stays the same resource: up sends no writes, and removing it later still works", async () => {
    const { id: tenantId } = await platform.tenant("theirs");
    const all = (end: string, former?: string) => oneOfEachType(end, { tenantId, tag: `v9${refresh}` }, former);
    for (const connector of ["crm", "billing"]) await platform.connect("theirs", connector);
    await on.mustUp(all("one"), refresh);
    expect(writes().filter((request) => request.endsWith("/sync"))).toHaveLength(1);
    expect(writes().filter((request) => request.endsWith("/build"))).toHaveLength(1);

    await on.mustUp(all("two", "one"), refresh);
    expect(writes()).toEqual([]);
    await on.mustUp(all("two"), refresh, "--expect-no-changes");
    expect(writes()).toEqual([]);

    const ids = await Promise.all(["alone", "inside"].map(async (name) => (await platform.tenant(name)).id));
    await on.mustUp([], refresh);
    expect(writes().sort()).toEqual(
      [...ids.map((id) => `DELETE /v2/tenants/${id}`), `PATCH /v2/tenants/${tenantId}/metadata`].sort(),
    );
  });

  test("renames the tenant in place if the resource's name is the tenant's name", async () => {
    await on.mustUp([{ type: "Tenant", name: "before", args: { integration, configs } }], refresh);
    const { id } = await platform.tenant("before");
    const options = { aliases: [{ name: "before" }] };
    await on.mustUp([{ type: "Tenant", name: "after", args: { integration, configs }, options }], refresh);
    expect(platform.writes()).toEqual([{ request: `PATCH /v2/tenants/${id}`, body: { name: "after" } }]);
  });
});

describe.each(refreshes)("a TenantMetadata (%s)", (refresh) => {
  test("keeps its keys when a new TenantMetadata takes its former name", async () => {
    const { id } = await platform.tenant("theirs");
    await on.mustUp([metadata("first", id)], refresh);
    await on.mustUp([metadata("second", id, { aliases: [{ name: "first" }] })], refresh);
    await on.mustUp([metadata("first", id)], refresh);
    expect(await platform.metadata("theirs")).toEqual({ plan: "gold" });
    await on.mustUp([], refresh);
    expect(await platform.metadata("theirs")).toEqual({});
  });

  test("keeps its keys when it is renamed in the state but not in the program", async () => {
    const { id } = await platform.tenant("theirs");
    await on.mustUp([metadata("first", id)], refresh);
    await on.project.mustRun(["state", "rename", await urnOf(on.project, "first"), "second", "--yes"]);
    await on.mustUp([metadata("first", id)], refresh);
    expect(await platform.metadata("theirs")).toEqual({ plan: "gold" });
    await on.mustUp([], refresh);
    expect(await platform.metadata("theirs")).toEqual({});
  });
});

describe.each(refreshes)("a fleet that is renamed in the state but not in the program (%s)", (refresh) => {
  test("archives none of its tenants", async () => {
    const fleet = {
      type: "TenantFleet",
      name: "fleet",
      args: { integration, tenants: { inside: { configs } } },
    } as const;
    await on.mustUp([fleet], refresh);
    const { id } = await platform.tenant("inside");
    await on.project.mustRun(["state", "rename", await urnOf(on.project, "fleet"), "other", "--yes"]);
    const { code, printed } = await on.up([fleet], refresh);
    expect(code === 0).toBe(refresh === "--refresh=false" && !isAlwaysRefreshed);
    expect(printed).toContain(code === 0 ? `tenant "inside" (id ${id}) is not archived` : "`pulumi state rename`");
    expect(writes()).toEqual([]);
    expect((await platform.tenant("inside")).id).toBe(id);
    if (code !== 0) await on.project.mustRun(["state", "rename", await urnOf(on.project, "other"), "fleet", "--yes"]);
  });
});

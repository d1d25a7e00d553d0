import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createDeclaredProject, type DeclaredProject } from "./harness/declared-project.ts";
import { oneOfEachType } from "./harness/declared-tenants.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

const integration = "crm-to-billing";
const configs = { region: "eu" };

let platform: LivePlatform;
let on: DeclaredProject;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(
      await openPlatform({
        seed: { integrations: quickIntegrations(), tenants: [{ integration, name: "theirs" }] },
        variants: { metadata: "replace" },
      }),
    );
    on = open.use(await createDeclaredProject(platform));
  }),
);

const writes = () => platform.writes().map(({ request }) => request);

// With a refresh, and by a change of the state: ../in-process/aliases.test.ts.
describe("a resource of each type, renamed with the option aliases", () => {
  test("stays the same resource: up sends no writes, and removing it later still works", async () => {
    const { id: tenantId } = await platform.tenant("theirs");
    const all = (end: string, former?: string) => oneOfEachType(end, { tenantId, tag: "v9" }, former);
    for (const connector of ["crm", "billing"]) await platform.connect("theirs", connector);
    await on.mustUp(all("one"));
    expect(writes().filter((request) => request.endsWith("/sync"))).toHaveLength(1);
    expect(writes().filter((request) => request.endsWith("/build"))).toHaveLength(1);

    await on.mustUp(all("two", "one"));
    expect(writes()).toEqual([]);
    await on.mustUp(all("two"), "--expect-no-changes");
    expect(writes()).toEqual([]);

    const ids = await Promise.all(["alone", "inside"].map(async (name) => (await platform.tenant(name)).id));
    await on.mustUp([]);
    expect(writes().sort()).toEqual(
      [...ids.map((id) => `DELETE /v2/tenants/${id}`), `PATCH /v2/tenants/${tenantId}/metadata`].sort(),
    );
  });

  test("renames the tenant in place if the resource's name is the tenant's name", async () => {
    await on.mustUp([{ type: "Tenant", name: "before", args: { integration, configs } }]);
    const { id } = await platform.tenant("before");
    const options = { aliases: [{ name: "before" }] };
    await on.mustUp([{ type: "Tenant", name: "after", args: { integration, configs }, options }]);
    expect(platform.writes()).toEqual([{ request: `PATCH /v2/tenants/${id}`, body: { name: "after" } }]);
  });
});

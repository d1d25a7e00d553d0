import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import {
  createDeclaredProjectOf,
  type DeclaredProject,
  type DeclaredResource,
} from "../engine/harness/declared-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const integration = "crm-to-billing";
const configs = { region: "eu", batch_size: 100 };

function tenant(name: string, options: object = {}, args: object = {}): DeclaredResource {
  return { type: "Tenant", name, args: { integration, configs, ...args }, options };
}

let platform: LivePlatform;
let on: DeclaredProject<StackProject>;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    on = open.use(await createDeclaredProjectOf(createInProcessProject, platform));
  }),
);

const writes = () => platform.writes().map(({ request }) => request);
const connect = async (name: string) => {
  for (const connector of ["crm", "billing"]) await platform.connect(name, connector);
};

describe("retainOnDelete", () => {
  test.each(["--refresh", "--refresh=false"])(
    "lets another resource take over the tenant in the same up (%s)",
    async (refresh) => {
      await on.mustUp([tenant("here", { retainOnDelete: true }, { adopt: true })]);
      await connect("here");
      const { id } = await platform.tenant("here");
      const there = (more: object = {}) => tenant("there", {}, { name: "here", adopt: true, ...more });
      await on.mustUp([there()], refresh);
      expect(writes()).toEqual([]);
      await on.mustUp([there({ forceArchive: true })]);
      await on.mustUp([]);
      expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
    },
  );

  test("leaves the old tenant unchanged when its integration changes", async () => {
    const options = { retainOnDelete: true };
    await on.mustUp([tenant("moved", options)]);
    const { id } = await platform.tenant("moved");
    await on.mustUp([tenant("moved", options, { integration: "shop-to-erp", configs: { warehouse: "north" } })]);
    expect(writes()).toEqual(["POST /v2/tenants"]);
    expect((await platform.tenants()).map((live) => live.id)).toContain(id);
    for (const { id: live } of await platform.tenants()) await platform.call("DELETE", `/v2/tenants/${live}`);
    await on.mustUp([], "--refresh");
  });
});

import { beforeAll, describe, expect, test, vi } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

/** The places that declare the tenants, in turn, and the settings that each adds. */
interface Places {
  alone?: string;
  north?: string;
  south?: string;
}

const settings = "paused: false, configs: { region: eu }, metadata: { plan: gold }";
const names = ["acme", "bluebird"];

/** A stack that declares the tenants alone, in one fleet or in the other. An empty string declares them without settings. */
function stackYaml({ alone, north, south }: Places) {
  const tenants = (more: string | undefined, integration = "") =>
    more === undefined
      ? "{}"
      : `{ ${names.map((name) => `${name}: { ${integration}${settings}${more} }`).join(", ")} }`;
  return `config:
  integration-platform:allowNoTenants: true
  integration-platform:tenants: ${tenants(alone, "integration: crm-to-billing, ")}
  integration-platform:fleets:
    north: { integration: crm-to-billing, tenants: ${tenants(north)} }
    south: { integration: crm-to-billing, tenants: ${tenants(south)} }
`;
}

const retain = ", retainOnDelete: true";
const adopt = ", adopt: true";

describe("connected tenants with earlier runs move without being archived", () => {
  let platform: LivePlatform;
  let project: StackProject;
  let other: StackProject;
  let ids: Record<string, number>;

  const idsNow = async () => Object.fromEntries((await platform.tenants()).map(({ id, name }) => [name, id]));
  const up = async (on: StackProject, places: Places) => {
    await on.writeStackYaml(stackYaml(places));
    platform.clearRequests();
    await on.mustRun(["up", "--yes", "--skip-preview"]);
    expect(platform.writes()).toEqual([]);
    expect(await idsNow()).toEqual(ids);
    expect(await platform.tenants({ archived: true })).toEqual([]);
  };
  const storedIds = async (on: StackProject, name: string) => {
    const { resources } = await on.exportState();
    const { outputs } = resources.find(({ urn }) => urn.endsWith(`::${name}`)) ?? {};
    return Object.fromEntries(
      Object.entries(Object(outputs?.tenants)).map(([name, entry]) => [name, Object(entry).tenantId]),
    );
  };

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createInProcessProject({ stackYaml: stackYaml({ alone: "" }), env: platform.env }));
      other = open.use(await createInProcessProject({ stackYaml: stackYaml({}), env: platform.env }));
      await project.mustRun(["up", "--yes", "--skip-preview"]);
      ids = await idsNow();
      for (const name of names) {
        for (const connector of ["crm", "billing"]) await platform.connect(name, connector);
        await platform.call("POST", `/v2/tenants/${ids[name]}/sync?mode=normal`, {});
      }
      for (const name of names) {
        const ran = { status: { last_successful_run: { id: expect.any(Number) } } };
        await vi.waitFor(async () => expect(await platform.tenant(name)).toMatchObject(ran), { timeout: 30_000 });
      }
    }),
  );

  test("from Tenant resources to a fleet", async () => {
    await up(project, { alone: retain });
    await up(project, { north: adopt });
    expect(await storedIds(project, "north")).toEqual(ids);
  });

  test("from one fleet to another", async () => {
    await up(project, { north: retain });
    await up(project, { south: adopt });
    expect(await storedIds(project, "north")).toEqual({});
    expect(await storedIds(project, "south")).toEqual(ids);
  });

  test("from a fleet to another stack, if the other stack is brought up first", async () => {
    await up(project, { south: retain });
    await up(other, { north: adopt });
    await up(project, {});
    expect(await storedIds(project, "south")).toEqual({});
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await idsNow()).toEqual(ids);
  });

  test("from a fleet to Tenant resources", async () => {
    await up(other, { north: retain });
    await up(other, { alone: adopt });
    const { resources } = await other.exportState();
    const tenants = resources.filter(({ type }) => type.endsWith(":Tenant"));
    expect(tenants.map(({ id }) => Number(id)).sort()).toEqual(Object.values(ids).sort());
    await other.mustRun(["preview", "--expect-no-changes"]);
  });
});

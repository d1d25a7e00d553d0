import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import type { ResourceState } from "./harness/engine-output.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";
import { editState } from "./harness/stored-state.ts";

/** A stack of these tenants; `eu` and `us` are configs. */
function stackYaml(tenants: object) {
  const entries = Object.entries(tenants).map(([key, entry]) => [key, { integration: "crm-to-billing", ...entry }]);
  return `config: { integration-platform:tenants: ${JSON.stringify(Object.fromEntries(entries))} }\n`;
}

const eu = { configs: { region: "eu" } };
const us = { configs: { region: "us" } };
const withoutRefresh = ["--refresh=false"];
const withRefresh = ["--refresh"];

let platform: LivePlatform;
let project: Project;

beforeAll(async () => {
  platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  project = await createProject({ stackYaml: stackYaml({}), env: platform.env });
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

/** Declares these tenants and brings them up, whatever comes of it. */
async function up(tenants: object, args: readonly string[] = withoutRefresh) {
  await project.writeStackYaml(stackYaml(tenants));
  platform.clearRequests();
  const { code, stdout, stderr } = await project.up(args);
  return { code, printed: stdout + stderr };
}

async function mustUp(tenants: object, args?: readonly string[]) {
  const { code, printed } = await up(tenants, args);
  expect(code, printed).toBe(0);
  return printed;
}

const writes = () => platform.writes().map(({ request }) => request);

describe("a state that was exported, edited and imported", () => {
  const edit = (name: string, change: (resource: ResourceState) => void) => editState(project, name, change);

  it("with another config value: nothing is written where the platform is as declared", async () => {
    await mustUp({ edited: eu });
    await edit("edited", ({ inputs, outputs }) => {
      for (const properties of [inputs, outputs]) properties.configs = { region: "uk" };
    });
    expect(changedPaths(await project.preview(withoutRefresh))).toEqual({ edited: { "configs.region": "update" } });
    await mustUp({ edited: eu });
    expect(writes()).toEqual([]);
    expect(await platform.tenant("edited")).toMatchObject(eu);
    await mustUp({ edited: eu }, [...withRefresh, "--expect-no-changes"]);
  });

  it("with fields that nobody knows: they change nothing", async () => {
    await mustUp({ edited: eu });
    await edit("edited", ({ inputs, outputs }) => {
      for (const properties of [inputs, outputs]) Object.assign(properties, { note: "by hand", more: { a: [1] } });
    });
    for (const refresh of [withoutRefresh, withRefresh]) {
      await mustUp({ edited: eu }, refresh);
      expect(writes()).toEqual([]);
    }
    await mustUp({ edited: eu }, [...withRefresh, "--expect-no-changes"]);
    const { id } = await platform.tenant("edited");
    await mustUp({});
    expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  it.each([[withoutRefresh], [withRefresh]])(
    "with the id of a tenant that another resource declares: refused, naming both (%s)",
    async (refresh) => {
      const both = { edited: eu, other: us };
      await mustUp(both);
      const { id } = await platform.tenant("edited");
      const other = await platform.tenant("other");
      await edit("edited", (resource) => {
        resource.id = String(other.id);
        resource.outputs.tenantId = other.id;
      });
      const outcomes = [await project.run(["preview", ...refresh]), await project.up(refresh)];
      for (const { code, stdout, stderr } of outcomes) {
        expect(code).not.toBe(0);
        expect(stdout + stderr).toMatch(new RegExp(`id ${other.id}\\).*declared by two resources`));
        for (const owner of ["Tenant edited", "Tenant other"]) expect(stdout + stderr).toContain(owner);
      }
      await mustUp({ other: us }, refresh);
      expect(writes()).toEqual([]);
      expect((await platform.tenants()).map((tenant) => tenant.id).sort()).toEqual([id, other.id].sort());
      await platform.archive("edited");
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";
import { urnOf } from "./harness/stored-state.ts";

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
const archivedIds = async () => (await platform.tenants({ archived: true })).map(({ id }) => id);
const hasRun = (id: number) => platform.call("PATCH", `/_emulator/tenants/${id}`, { status: { last_run: { id: 1 } } });

describe("up --target", () => {
  it("writes the one tenant that it names, and leaves the other for the next up", async () => {
    await mustUp({ first: eu, second: eu });
    const target = ["--target", await urnOf(project, "first")];
    const { id } = await platform.tenant("first");
    await mustUp({ first: us, second: us }, [...withoutRefresh, ...target]);
    expect(writes()).toEqual([`PATCH /v2/tenants/${id}`]);
    expect(await platform.tenant("first")).toMatchObject(us);
    expect(await platform.tenant("second")).toMatchObject(eu);

    await mustUp({ first: us, second: us });
    expect(writes()).toEqual([`PATCH /v2/tenants/${(await platform.tenant("second")).id}`]);
  });

  // what an untargeted resource declares cannot be known: docs/decisions/who-answers-for-a-tenant.md
  it("archives a tenant that leaves, though a resource it does not name adopts it", async () => {
    await mustUp({ leaving: eu });
    const { id } = await platform.tenant("leaving");
    const target = ["--target", await urnOf(project, "leaving")];
    await mustUp({ taking: { name: "leaving", adopt: id } }, [...withoutRefresh, ...target]);
    expect(await archivedIds()).toContain(id);
  });
});

describe("state delete", () => {
  it.each([withoutRefresh, withRefresh])(
    "of a tenant as the up made it: the next takes it over (%s)",
    async (refresh) => {
      await mustUp({ forgotten: eu });
      const { id } = await platform.tenant("forgotten");
      await project.mustRun(["state", "delete", await urnOf(project, "forgotten"), "--yes"]);
      await mustUp({ forgotten: eu }, [refresh].flat());
      expect(writes()).toEqual([]);
      expect((await platform.tenant("forgotten")).id).toBe(id);
    },
  );

  it("of a tenant that has run: the preview warns, up refuses, adopt takes it over", async () => {
    await mustUp({ forgotten: eu });
    const { id } = await platform.tenant("forgotten");
    await hasRun(id);
    await project.mustRun(["state", "delete", await urnOf(project, "forgotten"), "--yes"]);
    const reason = new RegExp(`tenant named "forgotten" \\(id ${id}\\).*it has run.*adopt: true`, "s");

    const preview = await project.mustRun(["preview"]);
    expect(preview.stdout + preview.stderr).toMatch(reason);
    const refused = await up({ forgotten: eu });
    expect(refused.code).not.toBe(0);
    expect(refused.printed).toMatch(reason);
    expect(writes()).toEqual([]);

    await mustUp({ forgotten: { ...us, adopt: true } });
    expect(writes()).toEqual([`PATCH /v2/tenants/${id}`]);
    expect(await archivedIds()).not.toContain(id);
    await mustUp({});
    expect(await archivedIds()).toContain(id);
  });
});

describe.each([[withoutRefresh], [withRefresh]])("state rename (%s)", (refresh) => {
  const sync = { mode: "normal", on: ["configs"] };
  const rename = async (from: string, to: string) =>
    project.mustRun(["state", "rename", await urnOf(project, from), to, "--yes"]);

  it("with the program's keeps the tenant and its sync, and a removal archives it later", async () => {
    await mustUp({ before: { ...eu, sync } }, refresh);
    const { id } = await platform.tenant("before");
    for (const connector of ["crm", "billing"]) await platform.connect("before", connector);
    await mustUp({ before: { ...eu, sync, forceArchive: true } }, withRefresh);
    expect(writes()).toEqual([`POST /v2/tenants/${id}/sync`]);

    await rename("before-sync", "after-sync");
    await rename("before", "after");
    const after = { after: { name: "before", ...eu, sync, forceArchive: true } };
    await mustUp(after, refresh);
    expect(writes()).toEqual([]);
    await mustUp(after, [...refresh, "--expect-no-changes"]);
    await mustUp({}, refresh);
    expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  it("without the program's archives nothing", async () => {
    await mustUp({ before: eu }, refresh);
    const { id } = await platform.tenant("before");
    await rename("before", "after");
    const { code, printed } = await up({ before: eu }, refresh);
    expect(writes()).toEqual([]);
    expect((await platform.tenant("before")).id).toBe(id);
    if (refresh === withRefresh) {
      expect(code).not.toBe(0);
      expect(printed).toMatch(/under another resource name \(`pulumi state rename`\): rename .* in the program too/);
      await rename("after", "before");
    } else {
      expect(printed).toContain(`tenant "before" (id ${id}) is not archived`);
    }
    await mustUp({ before: eu }, [...refresh, "--expect-no-changes"]);
    await mustUp({}, refresh);
    expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  it("of two that swap their names writes nothing", async () => {
    await mustUp({ left: eu, right: us }, refresh);
    await rename("left", "spare");
    await rename("right", "left");
    await rename("spare", "right");
    await mustUp({ left: { name: "right", ...us }, right: { name: "left", ...eu } }, refresh);
    expect(writes()).toEqual([]);
    const { id } = await platform.tenant("left");
    await mustUp({ left: { name: "right", ...us } }, refresh);
    expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });
});

describe("refresh --preview-only", () => {
  it("shows what somebody changed by hand, and changes neither state nor platform", async () => {
    await mustUp({ changed: eu });
    await platform.change("changed", us);
    const { text } = await project.exportState();
    platform.clearRequests();
    const { stdout } = await project.mustRun(["refresh", "--preview-only", "--diff"]);
    expect(stdout).toMatch(/region\s*: "eu" => "us"/);
    expect((await project.exportState()).text).toBe(text);
    expect(writes()).toEqual([]);
    expect(changedPaths(await project.preview(withRefresh))).toEqual({ changed: { "configs.region": "update" } });
  });
});

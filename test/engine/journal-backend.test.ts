import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { openBackend } from "../../bench/backends/open-backend.ts";
import { endProcesses, processMark } from "../../bench/processes.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { startCommand } from "../chaos/engine-command.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LiveTenant, openPlatform } from "./harness/live-platform.ts";

// The benchmark's own state service stands for Pulumi Cloud. What the engine stores there must be what it stores elsewhere.

const mark = processMark();
afterEach(() => endProcesses(mark));

const stackYaml = (tenants: string) => `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants: { ${tenants} }
`;
const before = "acme: { configs: { region: eu }, metadata: { plan: gold } }, bluebird: { paused: true }, gone: {}";
const after = "acme: { configs: { region: us }, metadata: { plan: gold } }, bluebird: { paused: true }, late: {}";

const dependenciesSchema = z.record(z.string(), z.array(z.string())).default({});
const resourceSchema = z.looseObject({ urn: z.string(), propertyDependencies: dependenciesSchema });
const exportSchema = z.object({ version: z.int(), deployment: z.looseObject({ resources: z.array(resourceSchema) }) });

/** What each run of one program has in its state: all but times, keys, random ids, the platform's address and its digest. */
function comparable(text: string, platformUrl: string, tenants: readonly LiveTenant[]) {
  const random = text
    .replaceAll(platformUrl, "<url>")
    .replaceAll(/("platform": ?)"[^"]+"/g, '$1"<digest>"')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<random>");
  const same = tenants.reduce(
    (sum, { id, name }) => sum.replaceAll(new RegExp(`"${id}"|\\b${id}\\b`, "g"), `"<id of ${name}>"`),
    random,
  );
  const { version, deployment } = exportSchema.parse(JSON.parse(same));
  const { manifest: _, secrets_providers: __, resources, ...rest } = deployment;
  const lasting = resources.map(({ created: _, modified: __, propertyDependencies, ...resource }) => {
    // after a refresh, a journal's replay leaves out inputs that depend on nothing
    const dependencies = Object.entries(propertyDependencies).filter(([, urns]) => urns.length > 0);
    return { ...resource, propertyDependencies: Object.fromEntries(dependencies) };
  });
  return { version, ...rest, resources: lasting.toSorted((left, right) => left.urn.localeCompare(right.urn)) };
}

/** Creates, changes and removes tenants, and returns the state after each of the two. */
async function statesOn(name: "file" | "journal") {
  await using platform = await openPlatform();
  await using backend = await openBackend(name);
  await using project = await createProject({
    stackYaml: stackYaml(before),
    env: { ...platform.env, ...backend.env },
  });
  const state = async () =>
    comparable((await project.exportState()).text, platform.emulator.url, await platform.tenants());
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const first = await state();
  await project.writeStackYaml(stackYaml(after));
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh"]);
  const second = await state();
  await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);
  await project.mustRun(["stack", "export", "--file", "state.json"]);
  await project.mustRun(["stack", "import", "--file", "state.json"]);
  expect(await state()).toEqual(second);

  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
  const { resources } = await project.exportState();
  await project.mustRun(["stack", "rm", "--yes"]);
  return { first, second, last: resources };
}

test("a journal holds the state that a file holds", { timeout: 600_000 }, async () => {
  const [file, journal] = [await statesOn("file"), await statesOn("journal")];
  expect(journal).toEqual(file);
  expect(journal.second.resources.filter(({ urn }) => urn.includes(":Tenant::"))).toHaveLength(3);
  expect(journal.last).toEqual([]);
});

/** The names of the tenants in the state. */
async function recorded(project: Project): Promise<string[]> {
  const { resources } = await project.exportState();
  return resources.filter(({ type }) => type.endsWith(":Tenant")).map(({ inputs }) => String(inputs.name));
}

test("an up that is killed keeps the tenants that it has recorded", { timeout: 600_000 }, async () => {
  await using platform = await openPlatform();
  await using backend = await openBackend("journal");
  const names = Array.from({ length: 30 }, (_, index) => `t-${index}`);
  await using project = await createProject({
    stackYaml: stackYaml(names.map((name) => `${name}: {}`).join(", ")),
    env: { ...platform.env, ...backend.env },
  });
  platform.emulator.fault({ kind: "delay", ms: 1000, times: 1000, match: { method: "POST", path: "^/v2/tenants$" } });
  const args = ["up", "--yes", "--skip-preview", "--parallel", "8"];
  const running = startCommand((await findEngine()).command, args, { project, env: {}, mark });
  await vi.waitFor(async () => expect((await platform.tenants()).length).toBeGreaterThan(16), {
    timeout: 120_000,
    interval: 10,
  });
  running.signal("engine", "SIGKILL");
  await running.ended;

  const kept = await recorded(project);
  expect(kept.length).toBeGreaterThan(8);
  expect(kept.length).toBeLessThan(names.length);
  const live = (await platform.tenants()).map(({ name }) => name);
  expect(kept.filter((name) => !live.includes(name))).toEqual([]);

  expect(await project.up()).toMatchObject({ code: 1, stderr: expect.stringContaining("in progress") });
  await project.mustRun(["cancel", "--yes"]);
  platform.emulator.clearFaults();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect((await recorded(project)).sort()).toEqual(names.toSorted());
  expect((await platform.tenants()).map(({ name }) => name).sort()).toEqual(names.toSorted());
});

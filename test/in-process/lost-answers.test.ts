import { beforeEach, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const stackYaml = `config:
  integration-platform:tenants:
    acme:
      integration: crm-to-billing
      paused: false
      configs: { region: eu }
      metadata: { plan: gold }
`;

let platform: LivePlatform;
let project: StackProject;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
    project = open.use(await createInProcessProject({ stackYaml, env: platform.env }));
  }),
);

async function stateOfAcme() {
  return (await project.exportState()).resources.find(({ urn }) => urn.endsWith("::acme"));
}

test("creates one tenant if the response to its creation is lost, and completes it in the same up", async () => {
  platform.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "^/v2/tenants$" } });
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  expect(platform.writes().filter(({ request }) => request === "POST /v2/tenants")).toHaveLength(1);
  const acme = await platform.tenant("acme");
  expect(acme).toMatchObject({ paused: false, configs: { region: "eu" } });
  expect(await platform.metadata("acme")).toEqual({ plan: "gold" });
  expect((await stateOfAcme())?.id).toBe(String(acme.id));
  await project.mustRun(["preview", "--expect-no-changes"]);
});

test("keeps an incomplete tenant paused, and completes the same tenant in the next up", async () => {
  platform.emulator.fault({ kind: "status", status: 422, times: 1000, match: { method: "PATCH", path: "/metadata$" } });
  const { code, stdout, stderr } = await project.up();
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/PATCH \/v2\/tenants\/\d+\/metadata.*422/);
  const { id } = await platform.tenant("acme");
  expect(await platform.tenant("acme")).toMatchObject({ paused: true });
  expect(await stateOfAcme()).toMatchObject({ id: String(id), initErrors: [expect.stringContaining("422")] });

  platform.emulator.clearFaults();
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(platform.writes().map(({ request }) => request)).toEqual([
    `PATCH /v2/tenants/${id}/metadata`,
    `PATCH /v2/tenants/${id}`,
  ]);
  expect(await platform.tenant("acme")).toMatchObject({ id, paused: false });
  expect((await stateOfAcme())?.initErrors ?? []).toEqual([]);
  await project.mustRun(["preview", "--expect-no-changes"]);
});

test("creates one tenant if lists lag by a second and the response to its creation is lost", async () => {
  platform.emulator.setVariants({ visibility: "lagging" });
  platform.emulator.setLag({ seconds: 1 });
  platform.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "^/v2/tenants$" } });
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  expect(platform.writes().map(({ request }) => request.replace(/\/\d+/, "/N"))).toEqual([
    "POST /v2/tenants",
    "PATCH /v2/tenants/N/metadata",
    "PATCH /v2/tenants/N",
  ]);
  expect(await platform.tenants()).toMatchObject([{ name: "acme", paused: false }]);
});

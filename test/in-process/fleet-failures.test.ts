import { beforeEach, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const stackYaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { configs: { region: eu } }
      tenantsFrom: tenants.yaml
`;

let platform: LivePlatform;
let project: StackProject;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
    project = open.use(await createInProcessProject({ stackYaml, env: platform.env }));
  }),
);

const onPost = { method: "POST", path: "^/v2/tenants$" };
const posts = () => platform.writes().filter(({ request }) => request === "POST /v2/tenants");

function declare(count: number) {
  const tenants = Array.from({ length: count }, (_, index) => `t-${index}: { paused: false }`);
  return project.put("tenants.yaml", `${tenants.join("\n")}\n`);
}

/** The platform ids of the tenants in the state, by key. */
async function stored(): Promise<Record<string, number>> {
  const { resources } = await project.exportState();
  const { outputs } = resources.find(({ type }) => type.endsWith(":TenantFleet")) ?? {};
  const entries = Object.entries(Object(outputs?.tenants));
  return Object.fromEntries(entries.map(([key, entry]) => [key, Object(entry).tenantId]));
}

test("keeps the successful tenants of a fleet, names the failed ones, and applies only those in the next up", async () => {
  await declare(6);
  platform.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, times: 2, match: onPost });
  const { code, stdout, stderr } = await project.up();
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(
    /2 tenants are not as declared; the rest is done.*(\n *t-\d: POST \/v2\/tenants.*){2}/,
  );
  const kept = await stored();
  expect(Object.keys(kept)).toHaveLength(4);
  expect(await platform.tenants()).toHaveLength(4);

  platform.clearRequests();
  expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
  expect(platform.writes()).toEqual([]);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(posts()).toHaveLength(2);
  expect(
    platform
      .writes()
      .map(({ request }) => request.replace(/\d+$/, "N"))
      .sort(),
  ).toEqual([...["PATCH /v2/tenants/N", "PATCH /v2/tenants/N"], ...["POST /v2/tenants", "POST /v2/tenants"]]);
  expect(await stored()).toMatchObject(kept);
  expect((await platform.tenants()).map(({ name, paused }) => ({ name, paused }))).toEqual(
    expect.arrayContaining(Array.from({ length: 6 }, (_, index) => ({ name: `t-${index}`, paused: false }))),
  );
  await project.mustRun(["preview", "--expect-no-changes"]);
});

test("finishes the failed tenants without a refresh", async () => {
  await declare(3);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.writeStackYaml(stackYaml.replace("region: eu", "region: us"));
  platform.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, match: { method: "PATCH" } });
  expect((await project.up()).code).not.toBe(0);

  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh=false"]);
  expect(platform.writes()).toHaveLength(1);
  expect((await platform.tenants()).map(({ configs }) => configs.region)).toEqual(["us", "us", "us"]);
  await project.mustRun(["preview", "--expect-no-changes"]);
});

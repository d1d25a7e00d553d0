import { beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { failureKinds } from "../../src/emulator/entities/run.ts";
import { builtInSeed, readSeed } from "../../src/emulator/seed/seed.ts";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

// A stack of 300 tenants on the emulator's default platform, whose customers must choose a billing plan.

const inFleet = Array.from({ length: 290 }, (_, index) => `customer-${index}`);
const alone = Array.from({ length: 10 }, (_, index) => `own-${index}`);
const chosen = { region: "eu", billing_plan: "business" };

let platform: LivePlatform;
let project: StackProject;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: integrations() } }));
    project = open.use(await createInProcessProject({ stackYaml: stackYaml(), env: platform.env }));
  }),
);

/** The emulator's own integrations, whose runs take no time, and of which the first requires its dynamic choice. */
function integrations() {
  const [first, ...others] = readSeed(builtInSeed).integrations;
  if (first === undefined) throw new Error("the seed has no integration");
  const releases = first.releases.map((release) => {
    const { schema, uischema } = Object(release.config_schema);
    return { ...release, config_schema: { schema: { ...schema, required: ["billing_plan"] }, uischema } };
  });
  return [{ ...first, releases, runs: { ...first.runs, takes_seconds: 0 } }, ...others];
}

function stackYaml(configs: object = chosen, more: Readonly<Record<string, object>> = {}): string {
  const integration = "crm-to-billing";
  return stringify({
    config: {
      "integration-platform:tenants": {
        ...Object.fromEntries(alone.map((name) => [name, { integration, configs }])),
        ...more,
      },
      "integration-platform:fleets": {
        billing: {
          integration,
          defaults: { configs },
          tenants: Object.fromEntries(inFleet.map((name) => [name, {}])),
        },
      },
    },
  });
}

/** The configs that the platform has, each once. */
async function configsOnPlatform(): Promise<unknown[]> {
  const all = (await platform.tenants()).map(({ configs }) => JSON.stringify(configs));
  return [...new Set(all)].map((text): unknown => JSON.parse(text));
}

async function connect(id: number): Promise<void> {
  for (const connector of ["crm", "billing"]) {
    await platform.call("POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "connected" });
  }
}

describe("a required dynamic choice of 300 tenants", () => {
  test("waits while their customers have not connected them", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toHaveLength(300);
    expect(await configsOnPlatform()).toEqual([{ region: "eu" }]);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
  });

  test("is set by the first up after their init syncs, which has nothing to do the next time", async () => {
    const ids = (await platform.tenants()).map(({ id }) => id);
    for (const id of ids) {
      await connect(id);
      await platform.call("POST", `/v2/tenants/${id}/sync?mode=init`);
    }
    const withOptions = async () =>
      (await platform.tenants()).filter(({ status }) => Object(status).dynamic_configs.billing_plans !== undefined);
    await expect.poll(withOptions, { timeout: 20_000 }).toHaveLength(300);

    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(platform.writes()).toHaveLength(300);
    expect(await configsOnPlatform()).toEqual([chosen]);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--refresh", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
  });

  test("is warned of if it is no option, in every tenant", async () => {
    await project.writeStackYaml(stackYaml({ ...chosen, billing_plan: "buisness" }));
    const { stdout } = await project.mustRun(["preview"]);
    for (const name of [...inFleet.slice(0, 1), ...alone]) {
      expect(stdout).toMatch(
        new RegExp(`"${name}": configs\\.billing_plan: is not among the tenant's options.*"business".*init sync`),
      );
    }
  });
});

test("a misspelt key and a value of another type are refused with their lines before anything is written", async () => {
  const text = stackYaml(chosen, {
    shop: { integration: "shop-to-erp", configs: { warehose: "north", max_orders: "many" } },
  });
  await project.writeStackYaml(text);
  platform.clearRequests();
  const { code, stdout } = await project.up();
  expect(code).not.toBe(0);
  for (const key of ["warehose", "max_orders"]) {
    const line = text.split("\n").findIndex((one) => one.includes(key)) + 1;
    expect(stdout).toMatch(new RegExp(`:${line}:\\d+.*${key}`));
  }
  expect(stdout).toContain("warehouse");
  expect(platform.writes()).toEqual([]);
});

test("each word of a failed run ends the up at once, with what helps", async () => {
  const names = failureKinds.map((_, index) => `failing-${index}`);
  const syncing = (when: string) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        { integration: "crm-to-billing", configs: chosen, sync: { mode: "normal", on: ["release"], when } },
      ]),
    );
  await project.writeStackYaml(stackYaml(chosen, syncing("first")));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  for (const [index, failed] of failureKinds.entries()) {
    const { id } = await platform.tenant(names[index] ?? "");
    await connect(id);
    const runs = { takes_seconds: 0, outcome: "fail", failed };
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { runs });
  }
  await project.writeStackYaml(stackYaml(chosen, syncing("second")));
  const { code, stdout } = await project.up();
  expect(code).not.toBe(0);
  for (const [index, failed] of failureKinds.entries()) {
    const { id } = await platform.tenant(names[index] ?? "");
    expect(stdout).toMatch(new RegExp(`tenant ${id} failed with status "Failed \\(${failed}\\)" \\(.+\\)`));
  }
});

import { beforeEach, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const token = 'token "that" nobody/may find';
const spellings = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)];

let platform: LivePlatform;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
  }),
);

/** Expects that the secret is neither in the state nor in the output. */
async function expectNowhere(project: Project, secrets: readonly string[] = spellings) {
  const { text } = await project.exportState();
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(project.printed()).not.toContain(secret);
  }
}

test("keeps a config that is a single secret out of the state in plain text, and still works without it", async () => {
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  const [tenants = "", fleets = ""] = await encrypt(
    project,
    `{"acme": {"integration": "crm-to-billing", "schedule": "17 3 * * 5", "configs": {"region": "eu", "api_token": "hidden-1"}, "metadata": {"plan": "hidden-2"}}}`,
    `{"all": {"integration": "crm-to-billing", "defaults": {"configs": {"region": "eu"}}, "tenants": {"first": {"metadata": {"plan": "hidden-3"}}}}}`,
  );
  await project.writeStackYaml(
    `config:\n  integration-platform:tenants: ${tenants}\n  integration-platform:fleets: ${fleets}\n`,
  );
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await platform.tenant("acme")).toMatchObject({
    user_schedule: "17 3 * * 5",
    configs: { region: "eu", api_token: "hidden-1" },
  });
  expect(await platform.metadata("first")).toEqual({ plan: "hidden-3" });
  await expectNowhere(project, ["hidden-", "17 3 * * 5"]);

  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  await expectNowhere(project, ["hidden-", "17 3 * * 5"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
});

/** Each resource in each of these places, all in one stack: what the engine does with one says nothing of the others. */
const places = {
  "in-a-list": `{ shops: [{ name: "one" }, { name: "two", token }] }`,
  "in-a-promise": `Promise.resolve({ region: "eu", "a.b": { token } })`,
  "in-an-output": `pulumi.output("eu").apply((region) => ({ region, deep: { token } }))`,
};
const program = (statements: string) => `
  import * as pulumi from "@pulumi/pulumi";
  import { Tenant, TenantFleet } from "pulumi-integration-platform";
  const integration = "crm-to-billing";
  const token = pulumi.secret(${JSON.stringify(token)});
  ${statements}`;
const inEachPlace = (plan: string, configsOf = (configs: string) => configs) =>
  Object.entries(places).map(([place, value]) => {
    const settings = `configs: ${configsOf(value)}, metadata: { plan: "${plan}" }`;
    return `
  new Tenant("${place}", { integration, ${settings} });
  new TenantFleet("fleet-${place}", { integration, tenants: { "${place}-of-a-fleet": { ${settings} } } });`;
  });

// after such an update, the engine keeps the old inputs, which contain no secret, and marks a read's inputs by them
test("protects a secret in any place of a resource through partial failures and refreshes", async () => {
  const before = program(inEachPlace("silver", () => "{}").join(""));
  await using project = await createProject({ program: before, stackYaml: "config: {}\n", env: platform.env });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.put("program.ts", program(inEachPlace("gold").join("")));
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH", path: "/metadata$" }, times: 999 });
  const expectAllFailed = async () => {
    expect((await project.up(["--continue-on-error"])).code).not.toBe(0);
    const { resources } = await project.exportState();
    expect(resources.filter(({ initErrors = [] }) => initErrors.length > 0)).toHaveLength(2 * count);
  };
  const count = Object.keys(places).length;
  await expectAllFailed();
  const live = await platform.tenants();
  expect(live.filter(({ configs }) => JSON.stringify(configs).includes(JSON.stringify(token)))).toHaveLength(2 * count);
  await expectNowhere(project);

  await project.refresh();
  await expectNowhere(project);
  await expectAllFailed();
  await expectNowhere(project);

  platform.emulator.clearFaults();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  await expectNowhere(project);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
});

test("keeps a secret that a platform repeats in an error out of the state and the output", async () => {
  const metadata = `{ plan: "gold", token, pin: pulumi.secret(4711) }`;
  await using project = await createProject({
    program: program(`new Tenant("acme", { integration, metadata: ${metadata} });`),
    stackYaml: "config: {}\n",
    env: platform.env,
  });
  const msg = `no such token: ${spellings.join(" or ")}; pin 4711`;
  platform.emulator.fault({
    kind: "status",
    status: 422,
    body: { detail: [{ loc: ["body", "token"], msg, type: "value_error", input: token }] },
    match: { method: "PATCH", path: "/metadata$" },
    times: 99,
  });
  const { code, stdout, stderr } = await project.up();
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(
    /PATCH \/v2\/tenants\/\d+\/metadata: refused as invalid \(status 422\): token: .*withheld/,
  );
  const { text } = await project.exportState();
  expect(text).toContain("initErrors");
  expect(text).not.toContain("pin 4711");
  await expectNowhere(project);
});

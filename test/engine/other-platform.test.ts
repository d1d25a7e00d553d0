import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { providerUnderTest, tokenOf } from "./harness/provider-under-test.ts";

const stackYaml = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    acme: { metadata: { plan: gold } }
    globex: {}
  integration-platform:fleets:
    more: { integration: crm-to-billing, tenants: { initech: {} } }
`;
const commands = [
  ["up", "--yes"], // its preview is stopped
  ["up", "--yes", "--skip-preview", "--refresh=false"],
  ["refresh", "--yes", "--skip-preview"],
  ["destroy", "--yes", "--skip-preview", "--refresh=false"],
];

test("stops every command at another platform's address without changes, and moves the stack once the old address is named", async () => {
  await using here = await openPlatform();
  await using there = await openPlatform();
  for (const name of ["theirs", "others", "third"])
    await there.call("POST", "/v2/tenants", { name, integration_id: 101 });
  await using project = await createProject({ stackYaml, env: here.env });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const before = await tenantsOn(here, there);
  expect(before.map((tenants) => tenants.length)).toEqual([3, 3]);
  const state = await digestsOf(project);
  expect(new Set(state)).toHaveProperty("size", 1);
  for (const platform of [here, there]) platform.clearRequests();

  for (const command of commands) {
    const { code, stdout, stderr } = await project.run(command, { env: there.env });
    expect(code, command.join(" ")).not.toBe(0);
    expect(stdout + stderr).toMatch(new RegExp(`made on another platform.* than ${there.emulator.url}`));
    expect(stdout + stderr).toContain("INTEGRATION_PLATFORM_MOVED_FROM=");
  }
  expect([here.writes(), there.writes()]).toEqual([[], []]);
  expect(await tenantsOn(here, there)).toEqual(before);
  expect(await digestsOf(project)).toEqual(state);

  const moved = { ...here.env, INTEGRATION_PLATFORM_BASE_URL: here.emulator.url.replace("127.0.0.1", "localhost") };
  const naming = { ...moved, INTEGRATION_PLATFORM_MOVED_FROM: here.emulator.url };
  expect((await project.run(["preview"], { env: moved })).code).not.toBe(0);
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh=false"], { env: naming });
  expect(new Set([...(await digestsOf(project)), ...state])).toHaveProperty("size", 2);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"], { env: moved });
  expect((await project.run(["preview"])).code).not.toBe(0);
  const back = { ...here.env, INTEGRATION_PLATFORM_MOVED_FROM: moved.INTEGRATION_PLATFORM_BASE_URL };
  // a refresh leaves provider resources as they are, so only an up moves those of the native provider
  await project.mustRun([providerUnderTest === "native" ? "up" : "refresh", "--yes", "--skip-preview"], { env: back });
  expect(await digestsOf(project)).toEqual(state);
  expect([here.writes(), there.writes()]).toEqual([[], []]);
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await here.tenants()).toEqual([]);
});

test("warns that the environment overrides the address in the stack's config", async () => {
  await using here = await openPlatform();
  const address = "  integration-platform:baseUrl: https://platform.example.com\n";
  await using project = await createProject({ stackYaml: `${stackYaml}${address}`, env: here.env });
  const { stdout } = await project.mustRun(["up", "--yes", "--skip-preview"]);
  const [, diagnostics = ""] = stdout.split("Diagnostics:");
  const told = `warning: INTEGRATION_PLATFORM_BASE_URL (${here.emulator.url}) wins over integration-platform:baseUrl`;
  expect(diagnostics.split(told)).toHaveLength(2);
  expect(await here.tenants()).toHaveLength(3);
});

async function tenantsOn(...platforms: LivePlatform[]) {
  return Promise.all(platforms.map((platform) => platform.tenants()));
}

/** The platform's address in the state: of each resource, or of the provider resource. */
async function digestsOf(project: Awaited<ReturnType<typeof createProject>>) {
  const { resources } = await project.exportState();
  if (providerUnderTest === "native") {
    const providers = resources.filter(({ type }) => type === "pulumi:providers:integration-platform");
    return providers.map(({ outputs }) => outputs.baseUrl);
  }
  const own = resources.filter(({ type }) => type.startsWith(tokenOf("")));
  return own.map(({ outputs }) => outputs.platform);
}

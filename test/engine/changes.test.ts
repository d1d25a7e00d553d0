import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const endpoint = "https://acme.example/a-hook-nobody-should-know";

describe("changes that a team makes in its YAML, step by step", () => {
  let platform: LivePlatform;
  let project: Project;
  let id: number;

  /** Replaces the declaration of the stack's only tenant. */
  const declare = (tenant: string) =>
    project.writeStackYaml(`config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    ${tenant}
`);

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ variants: { metadata: "merge-patch" } })); // with merge-patch, keys can be removed
      project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
      await declare(`acme:
      release: { tag: v1.0.0 }
      schedule: "0 */6 * * *"
      paused: false
      configs: { region: eu, batch_size: 100, endpoint: "${endpoint}" }
      metadata: { plan: gold, seats: 40 }`);
      await project.mustRun(["up", "--yes", "--skip-preview"]);
      ({ id } = await platform.tenant("acme"));
    }),
  );

  test("shows a change path by path and applies it in place", async () => {
    await declare(`acme:
      release: { id: 902 }
      schedule: none
      paused: true
      configs: { region: us, endpoint: "${endpoint}", mapping: { id: customer } }
      metadata: { plan: gold }`);
    expect(changedPaths(await project.preview())).toEqual({
      acme: {
        "configs.batch_size": "delete",
        "configs.mapping": "add",
        "configs.region": "update",
        "metadata.seats": "delete",
        paused: "update",
        "release.id": "add",
        "release.tag": "delete",
        schedule: "update",
      },
    });

    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenant("acme")).toMatchObject({
      id,
      paused: true,
      user_schedule: null,
      integration_release_id: 902,
      integration_release_channel: null,
    });
    const { configs } = await platform.tenant("acme");
    expect(configs).toMatchObject({ region: "us", endpoint, mapping: { id: "customer" } });
    expect(configs).not.toHaveProperty("batch_size");
    expect(await platform.metadata("acme")).toEqual({ plan: "gold" });
  });

  test("moves the tenant to a channel and keeps the settings that are no longer declared", async () => {
    await declare(`acme:
      release: { channel: Latest }
      configs: { region: us, endpoint: "${endpoint}" }`);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenant("acme")).toMatchObject({
      id,
      integration_release_channel: "Latest",
      paused: true,
      user_schedule: null,
    });
    await platform.change("acme", { paused: false, user_schedule: "1 1 * * *" });
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("encrypts a value that becomes a secret without sending it again", async () => {
    expect((await project.exportState()).text).toContain(endpoint);
    const [secret] = await encrypt(project, endpoint);
    await declare(`acme:
      release: { channel: Latest }
      configs: { region: us, endpoint: ${secret} }`);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);

    expect(platform.writes()).toEqual([]);
    expect((await project.exportState()).text).not.toContain(endpoint);
  });

  test("renames a key without archiving, and renames the tenant if the key is its name", async () => {
    await declare(`acme-international:
      aliases: [acme]
      name: acme
      release: { channel: Latest }
      configs: { region: us }`);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(platform.writes().map(({ request }) => request)).toEqual([`PATCH /v2/tenants/${id}`]); // removes the endpoint
    expect(await platform.tenant("acme")).toMatchObject({ id, configs: { region: "us" } });

    await declare(`acme-global:
      aliases: [acme, acme-international]
      release: { channel: Latest }
      configs: { region: us }`);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toMatchObject([{ id, name: "acme-global" }]);
    expect(await platform.tenants({ archived: true })).toEqual([]);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });
});

test("adds, changes and removes keys with backslashes, which not all paths of the engine can hold", async () => {
  await using platform = await openPlatform({ variants: { configs: "merge-patch" } });
  const env = { ...platform.env, INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: "0.5" };
  await using project = await createProject({ stackYaml: "config: {}\n", env });
  const steps = [{ "D:\\": "one" }, { "D:\\": "two", "C:\\dir": "one", '\\"': "one" }, { "\\": { "\\": 1 } }, {}];
  for (const [index, keys] of steps.entries()) {
    const configs = { region: "eu", ...keys };
    const tenants = { acme: { integration: "crm-to-billing", configs } };
    const fleets = { more: { integration: "crm-to-billing", tenants: { globex: { configs } } } };
    await project.writeStackYaml(`config:
  integration-platform:tenants: ${JSON.stringify(tenants)}
  integration-platform:fleets: ${JSON.stringify(fleets)}
`);
    const { stdout } = await project.mustRun(["up", "--yes", "--skip-preview", "--diff"]); // shows each path
    if (index > 0) expect(stdout).toMatch(/Resources:\s+~ 2 updated\n/);
    for (const live of await platform.tenants()) {
      const odd = Object.entries(live.configs).filter(([key]) => key.includes("\\"));
      expect(Object.fromEntries(odd)).toEqual(keys);
    }
  }
  await project.mustRun(["preview", "--expect-no-changes"]);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const endpoint = "https://acme.example/a-hook-nobody-should-know";

describe("what a team changes in its YAML, one step after the other", () => {
  let platform: LivePlatform;
  let project: Project;
  let id: number;

  /** Replaces what the stack's file says of the one tenant. */
  const declare = (tenant: string) =>
    project.writeStackYaml(`config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    ${tenant}
`);

  beforeAll(async () => {
    platform = await openPlatform({ variants: { metadata: "merge-patch" } }); // one that can remove keys
    project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
    await declare(`acme:
      release: { tag: v1.0.0 }
      schedule: "0 */6 * * *"
      paused: false
      configs: { region: eu, batch_size: 100, endpoint: "${endpoint}" }
      metadata: { plan: gold, seats: 40 }`);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    ({ id } = await platform.tenant("acme"));
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });

  it("is shown path by path, and brought about in place", async () => {
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

  it("can move the tenant to a channel, and leave alone what is no longer declared", async () => {
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

  it("encrypts a value that becomes a secret, without sending it again", async () => {
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

  it("renames the key without archiving anything, and the tenant where it is named by its key", async () => {
    await declare(`acme-international:
      formerly: acme
      name: acme
      release: { channel: Latest }
      configs: { region: us }`);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(platform.writes().map(({ request }) => request)).toEqual([`PATCH /v2/tenants/${id}`]); // takes the endpoint away
    expect(await platform.tenant("acme")).toMatchObject({ id, configs: { region: "us" } });

    await declare(`acme-global:
      formerly: [acme, acme-international]
      release: { channel: Latest }
      configs: { region: us }`);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toMatchObject([{ id, name: "acme-global" }]);
    expect(await platform.tenants({ archived: true })).toEqual([]);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });
});

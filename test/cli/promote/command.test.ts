import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import {
  productionFile,
  productionReleases,
  productionTenants,
  schema,
  seedOf,
  twoPlatforms,
} from "./two-platforms.ts";

/** Runs a sync of a tenant to its end. */
async function syncOf(emulator: Parameters<typeof call>[0], tenantId: number) {
  await call(emulator, "POST", `/v2/tenants/${tenantId}/sync?mode=normal`);
  await expect
    .poll(async () => Object((await call(emulator, "GET", `/v2/tenants/${tenantId}/runs`)).body)[0]?.completed_date)
    .toEqual(expect.any(String));
}

describe.concurrent("promote", () => {
  test("declares the release in the other stack's file, and says what was proven", async () => {
    await using on = await twoPlatforms();
    await Promise.all([syncOf(on.source, 1), syncOf(on.source, 2)]);
    const { code, stdout, stderr } = await on.run("--tag", "v1.5.0", "--write-summary", "summary.md");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("sandbox: 2 tenants of crm-to-billing run v1.5.0 (release 12);");
    expect(stdout).toMatch(/2 syncs\s+succeeded\s+and\s+0\s+failed\s+since \d{4}-/);
    expect(stdout).toContain("Pulumi.production.yaml is changed:\n  tenantDefaults.release.tag: v1.4.0 -> v1.5.0\n");
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(await on.file()).toBe(productionFile.replace("tag: v1.4.0", "tag: v1.5.0"));
    expect(on.target.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await on.run("--tag", "v1.5.0")).stdout).toContain("Pulumi.production.yaml declares it already");
  });

  test("needs a tag if the tenants run several releases", async () => {
    await using on = await twoPlatforms();
    expect(await on.run()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/v1\.5\.0 \(2 tenants\).*name one of them with --tag/),
    });
  });

  test("refuses without enough proof, by the option or the stack's config", async () => {
    await using on = await twoPlatforms({}, { promoteRequires: "tenants >= 3" });
    const refused = await on.run("--tag", "v1.5.0");
    expect(refused).toMatchObject({
      code: 4,
      stdout: expect.stringContaining("it is not proven enough: tenants >= 3"),
    });
    expect(await on.file()).toBe(productionFile);
    const allowed = await on.run("--tag", "v1.5.0", "--require", "tenants == 2 and syncs == 0", "--dry-run");
    expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining("would be changed:") });
    expect(await on.file()).toBe(productionFile);
    expect(await on.run("--tag", "v1.5.0", "--require", "runs > 1")).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("there are tenants, syncs and failures"),
    });
  });

  test("refuses a release with other schemas, and one that does not fit a tenant, and says who must act", async () => {
    const stricter = { ...schema, required: ["batch"] };
    const releases = productionReleases.map((one) => ({ ...one, config_schema: stricter }));
    await using on = await twoPlatforms({ seed: seedOf(releases, productionTenants) });
    const { code, stdout } = await on.run("--tag", "v1.5.0", "--require", "tenants > 0");
    expect(code).toBe(4);
    const text = stdout.replaceAll(/\n? +/g, " ");
    expect(text).toContain("the config_schema of production differs from that of sandbox: it is not what was tried");
    expect(text).toContain("it does not fit 2 tenants of production");
    expect(text).toContain("configs.batch is required: acme, bluebird. To be set by");
    expect(await on.file()).toBe(productionFile);
  });

  test.each([
    [
      "tenants of another integration have the release too",
      `integration-platform:tenantDefaults: { release: { tag: v1.4.0 } }
  integration-platform:tenants: { acme: { integration: crm-to-billing }, shop: { integration: shop } }`,
      "tenantDefaults.release.tag is the release of other integrations' tenants too: declare theirs at them or in a group",
    ],
    [
      "tenants follow a channel",
      `integration-platform:tenantDefaults: { integration: crm-to-billing, release: { channel: Default } }
  integration-platform:tenants: { acme: {} }`,
      "its tenants follow a channel of the platform, and no tag or id",
    ],
  ])("cannot change a file in which %s, and says what to do", async (_, config, reason) => {
    await using on = await twoPlatforms();
    await on.write(`config:\n  ${config}\n`);
    const { code, stderr } = await on.run("--tag", "v1.5.0", "--require", "tenants > 0");
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("Declare the tag v1.5.0 by hand");
  });

  test("builds the tag where it is missing, if asked to", async () => {
    const [old] = productionReleases;
    const seed = seedOf(old === undefined ? [] : [old], productionTenants);
    await using on = await twoPlatforms({ seed });
    const without = await on.run("--tag", "v1.5.0", "--require", "tenants > 0");
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("or add --build") });
    await on.run("--tag", "v1.5.0", "--require", "tenants > 0", "--build");
    const [build] = on.target.requests().filter(({ method }) => method === "POST");
    expect(build?.body).toMatchObject({ integration_id: 101, tag: "v1.5.0" });
  });

  test("changes a key that a program reads, and gives programs the result as JSON", async () => {
    await using on = await twoPlatforms();
    await on.write("config:\n  customers:release: v1.4.0\n");
    expect(await on.run("--tag", "v1.5.0", "--require", "tenants > 0")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--config-key"),
    });
    const named = ["--config-key", "customers:release", "--json"];
    const { stdout } = await on.run("--tag", "v1.5.0", "--require", "tenants > 0", ...named);
    expect(JSON.parse(stdout)).toMatchObject({
      tag: "v1.5.0",
      releases: { from: 12, to: 32 },
      changed: [{ path: "customers:release", declared: "v1.4.0" }],
      refusals: [],
    });
    expect(await on.file()).toBe("config:\n  customers:release: v1.5.0\n");
  });
});

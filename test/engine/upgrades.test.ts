import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { builtPlugin } from "../../engine/built-plugin.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { listRecords, readRecord, recordFiles } from "../upgrades/records.ts";
import {
  type InstalledPackage,
  installPackage,
  openUpgradeProject,
  referredToken,
  token,
} from "../upgrades/upgrade-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { packedPackage } from "./harness/packed-package.ts";
import { tokenOf } from "./harness/provider-under-test.ts";

const records = await listRecords();
/** The resources that every version has. */
const resources = ["Build", "FleetRollout", "SyncTrigger", "Tenant", "TenantFleet", "TenantMetadata"];

test("there is a record of at least one version", () => {
  expect(records.length).toBeGreaterThanOrEqual(2); // one of each provider
});

describe("a stack that an older version has left", () => {
  let installed: InstalledPackage;

  beforeAll(() =>
    endAfterTests(async (open) => {
      installed = open.use(await installPackage(await packedPackage()));
    }),
  );

  test.each(records)("is read without a change, changed and destroyed: $version, $provider", async (record) => {
    const data = join(installed.folder, `platform-${record.version}-${record.provider}`);
    await mkdir(data);
    await copyFile(join(record.folder, recordFiles.platform), join(data, recordFiles.platform));
    await using platform = await openPlatform({ data });
    const { program, stackYaml, state } = await readRecord(record, platform.emulator.url);
    const { provider } = record;
    await using project = await openUpgradeProject(installed, { provider, program, plugin: await builtPlugin() });
    await writeFile(project.stackFile, stackYaml);
    await project.put("state.json", state);
    await project.mustRun(["stack", "import", "--file", join(project.directory, "state.json")]);
    const types = (await project.exportState()).resources.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(resources.map((resource) => tokenOf(resource, provider))));

    await project.mustRun(["preview", "--refresh=false", "--expect-no-changes"]);
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);

    await project.mustRun(["config", "set", "region", "us"]);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    const configsOf = async (name: string) => (await platform.tenant(name)).configs;
    expect(await configsOf("acme")).toMatchObject({ region: "us", api_token: token, mapping: { currency: "EUR" } });
    expect(await configsOf("bluebird")).toMatchObject({ region: "us", api_token: token });
    expect(await configsOf("cedar")).toMatchObject({ region: "us", api_token: referredToken });
    expect(platform.writes().filter(({ request }) => request.endsWith("/sync"))).toHaveLength(1);
    await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);

    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    const left = await platform.tenants();
    expect(left.map(({ name }) => name).toSorted()).toEqual(["dune", "ember", "umbrella"]);
    expect((await project.exportState()).resources).toEqual([]);
    for (const secret of [token, referredToken]) expect(project.printed()).not.toContain(secret);
  });
});

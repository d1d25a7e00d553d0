import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const secrets = ["first-that-nobody-may-find", "second-that-nobody-may-find"] as const;

const settings = (token: string) => ({ token, creds: { user: "u", token } });
const program = `
  import * as pulumi from "@pulumi/pulumi";
  import { Tenant, TenantFleet, TenantMetadata } from "pulumi-integration-platform";
  const token = pulumi.secret(${JSON.stringify(secrets[0])});
  const settings = { token, creds: { user: "u", token } };
  const ignored = (path: string) => ({ ignoreChanges: [path + ".token", path + ".creds.token"] });
  const integration = "crm-to-billing";
  const acme = new Tenant("acme", { integration, configs: settings }, ignored("configs"));
  new TenantMetadata("acme-data", { tenantId: acme.tenantId, data: settings }, ignored("data"));
  new TenantFleet(
    "all",
    { integration, tenants: { globex: { configs: settings, metadata: settings } } },
    { ignoreChanges: ["configs", "metadata"].flatMap((name) => ignored("tenants.globex." + name).ignoreChanges) },
  );`;

test("keeps a secret out of the state that somebody cleared on the platform and entered again", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ program, stackYaml: "config: {}\n", env: platform.env });
  const setByHand = async (values: object) => {
    for (const name of ["acme", "globex"]) {
      await platform.change(name, { configs: values });
      await platform.changeMetadata(name, values);
    }
  };
  const expectNowhere = async () => {
    const { text } = await project.exportState();
    const lines = [...text.split("\n"), ...project.printed().split("\n")];
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  };
  const up = () => project.mustRun(["up", "--yes", "--skip-preview"]);
  const refresh = () => project.mustRun(["refresh", "--yes", "--skip-preview"]);
  await up();

  for (const cleared of [
    { token: null, creds: { user: "u" } },
    { token: null, creds: null },
  ]) {
    await setByHand(cleared);
    await refresh();
    expect((await platform.tenant("acme")).configs).toEqual(cleared);
    await up();
    await setByHand(settings(secrets[1]));
    await refresh();
    await expectNowhere();
    await up();
    await refresh();
    await expectNowhere();
    expect((await platform.tenant("globex")).configs).toEqual(settings(secrets[1]));
  }
});

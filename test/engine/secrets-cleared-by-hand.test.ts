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
  for (const name of ["in-part", "whole"]) {
    const { tenantId } = new Tenant(name, { integration, configs: settings }, ignored("configs"));
    new TenantMetadata(name, { tenantId, data: settings }, ignored("data"));
    const inFleet = "of-fleet-" + name;
    new TenantFleet(
      name,
      { integration, tenants: { [inFleet]: { configs: settings, metadata: settings } } },
      { ignoreChanges: ["configs", "metadata"].flatMap((key) => ignored("tenants." + inFleet + "." + key).ignoreChanges) },
    );
  }`;

/** How somebody clears the secret on the platform. */
const cleared = {
  "in-part": { token: null, creds: { user: "u" } },
  whole: { token: null, creds: null },
};

test("keeps a secret out of the state that somebody cleared on the platform and entered again", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ program, stackYaml: "config: {}\n", env: platform.env });
  const setByHand = async (valuesOf: (form: keyof typeof cleared) => object) => {
    for (const form of ["in-part", "whole"] as const) {
      for (const name of [form, `of-fleet-${form}`]) {
        await platform.change(name, { configs: valuesOf(form) });
        await platform.changeMetadata(name, valuesOf(form));
      }
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

  await setByHand((form) => cleared[form]);
  await refresh();
  for (const form of ["in-part", "whole"] as const)
    expect((await platform.tenant(form)).configs).toEqual(cleared[form]);
  await up();
  await setByHand(() => settings(secrets[1]));
  await refresh();
  await expectNowhere();
  await up();
  await refresh();
  await expectNowhere();
  for (const name of ["of-fleet-in-part", "of-fleet-whole"]) {
    expect((await platform.tenant(name)).configs).toEqual(settings(secrets[1]));
  }
});

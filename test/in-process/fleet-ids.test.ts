import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { providerNames } from "../engine/harness/provider-under-test.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

test.each(providerNames)(
  "a preview on the %s provider does not know how the syncs of a fleet end",
  async (provider) => {
    await using platform = await openPlatform();
    const program = (schedule: string) => `
import * as pulumi from "@pulumi/pulumi";
import { TenantFleet } from "pulumi-integration-platform${provider === "native" ? "/native" : ""}";
const fleet = new TenantFleet("billing", {
  integration: "crm-to-billing",
  sync: { mode: "init" },
  tenants: { acme: { schedule: ${JSON.stringify(schedule)} } },
});
fleet.tenants.apply(({ acme }) => pulumi.log.info("outcome: " + acme.sync.outcome));
fleet.tenants.acme.tenantId.apply((id) => pulumi.log.info("id: " + id));
`;
    const shownBy = async (command: string, schedule: string) => {
      await project.put("program.ts", program(schedule));
      const { stdout, stderr } = await project.mustRun([
        command,
        ...(command === "up" ? ["--yes", "--skip-preview"] : []),
      ]);
      return stdout + stderr;
    };
    await using project = await createInProcessProject({
      program: program("0 1 * * *"),
      stackYaml: "config: {}\n",
      env: platform.env,
      provider,
    });
    expect(await shownBy("preview", "0 1 * * *")).not.toMatch(/outcome: |id: /);
    expect(await shownBy("up", "0 1 * * *")).toContain("outcome: skipped");
    const ofChange = await shownBy("preview", "0 2 * * *");
    expect(ofChange).not.toContain("outcome: ");
    const id = `id: ${(await platform.tenant("acme")).id}`;
    if (provider === "native") expect(ofChange).toContain(id);
    else expect(ofChange).not.toContain(id);
  },
);

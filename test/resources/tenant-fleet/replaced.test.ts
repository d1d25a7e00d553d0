import { describe, expect, test } from "vitest";
import { failureOf, stage } from "../stage.ts";

describe("a fleet that is replaced and retains its tenants", () => {
  test("takes its tenants over again if the integration is the same (--replace)", async () => {
    await using on = await stage();
    const inputs = {
      integration: "crm-to-billing",
      name: "billing",
      retainOnDelete: true,
      tenants: { acme: { configs: { region: "eu" } } },
    };
    const made = await on.operation().fleet.create(inputs);
    const here = on.operation();
    expect(await here.fleet.check(inputs, inputs)).toEqual([]);
    expect(await here.fleet.check(inputs, undefined)).toEqual([]);
    await here.fleet.delete(made.id, made.state);
    const again = await here.fleet.create(inputs);
    expect(again.state.tenants.acme?.tenantId).toBe(made.state.tenants.acme?.tenantId);
  });
});

describe("two tenants renamed to one name at once", () => {
  test("are not both renamed", async () => {
    await using on = await stage();
    const inputs = {
      integration: "crm-to-billing",
      name: "billing",
      tenants: { a: { name: "acme" }, b: { name: "bluebird" } },
    };
    const made = await on.operation().fleet.create(inputs);
    const now = { ...inputs, tenants: { a: { name: "cedar" }, b: { name: "cedar" } } };
    const here = on.operation();
    const failures = await here.fleet.check(now, inputs);
    if (failures.length === 0) await failureOf(here.fleet.update(made.id, made.state, now));
    expect((await on.live()).filter(({ name }) => name === "cedar").length).toBeLessThan(2);
  });
});

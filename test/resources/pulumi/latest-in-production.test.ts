import * as pulumi from "@pulumi/pulumi";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { warnOfLatestInProduction } from "../../../src/resources/pulumi/latest-in-production.ts";

const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
afterEach(() => warn.mockClear());
afterAll(() => warn.mockRestore());

async function onStack(name: string) {
  const mocks = { newResource: () => ({ id: "1", state: {} }), call: () => ({}) };
  await pulumi.runtime.setMocks(mocks, "project", name);
}

const latest = { channel: "Latest" };

test.each([
  ["production", 1],
  ["prod-eu", 1],
  ["eu.prod", 1],
  ["products", 0],
  ["staging", 0],
])("on the stack %s tenants on Latest are warned of %i times", async (name, times) => {
  await onStack(name);
  for (const release of [{ tag: "v1" }, undefined, pulumi.output(latest)])
    warnOfLatestInProduction("dynamic", { release });
  warnOfLatestInProduction("native", { release: latest }); // the plugin warns itself
  expect(warn).not.toHaveBeenCalled();
  warnOfLatestInProduction("dynamic", { tenants: { acme: {}, beta: { release: latest } } });
  warnOfLatestInProduction("dynamic", { release: latest });
  expect(warn).toHaveBeenCalledTimes(times);
  if (times > 0)
    expect(warn.mock.calls[0]?.[0]).toMatch(/each push to the integration's tracking branch makes a release/);
});

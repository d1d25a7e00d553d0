import { expect, test } from "vitest";
import { stage } from "../stage.ts";
import { fleet, operation } from "./fleet-stage.ts";

function fleetOf(count: number, configs: object, more: object = {}) {
  const tenants = Array.from({ length: count }, (_, index) => [`tenant-${index}`, { configs, ...more }]);
  return { ...fleet, tenants: Object.fromEntries(tenants) };
}

test("a fleet whose state would be too large is refused before anything is written, with what to do", async () => {
  await using on = await stage();
  const inputs = fleetOf(11, { region: "eu", note: "ü".repeat(475_000) });
  const failures = await operation(on).check(inputs, undefined);
  expect(failures).toEqual([
    { property: "tenants", reason: expect.stringMatching(/at most 10\.0 MB .* about 10\.5 MB.*Divide the fleet/) },
  ]);
  expect(await operation(on).check(inputs, inputs)).toEqual(failures);
  expect(on.writes()).toEqual([]);
});

test("the marks of secrets count", async () => {
  await using on = await stage();
  const configs = { region: "eu", api_token: "t", note: "x".repeat(900) };
  expect(await operation(on).check(fleetOf(8000, configs), undefined)).toEqual([]);
  const secret = fleetOf(8000, configs, { secretPaths: [["configs", "api_token"]] });
  expect(await operation(on).check(secret, undefined)).toMatchObject([{ property: "tenants" }]);
});

test.each([
  [10_000, 200],
  [10_000, 600],
  [10, 900_000],
])("a fleet of %d tenants with configs of %d bytes is accepted", async (count, bytes) => {
  await using on = await stage();
  const inputs = fleetOf(count, { region: "eu", note: "x".repeat(bytes) });
  expect(await operation(on).check(inputs, undefined)).toEqual([]);
});

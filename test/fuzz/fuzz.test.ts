import fc from "fast-check";
import { expect, test } from "vitest";
import { properties, usualSeed } from "./properties.ts";
import { fuzzProperty } from "./property.ts";

test.each(properties)(
  "$name: no crash, no hang, always a value or a typed refusal",
  async (property) => {
    const report = await property.check({ cases: property.shortCases, seed: usualSeed });
    expect(report.cases).toBe(property.shortCases);
  },
  60_000,
);

test("a case that fails or takes too long is told with the seed", async () => {
  const broken = (check: () => void) =>
    fuzzProperty("broken", 1, async () => ({
      inputs: fc.constant(0),
      check: async () => check(),
      [Symbol.asyncDispose]: async () => {},
    })).check({ cases: 3, seed: 7 });
  const spin = () => {
    for (const before = process.cpuUsage(); process.cpuUsage(before).user < 1_100_000; );
  };
  await expect(broken(() => JSON.parse("{"))).rejects.toThrow(/seed: 7/);
  await expect(broken(spin)).rejects.toThrow(/seed: 7/);
  await expect(broken(() => {})).resolves.toMatchObject({ cases: 3 });
}, 60_000);

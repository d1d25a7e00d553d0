import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultVariants, listVariants, variantValues } from "../../../src/emulator/index.ts";
import { startEmulator } from "../running-emulator.ts";

test("every variant has a test for each of its values", () => {
  const folder = join(import.meta.dirname, "..");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const tested = sources.flatMap((source) =>
    [...source.matchAll(/^ *forEachValue\(\s*"(\w+)"/gm)].map(([, name = ""]) => name),
  );
  expect(Object.keys(variantValues).filter((name) => !tested.includes(name))).toEqual([]);
});

test("the default of every variant is its first value", () => {
  expect(Object.keys(defaultVariants)).toEqual(Object.keys(variantValues));
  for (const [name, value] of Object.entries(defaultVariants)) expect(value).toBe(variantValues[name]?.[0]);
});

test("unknown variants and values are refused with a list of the known ones", async () => {
  const emulator = await startEmulator();
  expect(() => emulator.setVariants(JSON.parse('{"colour": "red"}'))).toThrow(
    /no variant "colour".*\n.*configs: replace/,
  );
  expect(() => emulator.setVariants(JSON.parse('{"names": "odd"}'))).toThrow(/"names" cannot be "odd".*free, unique/);
  expect(() => emulator.setVariants(JSON.parse('["names"]'))).toThrow(/must be an object/);
  await expect(startEmulator({ variants: JSON.parse('{"constructor": "x"}') })).rejects.toThrow(/no variant/);
});

test("the list for --help has every variant with its values and its question", () => {
  const list = listVariants();
  for (const [name, values] of Object.entries(variantValues)) expect(list).toContain(`${name}: ${values.join(" | ")}`);
  expect(list).toContain("When does a build become a release?");
  expect(list).toContain("- twice: after 2 seconds, as two releases with one tag");
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultVariants } from "../../../src/emulator/index.ts";
import { temporaryDirectory } from "../../emulator/running-emulator.ts";
import { startPlatform } from "../platform-process.ts";
import { allLive } from "../scene.ts";
import { together } from "./all.ts";
import { archive } from "./archive.ts";
import { type Disturbance, nothingBesides } from "./disturbance.ts";

const end = { code: 1, printed: "error: it went wrong" };

describe("several disturbances at once", () => {
  const killing: Disturbance = { kills: true, end: async () => ({ killed: 1 }) };
  const finding: Disturbance = {
    kills: false,
    violations: () => ["a secret was found"],
    end: async () => ({ second: 1 }),
  };
  const cutShort: Disturbance = {
    ...finding,
    violations: (_, { kills }) => (kills ? [] : ["an error lacks a status"]),
  };
  const slow: Disturbance = { ...finding, violations: (_, { fails }) => (fails ? [] : ["failed"]) };
  const violationsOf = (...parts: Disturbance[]) => together(parts).violations?.(end, nothingBesides);

  test("keep the violations of each, also where one of them kills commands", () => {
    expect(violationsOf(finding, killing)).toEqual(["a secret was found"]);
  });

  test("excuse a message that was cut short where one of them kills, and a failure where others bring it about", () => {
    expect(violationsOf(cutShort, finding)).toEqual(["an error lacks a status", "a secret was found"]);
    expect(violationsOf(cutShort, finding, killing)).toEqual(["a secret was found"]);
    expect(violationsOf(slow, finding)).toEqual(["a secret was found"]);
  });

  test("count the strikes of those that count", async () => {
    expect(await together([finding, killing]).end()).toEqual({ killed: 1, second: 1 });
    expect(await together([finding, killing], [killing]).end()).toEqual({ killed: 1 });
  });
});

test("a tenant is excused once somebody else is known to have archived it, and not where the program had", async () => {
  const folder = temporaryDirectory();
  const seed = join(folder, "seed.json");
  const tenants = ["own-a", "own-b"].map((name) => ({ integration: "crm-to-billing", name }));
  await writeFile(seed, JSON.stringify({ integrations: [{ name: "crm-to-billing" }], tenants }));
  const data = join(folder, "platform");
  await using platform = await startPlatform({ apiKey: "key-of-the-test", data, seed, variants: defaultVariants });
  const [byOthers = 0, byProgram = 0] = (await allLive(platform)).map(({ id }) => id);
  const excused = new Set<number>();

  await archive(platform, byOthers, excused);
  const path = `${platform.url}/v2/tenants/${byProgram}`;
  await fetch(path, { method: "DELETE", headers: { "x-api-key": "key-of-the-test" } });
  await expect(archive(platform, byProgram, excused)).rejects.toThrow("404");

  expect([...excused]).toEqual([byOthers]);
});

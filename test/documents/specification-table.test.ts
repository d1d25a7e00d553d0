import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const document = readFileSync(new URL("docs/specification.md", root), "utf8");

test("every file that the table of the specification names is there", () => {
  const names = [...document.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = ""]) => name);
  const places = ["", "test/", "src/api/", "src/emulator/"];
  const missing = names.filter((name) => !places.some((place) => existsSync(new URL(place + name, root))));
  expect(names.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

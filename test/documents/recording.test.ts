import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { castOf, textOfCast } from "../../scripts/record-demo/cast.ts";
import { comparableLines } from "../../scripts/record-demo/comparable-lines.ts";
import { castFile, pictureFile } from "../../scripts/record-demo/files.ts";
import { pictureOf } from "../../scripts/record-demo/picture.ts";
import { repository } from "./documents.ts";

// That the recording shows what the demo prints today is tested where the README's commands run: test/engine/readme.test.ts.

test("the recording has every step of the demo, and the README runs the demo", async () => {
  const text = textOfCast(await readFile(castFile, "utf8"));
  expect([...text.matchAll(/^(\d)\. /gm)].map(([, step]) => step)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(text.trimEnd()).toMatch(/\nDone\. .*$/);
  expect(comparableLines(text).length).toBeGreaterThan(60);
  expect(await readFile(join(repository, "README.md"), "utf8")).toContain("```sh\nnpm run demo\n");
});

test("the picture is made from the recording", async () => {
  const picture = await readFile(pictureFile, "utf8");
  expect(picture).toMatch(/^<svg /);
  expect(picture).toBe(pictureOf(await readFile(castFile, "utf8")));
});

test("a recording cuts long pauses, joins what comes together, and ends with a pause", () => {
  const cast = castOf("demo", [
    { seconds: 9, text: "a\n" },
    { seconds: 9.01, text: "b\n" },
    { seconds: 9.5, text: "c\n" },
  ]);
  expect(cast.trimEnd().split("\n").slice(1)).toEqual([
    '[0,"o","$ demo\\r\\n"]',
    '[1.5,"o","a\\r\\nb\\r\\n"]',
    '[1.99,"o","c\\r\\n"]',
    '[6.99,"o",""]',
  ]);
  expect(textOfCast(cast)).toBe("$ demo\na\nb\nc\n");
});

test("two runs are the same apart from the port, ids, durations, columns and the order of the engine's work", () => {
  const output = (address: string, ...lines: string[]) => `> npm\n\n1. At ${address}.\n\n2. Up:\n${lines.join("\n")}\n`;
  const run = output("http://127.0.0.1:4010", "  Tenant a created (0.3s)", "  Tenant b created (12ms)", "  a  5001  x");
  const same = output("http://127.0.0.1:99", "  Tenant b created (1m2s)", "  Tenant a created (3s)", "  a    50012  x");
  expect(comparableLines(run)).toEqual(comparableLines(same));
  expect(comparableLines(run)).toHaveLength(5);
  expect(comparableLines(run)).not.toEqual(comparableLines(same.replace("Tenant b", "Tenant c")));
});

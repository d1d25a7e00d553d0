import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { castOf, textOfCast } from "../../scripts/record-demo/cast.ts";
import { comparableLines } from "../../scripts/record-demo/comparable-lines.ts";
import { driftRecording, recordings } from "../../scripts/record-demo/files.ts";
import { pictureOf } from "../../scripts/record-demo/picture.ts";
import { repository } from "./documents.ts";

// That a recording shows what the demo prints today is tested where the demos run: test/engine/readme.test.ts and
// test/engine/demo.test.ts.

describe.each(recordings)("the recording of $command", ({ command, castFile, pictureFile, steps }) => {
  test("has every step of the demo, in lines of at most 80 columns", async () => {
    const text = textOfCast(await readFile(castFile, "utf8"));
    const numbers = [...text.matchAll(/^(\d)\. /gm)].map(([, step]) => Number(step));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(6);
    expect(text.trimEnd()).toMatch(/\n {3}Done\. .*$/);
    expect(text.split("\n").filter((line) => stringWidth(line) > 80)).toEqual([]);
    expect(text).toMatch(new RegExp(`^\\$ ${command}\n`));
  });

  test("is what its picture is made from, and a document shows the picture", async () => {
    const picture = await readFile(pictureFile, "utf8");
    expect(picture).toBe(pictureOf(await readFile(castFile, "utf8"), steps));
    expect(picture).toContain(`>${steps[0]}.</text>`);
    expect(picture).toContain(`>${steps[1]}.</text>`);
    const readme = await readFile(join(repository, "README.md"), "utf8");
    expect(readme).toContain(`(docs/public/${basename(pictureFile)})`);
    expect(readme).toContain(command);
  });
});

test("the README begins with the picture of the drift table", async () => {
  const [, name] = /^!\[.*\]\((.*)\)$/m.exec(await readFile(join(repository, "README.md"), "utf8")) ?? [];
  expect(join(repository, name ?? "")).toBe(driftRecording.pictureFile);
  expect(await readFile(driftRecording.pictureFile, "utf8")).toMatch(/>DECLARED<.*>ACTUAL</);
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

test("two runs are the same apart from the port, ids, times, durations, columns and the order of the engine's work", () => {
  const output = (address: string, ...lines: string[]) => `> npm\n\n1. At ${address}.\n\n2. Up:\n${lines.join("\n")}\n`;
  const run = output("http://127.0.0.1:4010", "  Tenant a created (0.3s)", "  Tenant b created (12ms)", "  a  5001  x");
  const same = output("http://127.0.0.1:99", "  Tenant b created (1m2s)", "  Tenant a created (3s)", "  a    50012  x");
  expect(comparableLines(run)).toEqual(comparableLines(same));
  expect(comparableLines(run)).toHaveLength(5);
  expect(comparableLines(run)).not.toEqual(comparableLines(same.replace("Tenant b", "Tenant c")));
});

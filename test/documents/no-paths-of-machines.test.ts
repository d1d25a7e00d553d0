import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const pathOfMachine = /["'= ]\/(?:home|Users|root|work|tmp)\/[^"\s]*/g;

test("no file of data that is committed holds a path of a machine", () => {
  const files = execFileSync("git", ["ls-files", "*.json", "*.jsonl"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  expect(files).toContain("bench/results.json");
  const found = files.flatMap(
    (file) =>
      readFileSync(join(root, file), "utf8")
        .match(pathOfMachine)
        ?.map((path) => `${file}: ${path}`) ?? [],
  );
  expect(found).toEqual([]);
});

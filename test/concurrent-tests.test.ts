import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// vitest knows one test that runs now. Of concurrent tests, that is the one that began last, and none once it has ended.
test("concurrent tests ask vitest for nothing that belongs to the test that runs now", () => {
  const files = globSync("**/*.test.ts", { cwd: import.meta.dirname }).map((path) => ({
    path,
    text: readFileSync(join(import.meta.dirname, path), "utf8"),
  }));
  const concurrent = files.filter(({ text }) => /^\s*(test|describe)\.concurrent\b/m.test(text));
  expect(concurrent.length).toBeGreaterThan(20);
  const wrong = /\b(expect\.poll|onTestFinished|onTestFailed)\(|\bstartEmulator\(/;
  expect(concurrent.flatMap(({ path, text }) => (wrong.test(text) ? [path] : []))).toEqual([]);
});

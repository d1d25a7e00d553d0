import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fieldNames } from "../../src/cli/tenants/tenant-fields.ts";
import { parseWhere } from "../../src/cli/tenants/where.ts";

const repository = join(import.meta.dirname, "../..");
const page = await readFile(join(repository, "docs/guides/commands.md"), "utf8");
const readme = await readFile(join(repository, "README.md"), "utf8");

describe("docs/guides/commands.md", () => {
  test("has every field of a tenant", () => {
    const fields = page.slice(page.indexOf("### The fields of a tenant"));
    for (const name of fieldNames) {
      const [field = "", key = ""] = name.split(".");
      expect(fields).toMatch(new RegExp(`\`${field}[\`.]`));
      expect(fields).toContain(key);
    }
  });

  test.each([...page.matchAll(/--where '([^'\n]*)'/g)].map(([, expression = ""]) => expression))(
    "has the condition %s, which can be read",
    (expression) => {
      expect(() => parseWhere(expression)).not.toThrow();
    },
  );

  test("is where the README says", () => {
    expect(readme).toContain("(docs/guides/commands.md)");
  });
});

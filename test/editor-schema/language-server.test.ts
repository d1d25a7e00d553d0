import { describe, expect, test } from "vitest";
import { stackDocument, tenantsDocument } from "../../src/editor-schema/documents.ts";
import { openEditor } from "./open-editor.ts";
import { ourFiles, readOurFile } from "./our-files.ts";

const editor = openEditor(stackDocument());

const tenant = (text: string) => `config:\n  integration-platform:tenants:\n    acme:\n${text}`;

describe("an editor completes", () => {
  test("the keys of the namespace", async () => {
    const found = await editor.completions("config:\n  |\n");
    expect(found).toContain("integration-platform:tenants");
    expect(found).toContain("integration-platform:tenantDefaults");
    expect(found).toHaveLength(22);
  });

  test("the settings of a tenant that it does not have yet", async () => {
    const found = await editor.completions(tenant("      paused: true\n      |\n"));
    expect(found).toEqual(expect.arrayContaining(["schedule", "release", "configs", "metadata", "adopt", "sync"]));
    expect(found).not.toContain("paused");
  });

  test("the values that a setting can have", async () => {
    expect(await editor.completions(tenant("      release:\n        channel: |\n"))).toEqual(["Latest", "Default"]);
    expect(await editor.completions(tenant("      sync:\n        mode: |\n"))).toEqual(["init", "normal"]);
  });

  test("the tenants of a file", async () => {
    const found = await openEditor(tenantsDocument()).completions("acme:\n  |\n");
    expect(found).toContain("schedule");
    expect(found).not.toContain("integration");
  });
});

test("an editor explains a setting", async () => {
  expect(await editor.hover(tenant("      pau|sed: true\n"))).toContain("false resumes the tenant");
  expect(await editor.hover("config:\n  integration-platform:allow|InsecureHttp: []\n")).toContain("plain http");
});

describe("an editor shows", () => {
  test.each(ourFiles)("no problem in %s", async (name) => {
    expect(await editor.diagnostics(await readOurFile(name))).toEqual([]);
  });

  test.each([
    ["a misspelt setting", tenant("      shedule: none\n"), /^4:7 Property shedule is not allowed/],
    ["a misspelt key", "config:\n  integration-platform:tenant: {}\n", /^2:3 Property .*tenant is not allowed/],
    ["a wrong type", tenant("      name: acme\n      paused: 5\n"), /^5:15 Incorrect type\. Expected "boolean"/],
    ["a wrong word", tenant("      adopt: always\n"), /^4:14 Value is not accepted\. Valid values: "never", "safe"/],
    ["a release given two ways", tenant("      release: { id: 4, tag: v1 }\n"), /^4:16 Object has more properties/],
    [
      "a damaged cipher",
      tenant("      configs: { a: { secure: v1:abc } }\n"),
      /^4:31 This is not a whole encrypted value\. Set it again with/,
    ],
  ])("%s where it is", async (_, yaml, problem) => {
    expect(await editor.diagnostics(yaml)).toEqual([expect.stringMatching(problem)]);
  });
});

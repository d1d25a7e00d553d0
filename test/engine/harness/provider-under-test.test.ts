import { expect, test } from "vitest";
import { programOn, stackYamlOn, tokenOf } from "./provider-under-test.ts";

test.each([
  ["an empty config", "config: {}\n", "config: { integration-platform:provider: native }\n"],
  [
    "a config on one line",
    "config: { a:b: [1] }\n\nencryptionsalt: v1\n",
    "config: { integration-platform:provider: native,  a:b: [1] }\n\nencryptionsalt: v1\n",
  ],
  [
    "a config whose lines have places in messages",
    "config:\n    a:b:\n      - 1 # one\n\nencryptionsalt: v1\n",
    "config:\n    a:b:\n      - 1 # one\n    integration-platform:provider: native\n\nencryptionsalt: v1\n",
  ],
  [
    "a config without an end of its last line",
    "config:\n  a:b: 1",
    "config:\n  a:b: 1\n  integration-platform:provider: native\n",
  ],
  ["no config", "encryptionsalt: v1\n", "encryptionsalt: v1\nconfig:\n  integration-platform:provider: native\n"],
])("puts the provider after the lines of %s", (_, before, after) => {
  expect(stackYamlOn("native", before)).toBe(after);
  expect(stackYamlOn("dynamic", before)).toBe(before);
});

test.each(["config:\n  integration-platform:provider: dynamic\n", "config: { a: [\n"])(
  "leaves a file that names a provider or is invalid: %j",
  (text) => expect(stackYamlOn("native", text)).toBe(text),
);

test("changes only a program's import of the resources", () => {
  const program =
    'import { a } from "pulumi-integration-platform";\nimport { b } from "pulumi-integration-platform/api";\n';
  expect(programOn("native", program)).toBe(
    'import { a } from "pulumi-integration-platform/native";\nimport { b } from "pulumi-integration-platform/api";\n',
  );
  expect(programOn("dynamic", program)).toBe(program);
});

test("names the type of a resource", () => {
  expect(tokenOf("Tenant", "native")).toBe("integration-platform:index:Tenant");
  expect(tokenOf("Tenant", "dynamic")).toBe("pulumi-nodejs:dynamic/integration-platform:Tenant");
});

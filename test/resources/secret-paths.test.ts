import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { secretPaths } from "../../src/resources/pulumi/secret-paths.ts";
import { resolved } from "../stack/stack-folder.ts";

beforeAll(() =>
  pulumi.runtime.setMocks({ call: ({ inputs }) => inputs, newResource: ({ inputs }) => ({ id: "1", state: inputs }) }),
);

const secret = () => pulumi.secret("s3cret");

const inputs: [string, Record<string, unknown>, string[][] | undefined][] = [
  ["plain values", { configs: { region: pulumi.output("eu"), list: [pulumi.output(1)] } }, undefined],
  ["a secret", { configs: { "a.b": { token: secret() } } }, [["configs", "a.b", "token"]]],
  [
    "an item of a list",
    { configs: { shops: [{ token: "" }, { token: secret() }] } },
    [["configs", "shops", "1", "token"]],
  ],
  ["a whole setting", { configs: pulumi.secret({ region: "eu" }) }, [["configs"]]],
  ["a promise", { configs: Promise.resolve({ region: "eu", token: secret() }) }, [["configs", "token"]]],
  ["a promise of a secret", { configs: Promise.resolve(pulumi.secret({ token: "t" })) }, [["configs"]]],
  [
    "promises within promises",
    { configs: Promise.resolve({ shops: [Promise.resolve({ token: secret() })] }) },
    [["configs", "shops", "0", "token"]],
  ],
  [
    "an output that resolves to an object with secrets",
    { configs: pulumi.output("eu").apply((region) => ({ region, deep: { token: secret() } })) },
    [["configs", "deep", "token"]],
  ],
  [
    "several secrets, in the order of their keys",
    { b: secret(), a: { d: secret(), c: secret() } },
    [["a", "c"], ["a", "d"], ["b"]],
  ],
];

test.each(inputs)("finds the secrets of %s", async (_, given, paths) => {
  expect(await resolved(secretPaths(given).secretPaths)).toEqual(paths);
});

test("returns undefined if nothing can be secret", () => {
  expect(secretPaths({ name: "acme", configs: { region: "eu", list: [1, null, { a: true }] } })).toEqual({});
});

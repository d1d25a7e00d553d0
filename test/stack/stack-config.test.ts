import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { KeyPath } from "../../src/json/key-path.ts";
import { placeAt } from "../../src/stack/config/config-node.ts";
import { readStackConfig } from "../../src/stack/program/stack-config.ts";
import { projectOf } from "../../src/stack/yaml/project.ts";
import { useStack } from "./stack-folder.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "integration-platform-file-"));
  await useStack();
});

afterEach(() => rm(directory, { recursive: true }));

/** @param effective the tenants as the engine hands them over. Default: as the file has them. */
async function rootOf(yaml: string, effective?: unknown) {
  const path = join(directory, "Pulumi.test.yaml");
  await writeFile(path, yaml);
  const { config } = effective === undefined ? parse(yaml, { merge: true }) : { config: { [tenants]: effective } };
  const texts = Object.entries(config).map(([key, value]) => [key, JSON.stringify(value)]);
  pulumi.runtime.setAllConfig(Object.fromEntries(texts));
  return readStackConfig(projectOf(directory)).root;
}

const tenants = "integration-platform:tenants";
const unknown = "stack test";

describe("a stack's file", () => {
  async function placesOf(yaml: string) {
    const root = await rootOf(yaml);
    return (...path: KeyPath) => placeAt(root, path).where;
  }

  test("shows where a key is, also one of an alias or a merged key", async () => {
    const placeOf = await placesOf(`config:
  integration-platform:tenants:
    acme: &base
      configs: { region: eu }
    beta:
      <<: *base
      paused: true
    gamma: *base
`);
    expect(placeOf("tenants", "acme", "configs", "region")).toBe("Pulumi.test.yaml:4:18");
    expect(placeOf("tenants", "beta", "paused")).toBe("Pulumi.test.yaml:7:7");
    expect(placeOf("tenants", "gamma", "configs", "region")).toBe("Pulumi.test.yaml:4:18");
  });

  test("shows where a key is that comes from one of several merged maps, or is below a number", async () => {
    const placeOf = await placesOf(`config:
  integration-platform:tenants:
    acme: &base { configs: { region: eu }, paused: true }
    beta:
      <<: [{ paused: false }, *base]
    42:
      configs: { region: uk }
`);
    expect(placeOf("tenants", "beta", "configs", "region")).toBe("Pulumi.test.yaml:3:30");
    expect(placeOf("tenants", "beta", "paused")).toBe("Pulumi.test.yaml:5:14");
    expect(placeOf("tenants", "42", "configs", "region")).toBe("Pulumi.test.yaml:7:18");
  });

  test("shows the item of a list, also one that is an alias", async () => {
    const placeOf = await placesOf(`config:
  integration-platform:tenants:
    acme: { configs: { list: [1, &two { a: 2 }, *two] } }
`);
    const list = ["tenants", "acme", "configs", "list"];
    expect([0, 1, 2].map((index) => placeOf(...list, index))).toEqual([
      "Pulumi.test.yaml:3:31",
      placeOf(...list, 2),
      placeOf(...list, 1),
    ]);
    expect(placeOf(...list, 2, "a")).toBe("Pulumi.test.yaml:3:41");
  });

  test("shows the nearest place around a key that is not there", async () => {
    const placeOf = await placesOf("config:\n  integration-platform:tenants:\n    acme: {}\n");
    expect(placeOf("tenants", "acme", "configs", "region")).toBe("Pulumi.test.yaml:3:5");
    expect(placeOf("nothing")).toBe(unknown);
  });

  test("tells a secret from an object that has a key named secure", async () => {
    const root = await rootOf(
      `config:
  integration-platform:tenants:
    acme: { configs: { a: { secure: v1 }, b: { secure: v1, other: 2 }, c: { secure: 3 } } }
`,
      { acme: { configs: { a: "clear", b: { secure: "v1", other: 2 }, c: { secure: 3 } } } },
    );
    const configs = root.part("tenants")?.part("acme")?.part("configs");
    expect(["a", "b", "c"].map((key) => configs?.part(key)?.isSecret)).toEqual([true, false, false]);
  });

  test("makes every part of a config key secret that is one secret as a whole", async () => {
    const root = await rootOf(
      "config:\n  integration-platform:tenants: { secure: v1 }\n  integration-platform:baseUrl: x\n",
      { acme: { configs: { token: "clear" } } },
    );
    expect(root.part("tenants")?.isSecret).toBe(true);
    expect(root.part("tenants")?.part("acme")?.part("configs")?.part("token")?.isSecret).toBe(true);
  });
});

describe("a stack's file is the source of a config key", () => {
  async function isSource(yaml: string, effective: unknown): Promise<boolean> {
    const root = await rootOf(yaml, effective);
    const node = root.part("tenants");
    expect(node?.source).toBe(node?.place.where === unknown ? "unknown" : "stack file");
    return node?.source === "stack file";
  }

  test("if it has the same value, apart from decrypted secrets", async () => {
    const yaml = `config:
  integration-platform:tenants:
    acme: { configs: { a: { secure: v1 }, b: [1, 2.50, "x"] } }
`;
    const configs = (more: object) => ({ acme: { configs: { a: "clear", ...more } } });
    expect(await isSource(yaml, configs({ b: [1, 2.5, "x"] }))).toBe(true);
    expect(await isSource(yaml, configs({ b: [1, 2.5, "y"] }))).toBe(false);
    expect(await isSource(yaml, configs({}))).toBe(false);
    expect(await isSource(yaml, { ...configs({ b: [1, 2.5, "x"] }), beta: {} })).toBe(false);
  });

  test("and not if it has other keys, whatever their names are", async () => {
    const yaml = "config:\n  integration-platform:tenants: { acme: { configs: { a: { toString: 1 }, b: x } } }\n";
    const isSourceOf = (configs: object) => isSource(yaml, { acme: { configs } });
    expect(await isSourceOf({ a: { toString: 1 }, b: "x" })).toBe(true);
    expect(await isSourceOf({ a: "text", b: "x" })).toBe(false);
    expect(await isSourceOf({ a: { toString: 1 }, b: { valueOf: 1, toString: null } })).toBe(false);
    expect(await isSourceOf({ a: { toString: 1 }, b: "x", toString: 1 })).toBe(false);
  });

  test("if both have the same JSON as a string, however long its numbers are", async () => {
    const json = '{"acme": {"configs": {"mapping": "{\\"id\\": 12345678901234567890}", "rate": 1.50}}}';
    await writeFile(join(directory, "Pulumi.test.yaml"), `config:\n  ${tenants}: '${json}'\n`);
    pulumi.runtime.setAllConfig({ [tenants]: json });
    const { root, problems } = readStackConfig(projectOf(directory));
    expect(root.part("tenants")).toMatchObject({ source: "stack file", isSecret: false });
    expect(root.part("tenants")?.value).toEqual({
      acme: { configs: { mapping: '{"id": 12345678901234567890}', rate: 1.5 } },
    });
    expect(problems).toEqual([]);
  });

  test("and not if it is missing", () => {
    expect(readStackConfig(projectOf("/nowhere")).root.part("tenants")?.source).toBe("unknown");
  });
});

test.each([
  ["unknown", "config: {}\n"],
  ["a secret as a whole", `config: { ${tenants}: { secure: v1 } }\n`],
])("a number that JavaScript cannot hold is a problem, if the source is %s", async (_, yaml) => {
  await writeFile(join(directory, "Pulumi.test.yaml"), yaml);
  pulumi.runtime.setAllConfig({
    [tenants]: '{"acme":{"metadata":{"list":[1,9007199254740993]},"name":"Acme 9007199254740993"}}',
  });
  const { problems } = readStackConfig(projectOf(directory));
  expect(problems).toMatchObject([
    { path: ["tenants", "acme", "metadata", "list", 1], reason: expect.stringMatching(/cannot hold/) },
  ]);
});

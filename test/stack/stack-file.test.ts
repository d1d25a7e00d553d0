import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStackFile } from "../../src/stack/stack-file.ts";

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "integration-platform-file-"));
  path = join(directory, "Pulumi.test.yaml");
});

afterEach(() => rm(directory, { recursive: true }));

async function open(yaml: string) {
  await writeFile(path, yaml);
  return openStackFile(path);
}

describe("a stack's file", () => {
  it("knows where a key stands, also behind anchors and merged keys", async () => {
    const file = await open(`config:
  integration-platform:tenants:
    acme: &base
      configs: { region: eu }
    beta:
      <<: *base
      paused: true
    gamma: *base
`);
    expect(file?.locate(["tenants", "acme", "configs", "region"])).toBe("Pulumi.test.yaml:4:18");
    expect(file?.locate(["tenants", "beta", "paused"])).toBe("Pulumi.test.yaml:7:7");
    expect(file?.locate(["tenants", "gamma", "configs", "region"])).toBe("Pulumi.test.yaml:4:18");
  });

  it("knows where a key stands that comes by a merged key, or is under a number", async () => {
    const file = await open(`config:
  integration-platform:tenants:
    acme: &base { configs: { region: eu }, paused: true }
    beta:
      <<: [{ paused: false }, *base]
    42:
      configs: { region: uk }
`);
    expect(file?.locate(["tenants", "beta", "configs", "region"])).toBe("Pulumi.test.yaml:3:30");
    expect(file?.locate(["tenants", "beta", "paused"])).toBe("Pulumi.test.yaml:5:14");
    expect(file?.locate(["tenants", "42", "configs", "region"])).toBe("Pulumi.test.yaml:7:18");
  });

  it("answers the nearest place around one that is not there", async () => {
    const file = await open("config:\n  integration-platform:tenants:\n    acme: {}\n");
    expect(file?.locate(["tenants", "acme", "configs", "region"])).toBe("Pulumi.test.yaml:3:5");
    expect(file?.locate(["nothing"])).toBe("Pulumi.test.yaml:1:1");
  });

  it("knows a secret from an object that has a key named secure", async () => {
    const file = await open(`config:
  integration-platform:tenants:
    acme: { configs: { a: { secure: v1 }, b: { secure: v1, other: 2 }, c: { secure: 3 } } }
`);
    const isSecret = (key: string) => file?.isSecret(["tenants", "acme", "configs", key]);
    expect(["a", "b", "c"].map(isSecret)).toEqual([true, false, false]);
  });

  it("knows that every part of a config key is secret where the key is one secret", async () => {
    const file = await open("config:\n  integration-platform:tenants: { secure: v1 }\n");
    const isSecret = (...path: string[]) => file?.isSecret(path);
    expect(isSecret("tenants")).toBe(true);
    expect(isSecret("tenants", "acme", "configs", "token")).toBe(true);
    expect(isSecret("tenantDefaults", "configs", "token")).toBe(false);
  });

  it("agrees with config that is the same but for decrypted secrets, and with no other", async () => {
    const file = await open(`config:
  integration-platform:tenants:
    acme: { configs: { a: { secure: v1 }, b: [1, 2.50, "x"] } }
`);
    expect(file?.agrees("tenants", { acme: { configs: { a: "clear", b: [1, 2.5, "x"] } } })).toBe(true);
    expect(file?.agrees("tenants", { acme: { configs: { a: "clear", b: [1, 2.5, "y"] } } })).toBe(false);
    expect(file?.agrees("tenants", { acme: { configs: { a: "clear" } } })).toBe(false);
    expect(file?.agrees("tenants", { acme: { configs: { a: "c", b: [1, 2.5, "x"] } }, beta: {} })).toBe(false);
  });

  it("agrees with no config that has other keys, whatever they are called", async () => {
    const file = await open(
      "config:\n  integration-platform:tenants: { acme: { configs: { a: { toString: 1 }, b: x } } }\n",
    );
    const agrees = (configs: object) => file?.agrees("tenants", { acme: { configs } });
    expect(agrees({ a: { toString: 1 }, b: "x" })).toBe(true);
    expect(agrees({ a: "text", b: "x" })).toBe(false);
    expect(agrees({ a: { toString: 1 }, b: { valueOf: 1, toString: null } })).toBe(false);
    expect(agrees({ a: { toString: 1 }, b: "x", toString: 1 })).toBe(false);
  });

  it("is not there where it cannot be read as YAML", async () => {
    expect(await open("config: [")).toBeUndefined();
    expect(await open("config: *nothing")).toBeUndefined();
    expect(openStackFile("/nowhere/Pulumi.test.yaml")).toBeUndefined();
  });
});

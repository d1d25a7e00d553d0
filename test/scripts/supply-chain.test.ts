import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLines } from "../../scripts/release/audit.ts";
import { writeSbom } from "../../scripts/release/sbom.ts";

const root = join(import.meta.dirname, "../..");

async function json(path: string) {
  return JSON.parse(await readFile(join(root, path), "utf8"));
}

describe.each(["package-lock.json", "test/aws/runtime/package/package-lock.json"])("%s", (path) => {
  test("pins every package by its digest, and names no place to get it from", async () => {
    const packages: [string, Record<string, unknown>][] = Object.entries((await json(path)).packages);
    const others = packages.filter(([where]) => where !== "");
    expect(others.length).toBeGreaterThan(10);
    expect(others.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(String(integrity)))).toEqual([]);
    expect(others.filter(([, entry]) => entry.resolved !== undefined || entry.link)).toEqual([]);
  });
});

test("the shipped dependencies are pinned to one version each", async () => {
  const { dependencies, devDependencies } = await json("package.json");
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

describe("the audit", () => {
  const shipped = ["node_modules/ajv", "node_modules/left"];

  test("says that there is nothing known where there is nothing known of what is shipped", () => {
    const vulnerabilities = { right: { severity: "high", range: "*", nodes: ["node_modules/right"] } };
    expect(auditLines(JSON.stringify({ vulnerabilities }), shipped)).toEqual([
      "Audited: no known vulnerability (2 shipped packages).",
    ]);
  });

  test("names what is vulnerable", () => {
    const vulnerabilities = { left: { severity: "high", range: "<2.0.0", nodes: ["node_modules/left"] } };
    expect(auditLines(JSON.stringify({ vulnerabilities }), shipped).join("\n")).toMatch(
      /^VULNERABLE: 1 .*high: left <2/s,
    );
  });

  test.each([
    ["", "npm audit gave no report"],
    ["npm error code ENOTFOUND", "npm audit gave no report"],
    ['{"message":"request to https://registry.example/audit failed","error":{}}', "request to the registry failed"],
    ['{"error":{"code":"ENOAUDIT"}}', "npm audit gave no report"],
  ])("takes no answer for a good one: %j", (output, reason) => {
    expect(auditLines(output, shipped)).toEqual([
      `NOT AUDITED: ${reason}`,
      "Whether the shipped dependencies have known vulnerabilities is not known.",
    ]);
  });
});

test("the bill of materials names what is depended on and what is in the tarball's bundles, and nothing else", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sbom-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "sbom.cdx.json");

  const count = await writeSbom(file);

  const { metadata, components, dependencies } = JSON.parse(await readFile(file, "utf8"));
  const refs: string[] = components.map((component: Record<string, unknown>) => component["bom-ref"]);
  const packages: [string, Record<string, unknown>][] = Object.entries((await json("package-lock.json")).packages);
  const dependencyRefs = packages
    .filter(([where, { dev, devOptional, optional }]) => where !== "" && !dev && !devOptional && !optional)
    .map(([where, { version }]) => `${where.replace(/^.*node_modules\//, "")}@${version}`);
  expect(refs).toEqual(expect.arrayContaining(dependencyRefs));
  const bundled = refs.filter((ref) => !dependencyRefs.includes(ref)).map((ref) => ref.replace(/@[^@]+$/, ""));
  expect(bundled.filter((name) => name.startsWith("@aws-sdk/client-")).sort()).toEqual([
    "@aws-sdk/client-dynamodb",
    "@aws-sdk/client-eventbridge",
    "@aws-sdk/client-secrets-manager",
    "@aws-sdk/client-sqs",
  ]);
  // what the clients need, and the plugin
  expect(bundled.filter((name) => !/^@(aws|aws-sdk|smithy|protobufjs)\//.test(name)).sort()).toEqual([
    "@bufbuild/protobuf",
    "@grpc/grpc-js",
    "@grpc/proto-loader",
    "@js-sdsl/ordered-map",
    "bowser",
    "lodash.camelcase",
    "long",
    "mnemonist",
    "obliterator",
    "protobufjs",
  ]);
  expect(new Set(refs).size).toBe(count);
  expect(dependencies).toHaveLength(count + 1);
  const { version } = await json("package.json");
  expect(metadata.component).toMatchObject({ name: "pulumi-integration-platform", version });
  expect(await readFile(file, "utf8")).toContain('"alg": "SHA-512"');
}, 60_000);

test("every package that would run a script when it is installed is allowed to, or not, by name", async () => {
  const { packages } = await json("package-lock.json");
  const { allowScripts } = await json("package.json");
  const named = Object.entries<Record<string, unknown>>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => place.replace(/^.*node_modules\//, ""));
  expect([...new Set(named)].sort()).toEqual(Object.keys(allowScripts).sort());
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLines } from "../../scripts/audit.ts";
import { writeSbom } from "../../scripts/sbom.ts";

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
  const metadata = { dependencies: { prod: 18 } };

  test("says that there is nothing known where there is nothing known", () => {
    expect(auditLines(JSON.stringify({ vulnerabilities: {}, metadata }))).toEqual([
      "Audited: no known vulnerability (18 shipped packages, the project itself among them).",
    ]);
  });

  test("names what is vulnerable", () => {
    const vulnerabilities = { left: { severity: "high", range: "<2.0.0", isDirect: true } };
    expect(auditLines(JSON.stringify({ vulnerabilities, metadata })).join("\n")).toMatch(
      /^VULNERABLE: 1 .*high: left <2/s,
    );
  });

  test.each([
    ["", "npm audit gave no report"],
    ["npm error code ENOTFOUND", "npm audit gave no report"],
    ['{"message":"request to https://registry.example/audit failed","error":{}}', "request to the registry failed"],
    ['{"error":{"code":"ENOAUDIT"}}', "npm audit gave no report"],
  ])("takes no answer for a good one: %j", (output, reason) => {
    expect(auditLines(output)).toEqual([
      `NOT AUDITED: ${reason}`,
      "Whether the shipped dependencies have known vulnerabilities is not known.",
    ]);
  });
});

test("the bill of materials names all that is shipped, and nothing else", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sbom-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "sbom.cdx.json");

  const count = await writeSbom(file);

  const { metadata, components, dependencies } = JSON.parse(await readFile(file, "utf8"));
  const packages: [string, Record<string, unknown>][] = Object.entries((await json("package-lock.json")).packages);
  const shipped = packages
    .filter(([where, { dev, devOptional, optional }]) => where !== "" && !dev && !devOptional && !optional)
    .map(([where, { version }]) => `${where.replace(/^.*node_modules\//, "")}@${version}`);
  const refs: string[] = components.map((component: Record<string, unknown>) => component["bom-ref"]);
  expect(refs.sort()).toEqual(shipped.sort());
  expect(count).toBe(shipped.length);
  expect(dependencies).toHaveLength(shipped.length + 1);
  expect(metadata.component).toMatchObject({ name: "pulumi-integration-platform", version: "0.1.0" });
  expect(await readFile(file, "utf8")).toContain('"alg": "SHA-512"');
}, 60_000);

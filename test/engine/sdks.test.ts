import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { generateSdks } from "../../engine/sdk-generators.ts";
import { providerSchemaFile } from "../../scripts/schemas.ts";
import { writeSdks } from "../../scripts/sdks.ts";
import { endAfterTests } from "../end-after-tests.ts";

// The generators are built the first time.
const timeLimit = 1_200_000;
const schema = await readFile(providerSchemaFile, "utf8");
const { version } = JSON.parse(schema);
let folder: string;

beforeAll(() =>
  endAfterTests(async (open) => {
    folder = await mkdtemp(join(tmpdir(), "integration-platform-sdks-"));
    open.defer(() => rm(folder, { recursive: true, force: true }));
  }),
);

test(
  "Pulumi's own checker finds a type that does not exist",
  async () => {
    const broken = join(folder, "broken.json");
    await writeFile(
      broken,
      schema.replaceAll('#/types/integration-platform:index:Release"', '#/types/integration-platform:index:Relaese"'),
    );
    const { diagnostics, sdks } = await generateSdks(broken, ["nodejs"]);
    expect(diagnostics.join("\n")).toContain("Relaese");
    expect(sdks).toEqual({});
  },
  timeLimit,
);

test(
  "an SDK for each language has the package's version, a README with a first program, and the licence",
  async () => {
    await writeSdks(folder); // throws if the checker finds anything wrong with the schema
    const read = (...path: readonly string[]) => readFile(join(folder, ...path), "utf8");
    for (const language of ["nodejs", "python", "go", "dotnet", "java"]) {
      const readme = await read(language, "README.md");
      expect(readme).toContain(`resource integration-platform ${version}`);
      expect(readme).toMatch(/## A first program\n\n```\w+\n[^`]*acme/);
      expect(await read(language, "LICENSE")).toContain("Apache License");
    }
    expect(JSON.parse(await read("nodejs/package.json"))).toMatchObject({
      name: "pulumi-integration-platform-sdk",
      version,
      license: "Apache-2.0",
      pulumi: { resource: true, name: "integration-platform" },
    });
    expect(await read("python/pyproject.toml")).toContain(`version = "${version}"`);
    expect(await read("go/go.mod")).toMatch(/^module integration-platform\.example\/sdk\/go$/m);
    expect(await read("dotnet/PulumiSdk.IntegrationPlatform.csproj")).toContain(`<Version>${version}</Version>`);
    expect(await read("java/build.gradle")).toContain('group = "example.pulumi"');
  },
  timeLimit,
);

test(
  "on GitHub the SDKs have the names of the repository",
  async () => {
    const environment = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "Acme-Corp/platform" };
    await writeSdks(folder, ["go", "java"], environment);
    const [module, gradle] = [join(folder, "go/go.mod"), join(folder, "java/build.gradle")];
    expect(await readFile(module, "utf8")).toMatch(/^module github\.com\/Acme-Corp\/platform\/sdk\/go$/m);
    expect(await readFile(gradle, "utf8")).toContain('group = "io.github.acme_corp"');
  },
  timeLimit,
);

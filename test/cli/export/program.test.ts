import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

const repository = join(import.meta.dirname, "../../..");

const odd = {
  'a"b': `say "hi" don't`,
  "line\nbreak": "\u2028\u202e",
  5: 1e21,
  ünï: [-0.25, 1e-7],
  ["__proto__"]: { a: 1 },
  class: { $ok: [[], {}] },
  numbers: Array.from({ length: 40 }, (_, index) => index * 1000),
  objects: [
    { a: 1, b: "x" },
    { a: 2, b: null },
  ],
  lists: [
    [1, 2],
    ["a", "b"],
  ],
  long: ["x".repeat(50), "y".repeat(50)],
  deep: { deeper: { text: "z".repeat(100) } },
};

describe("export --format ts", () => {
  let emulator: Emulator;
  const run = async (...args: string[]) =>
    (await runCli(emulator, ["export", "--format", "ts", "--integration", ...args])).stdout;

  beforeAll(async () => {
    const release = (id: number, tag: string | null) => ({ id, name: `r${id}`, tag });
    emulator = await createEmulator({
      seed: {
        integrations: [
          { name: "shop", releases: [release(1, "v1"), release(2, "twice"), release(3, "twice"), release(4, null)] },
          { name: "CRM (old)", releases: [release(5, "v5")] },
        ],
        tenants: [
          { integration: "shop", name: "zebra", integration_release_id: 1, configs: { region: "eu" } },
          { integration: "shop", name: "acme", integration_release_id: 1, paused: false },
          { integration: "shop", name: "by-id", integration_release_id: 2, configs: { token: "plain-token" } },
          { integration: "shop", name: "no-tag", integration_release_id: 4, user_schedule: "0 1 * * *" },
          { integration: "shop", name: "mono", integration_release_id: 1 },
          { integration: "CRM (old)", name: "x".repeat(63), integration_release_channel: "Latest", configs: odd },
          { integration: "CRM (old)", name: "odd", integration_release_id: 5, configs: odd, metadata: odd },
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  test("writes what a person would write: defaults, release tags, and the tenants by name", async () => {
    expect(await run("shop")).toBe(`import { Tenant, type TenantArgs } from "pulumi-integration-platform";

const defaults = {
  integration: "shop",
  schedule: "none",
  release: { tag: "v1" },
  paused: true,
} satisfies Partial<TenantArgs>;

new Tenant("acme", {
  ...defaults,
  adopt: 5002,
  paused: false,
});

// configs.token is not exported: it looks like a secret
// 2 releases, including release 2, have the same tag
new Tenant("by-id", {
  ...defaults,
  adopt: 5003,
  release: { id: 2 },
});

new Tenant("mono", {
  ...defaults,
  adopt: 5005,
});

// release 4 has no tag
new Tenant("no-tag", {
  ...defaults,
  adopt: 5004,
  schedule: "0 1 * * *",
  release: { id: 4 },
});

new Tenant("zebra", {
  ...defaults,
  adopt: 5001,
  configs: { region: "eu" },
});
`);
  });

  test("also says in YAML why a release is declared by its id", async () => {
    const { stdout } = await runCli(emulator, ["export", "--integration", "shop"]);
    expect(stdout).toMatch(/no-tag:\n(?: {6}.*\n)* {6}# release 4 has no tag\n/);
    expect(stdout).toContain("# 2 releases, including release 2, have the same tag\n");
  });

  test("names the defaults of each integration, and has none for a single tenant", async () => {
    const text = await run("all", "--as", "fleets");
    expect(text).toMatch(/^import \{ type FleetTenantArgs, TenantFleet \} from/);
    expect([...text.matchAll(/^(?:const|new) [\w("-]+/gm)].map(String)).toEqual([
      "const crmOldDefaults",
      'new TenantFleet("crm-old"',
      "const shopDefaults",
      'new TenantFleet("shop"',
    ]);
    expect(await run("CRM (old)")).toContain("const defaults = {");
  });

  test.each(["tenants", "fleets"])(
    "writes %s that the compiler accepts and a formatter leaves as they are",
    async (as) => {
      const text = await run("all", "--as", as);
      expect(await formatted(text)).toBe(text);
      expect(errorsOf(text)).toEqual([]);
      expect(errorsOf(text.replace("paused: true", 'paused: "true"'))).not.toEqual([]);
    },
  );
});

/** The text as Biome formats it with the settings that Prettier has by default. */
function formatted(text: string): Promise<string> {
  const args = ["format", "--line-width=80", "--indent-style=space", "--stdin-file-path=program.ts"];
  return new Promise((resolve, reject) => {
    const child = execFile(join(repository, "node_modules/.bin/biome"), args, { cwd: tmpdir() }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end(text);
  });
}

/** What the compiler says about a program of this repository. */
function errorsOf(text: string): string[] {
  const file = join(repository, "exported-program.ts");
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [file] }, ts.sys, repository);
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : readSource(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { firstLine, repository } from "./our-files.ts";

const folderOfSchemas = "node_modules/pulumi-integration-platform/schemas";

let emulator: Emulator;
let folder: string;

beforeAll(async () => {
  const release = { id: 1, name: "one", tag: "v1" };
  const tenants = [
    { integration: "crm", name: "acme", configs: { region: "eu" }, metadata: { plan: "gold" } },
    { integration: "crm", name: "Old Name", configs: { hosts: [{ port: 1 }] } },
    { integration: "shop", name: "fjord" },
  ];
  const integrations = [{ name: "crm", releases: [release] }, { name: "shop" }];
  emulator = await createEmulator({ seed: { integrations, tenants } });
  folder = await mkdtemp(join(tmpdir(), "integration-platform-exported-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await emulator.close();
});

/** Checks exported YAML with the schema that its first line names, and returns its value. */
async function checked(yaml: string, ofFolder: string) {
  const [, path = ""] = firstLine.exec(yaml) ?? [];
  const [before, name = ""] = resolve(ofFolder, path).split(`${folderOfSchemas}/`);
  expect(before).toBe(`${folder}/`);
  const schema = JSON.parse(await readFile(join(repository, "schemas", name), "utf8"));
  const value = parse(yaml);
  expect(new Ajv({ strict: false }).validate(schema, value)).toBe(true);
  return value;
}

test.each(["tenants", "fleets"])(
  "export --as %s writes a file that matches the schema in its first line",
  async (as) => {
    const { stdout } = await runCli(emulator, ["export", "--integration", "all", "--as", as], {}, folder);
    const { config } = await checked(stdout, folder);
    expect(Object.keys(config)).toContain(`integration-platform:${as}`);
  },
);

test("export --tenants-to writes files of tenants that match theirs", async () => {
  const args = ["export", "--integration", "crm", "--as", "fleets", "--tenants-to", "a/tenants"];
  const { stdout } = await runCli(emulator, args, {}, folder);
  await checked(stdout, folder);
  const yaml = await readFile(join(folder, "a/tenants/crm.yaml"), "utf8");
  expect(Object.keys(await checked(yaml, join(folder, "a/tenants")))).toHaveLength(2);
});

import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCli } from "../run-cli.ts";
import { type Incident, openIncident } from "./incident-fixture.ts";

const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];
const noteName = "integration-platform-pause.json";
const projectYaml = "name: shop\nruntime: nodejs\n";

function stackYaml({ emulator }: Incident, more = ""): string {
  return `config:\n  integration-platform:baseUrl: ${emulator.url}\n${more}`;
}

const tenants =
  "  integration-platform:tenantDefaults: { integration: billing, paused: false }\n" +
  "  integration-platform:tenants: { acme: {}, bluebird: {}, dune: {} }\n";

async function runIn(incident: Incident, folder: string, ...args: string[]) {
  await mkdir(join(incident.folder, folder), { recursive: true });
  return runCli(incident.emulator, args, {}, join(incident.folder, folder));
}

async function overridesIn(incident: Incident, file: string): Promise<unknown> {
  return parse(await incident.read(file)).config["integration-platform:overrides"];
}

describe.concurrent("the project is found as pulumi finds it", () => {
  test.each([
    ["Pulumi.yaml", projectYaml, "Pulumi.production.yaml"],
    ["Pulumi.yml", projectYaml, "Pulumi.production.yml"],
    ["Pulumi.yaml", `${projectYaml}stackConfigDir: config/stacks\n`, "config/stacks/Pulumi.production.yaml"],
    ["Pulumi.yaml", `${projectYaml}stackConfigDir: /stacks\n`, "stacks/Pulumi.production.yaml"],
    ["Pulumi.yaml", `${projectYaml}config: stacks\n`, "stacks/Pulumi.production.yaml"],
    ["Pulumi.json", JSON.stringify({ ...parse(projectYaml), stackConfigDir: "s" }), "s/Pulumi.production.json"],
  ])("from a folder below %s with %j", async (projectFile, text, stackFile) => {
    await using incident = await openIncident();
    await mkdir(join(incident.folder, stackFile, ".."), { recursive: true });
    await incident.write(projectFile, text);
    const isJson = projectFile.endsWith("json");
    const yaml = stackYaml(incident, tenants);
    await incident.write(stackFile, isJson ? JSON.stringify(parse(yaml)) : yaml);

    const paused = await runIn(incident, "src/deep", ...pauseBilling);
    expect(await incident.running()).toEqual(["fjord"]);
    expect(await incident.files()).toContain(noteName);
    if (isJson) {
      expect(paused.code).toBe(1);
      expect(paused.stdout.replaceAll(/\s+/g, " ")).toContain("because it is JSON, and this command writes YAML");
      return;
    }
    expect(paused).toMatchObject({ code: 0, stderr: "" });
    expect(paused.stdout).toContain(`git add ../../${stackFile}`);
    expect(paused.stdout).toContain("\n  integration-platform resume\n");
    expect(await overridesIn(incident, stackFile)).toEqual([
      { integration: "billing", paused: true, reason: "INC-42" },
    ]);

    expect(await runIn(incident, "test", "validate")).toMatchObject({ code: 0 });
    const schema = await runIn(incident, "test", "schema", "--stack", "production", "--out", "-");
    expect(JSON.parse(schema.stdout).properties.config.properties).toHaveProperty("integration-platform:tenants");
    expect(await runIn(incident, "test", "resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
    expect(await incident.read(stackFile)).toBe(yaml);
  });

  test("from a folder of another place that a symbolic link shows in the project, as the shell does", async () => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", projectYaml);
    await incident.write("Pulumi.production.yaml", stackYaml(incident, tenants));
    await using elsewhere = await openIncident();
    const link = join(incident.folder, "shared");
    await symlink(elsewhere.folder, link);
    const run = (...args: string[]) => runCli(incident.emulator, args, { PWD: link }, link);
    expect(await run(...pauseBilling)).toMatchObject({ code: 0, stderr: "" });
    expect(await overridesIn(incident, "Pulumi.production.yaml")).toHaveLength(1);
    expect(await elsewhere.files()).toEqual([]);
    expect(await run("validate")).toMatchObject({ code: 0 });
    const there = await runCli(incident.emulator, ["validate"], { PWD: incident.folder }, elsewhere.folder);
    expect(there.stderr).toContain("there is no stack's file");
  });

  test("and a file with another extension than that of Pulumi.yaml is not a stack's, as pulumi does not read it", async () => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", projectYaml);
    await incident.write("Pulumi.production.yml", stackYaml(incident, tenants));
    const { code, stderr } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no stack's file (Pulumi.<stack>.yaml) in");
    expect(await incident.read("Pulumi.production.yml")).toBe(stackYaml(incident, tenants));
  });

  test("a Pulumi.yaml that cannot be read does not keep an incident waiting, and is named", async () => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", "name: [");
    await mkdir(join(incident.folder, "stacks"));
    await incident.write("stacks/Pulumi.production.yaml", stackYaml(incident, tenants));
    const { code, stderr } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no stack's file .* \(Pulumi\.yaml:1:\d+: invalid YAML: .*\)/);
    expect(await incident.running()).toEqual(["fjord"]);
  });
});

describe.concurrent("what no stack's file shows", () => {
  test.each([
    ["a program declares the tenants", ""],
    ["an environment may declare them", "environment: [production]\n"],
    [
      "its tenants are encrypted",
      "",
      "  integration-platform:tenants: { secure: v1:AAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAA== }\n",
    ],
    [
      "it declares others",
      "environment: [production]\n",
      "  integration-platform:tenants: { grove: { integration: billing } }\n",
    ],
  ])("is paused at once, and is an error: %s", async (_, environment, declared = "") => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", projectYaml);
    const before = `${environment}${stackYaml(incident, declared)}`;
    await incident.write("Pulumi.production.yaml", before);

    const preview = await incident.run(...pauseBilling, "--dry-run");
    expect(preview).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: no override is written for 3/) });
    const { code, stderr } = await incident.run(...pauseBilling, "--until", "2099-01-01T00:00:00Z");
    expect(code).toBe(1);
    expect(stderr).toContain("error: no override is written for 3 tenants, because no stack's file in");
    expect(stderr).toContain('`override: { paused: true, reason: "INC-42", until: "2099-01-01T00:00:00Z" }`');
    expect(await incident.running()).toEqual(["fjord"]);
    expect(await incident.read("Pulumi.production.yaml")).toBe(before);
    await incident.succeed(...pauseBilling, "--no-override");
    const json = await incident.run(...pauseBilling, "--json");
    expect(JSON.parse(json.stdout).unrecorded.map(({ id }: { id: number }) => id)).toEqual([1, 2, 4]);

    const resumed = await incident.run("resume");
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toContain("If a program or an environment has the override INC-42, remove it there");
    expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
  });

  test("is no error for tenants that a person made beside those of the stack", async () => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", projectYaml);
    await incident.write("Pulumi.production.yaml", stackYaml(incident, tenants.replace(", dune: {}", "")));
    expect(await incident.run(...pauseBilling)).toMatchObject({ code: 0, stderr: "" });
  });

  test("is no error of a resume that was told that there is no override", async () => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", projectYaml);
    await incident.run(...pauseBilling);
    await incident.succeed("resume", "--no-override");
  });
});

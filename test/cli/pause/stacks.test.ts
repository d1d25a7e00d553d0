import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ownRunWords } from "../../own-run-words.ts";
import { runCli } from "../run-cli.ts";
import { standInStack } from "../stand-in-stack.ts";
import { type Incident, openIncident, someTenants } from "./incident-fixture.ts";

const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];
const production = "Pulumi.production.yaml";

/** A stack's file with comments, odd spaces and quotes, which have to stay as they are. */
function stackFile(baseUrl: string, tenants: string): string {
  return `# yaml-language-server: $schema=./schemas/stack.schema.json
encryptionsalt: v1:RNimH82Rex0=:v1:8NCZyNwN7GHCkjrK:JjE0iBwX2F9KXIADjGRJAvvNH4B0jQ==
config: # all of it
  # the address
  integration-platform:baseUrl:   '${baseUrl}'   # aligned

  integration-platform:tenants:
${tenants}
`;
}

const declared = `    acme: { integration: billing,
      paused: false }   # the first
    blue-key: { integration: 101, name: bluebird, paused: false }
    cedar: { integration: "billing", paused: true }
    dune-key:
      integration: billing
      name: dune-renamed
      adopt: 4
      paused: false
    fjord: { integration: shop, paused: false }`;

async function validated(incident: Incident): Promise<string> {
  const { code, stdout } = await incident.run("validate", "--online");
  return `${code} ${stdout}`;
}

function overridesIn(text: string): unknown {
  return parse(text).config["integration-platform:overrides"];
}

describe.concurrent("the stacks whose next `up` would resume", () => {
  test("are left as they are if several do not say which platform they are about", async () => {
    await using incident = await openIncident();
    const file = stackFile("", declared).replace(/.*baseUrl.*\n/, "");
    await incident.write(production, file);
    await incident.write("Pulumi.sandbox.yaml", file);
    const { code, stdout } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("Pulumi.sandbox.yaml: its next `up` would resume 3 tenants");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "it has no baseUrl, so its platform is not known: set baseUrl in each stack's file. So no override is written.",
    );
    expect(await incident.read(production)).toBe(file);
    expect(await incident.read("Pulumi.sandbox.yaml")).toBe(file);

    for (const option of ["--dry-run", "--no-override"]) {
      expect(await incident.run(...pauseBilling, option)).toMatchObject({ code: 0, stderr: "" });
    }
    const skipped = { outcome: "skipped", wouldResume: [{ name: "acme" }, {}, {}], edits: [] };
    const again = await incident.run(...pauseBilling, "--json");
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout).stacks).toMatchObject([skipped, skipped]);

    await incident.write(production, stackFile(incident.emulator.url, declared));
    await incident.write("Pulumi.sandbox.yaml", stackFile("https://sandbox.example.com", declared));
    expect(await incident.run(...pauseBilling)).toMatchObject({ code: 0, stderr: "" });
    expect(overridesIn(await incident.read(production))).toHaveLength(1);
  });

  test("is left as it is if it has no address, and the file of another stack has this platform's", async () => {
    await using incident = await openIncident();
    const without = stackFile("", declared).replace(/.*baseUrl.*\n/, "");
    await incident.write(production, without);
    await incident.write("Pulumi.sandbox.yaml", stackFile(incident.emulator.url, declared));
    const { code, stdout } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("it has no baseUrl, so its platform is not known");
    expect(await incident.read(production)).toBe(without);
    expect(overridesIn(await incident.read("Pulumi.sandbox.yaml"))).toHaveLength(1);
  });

  test.each([
    [
      "Pulumi.yaml has overrides",
      "",
      /because Pulumi\.yaml has its overrides, which this would replace unless it repeats/,
    ],
    [
      "Pulumi ESC may",
      "environment: [prod]\n",
      /an environment of Pulumi ESC may have its overrides, which this would/,
    ],
  ])("are left as they are if %s, which a key of theirs would replace", async (_, environment, reason) => {
    await using incident = await openIncident();
    const override = "[{ paused: true, reason: CHG-7, integration: billing, tenants: [acme] }]";
    const value = environment === "" ? `config:\n  integration-platform:overrides: { value: ${override} }\n` : "";
    await incident.write("Pulumi.yaml", `name: shop\nruntime: nodejs\n${value}`);
    const file = `${environment}${stackFile(incident.emulator.url, declared)}`;
    await incident.write(production, file);
    const { code, stdout } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(reason);
    expect(stdout).toContain("reason: INC-42");
    expect(await incident.read(production)).toBe(file);

    const covering = "[{ paused: true, reason: INC-42, integration: billing }]";
    await incident.write(
      "Pulumi.yaml",
      `name: shop\nruntime: nodejs\nconfig:\n${value.replace("config:\n", "").replace(override, covering)}`,
    );
    const resumed = await incident.run("resume");
    expect(await incident.read(production)).toBe(file);
    if (environment === "") expect(resumed.stdout.replaceAll(/\s+/g, " ")).toMatch(/would pause \d tenants again/);
  });

  test.each([
    ["integration-platform", 1],
    ["shop", 0],
  ])(
    "are left as they are if the overrides have no namespace in a project with its name: %s",
    async (name, expected) => {
      await using incident = await openIncident();
      await incident.write("Pulumi.yaml", `name: ${name}\nruntime: nodejs\n`);
      const own = "  overrides: [{ paused: true, reason: CHG-7, integration: billing, tenants: [acme] }]\n";
      const file = `${stackFile(incident.emulator.url, declared)}${own}`;
      await incident.write(production, file);
      const { code, stdout } = await incident.run(...pauseBilling);
      expect(code).toBe(expected);
      const says = stdout
        .replaceAll(/\s+/g, " ")
        .includes("has the key overrides: write integration-platform:overrides");
      expect(says).toBe(expected === 1);
      expect((await incident.read(production)) === file).toBe(expected === 1);
    },
  );

  test("are named if environments of Pulumi ESC may declare more", async () => {
    await using incident = await openIncident();
    const tenants = "  integration-platform:tenants: { acme: { integration: billing } }\n";
    const address = `  integration-platform:baseUrl: "${incident.emulator.url}"\n`;
    await incident.write(production, `environment: [prod]\nconfig:\n${address}${tenants}`);
    const { stdout } = await incident.run(...pauseBilling);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "it names environments of Pulumi ESC, which this command does not read",
    );
  });

  test("need no other override if one written by hand covers the tenants, whatever their platform is", async () => {
    await using incident = await openIncident();
    const override = "  integration-platform:overrides: { paused: true, reason: INC-42, integration: billing }\n";
    const file = stackFile("", declared).replace(/.*baseUrl.*\n/, override);
    await incident.write(production, file);
    await incident.write("Pulumi.sandbox.yaml", file);
    await incident.succeed(...pauseBilling);
  });

  test("are left as they are if their baseUrl is encrypted", async () => {
    await using incident = await openIncident();
    const secure = "{ secure: v1:VjJk/1V2MYThbVk9:imO+8GmBrO8fhDld3qjy/cRbzgLIHYQqLsGo }";
    const file = stackFile("", declared).replace("''", secure);
    await incident.write(production, file);
    const { code, stdout } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("its next `up` would resume 3 tenants");
    expect(stdout).toContain("its baseUrl is encrypted");
    expect(await incident.read(production)).toBe(file);
  });

  test("are in the folder of --cwd, and need no Pulumi if the environment has the connection", async () => {
    await using incident = await openIncident();
    const text = stackFile(incident.emulator.url, declared);
    await incident.write(production, text);
    const elsewhere = (...args: string[]) =>
      runCli(incident.emulator, [...args, "--cwd", incident.folder], { PATH: "/nothing" }, "/");
    expect(await elsewhere(...pauseBilling)).toMatchObject({ code: 0 });
    expect(overridesIn(await incident.read(production))).toHaveLength(1);
    expect(await elsewhere("resume")).toMatchObject({ code: 0 });
    expect(await incident.read(production)).toBe(text);
  });

  test("have the words that --where of pause and resume compares, as that of status does", async () => {
    await using incident = await openIncident();
    await using stack = await standInStack(ownRunWords);
    await incident.change(1, { status: { last_run: { id: 9, status: "Broken" } } });
    const where = ["--where", "failing", "--cwd", incident.folder];
    const run = (args: string[], env: NodeJS.ProcessEnv) =>
      runCli(incident.emulator, [...args, ...where, "--json"], env);
    const namesOf = (tenants: { name: string }[]) => tenants.map(({ name }) => name);
    const status = await run(["status", "--integration", "billing"], stack.env);
    expect(namesOf(JSON.parse(status.stdout).tenants)).toEqual(["acme"]);

    const without = await run(pauseBilling, { PATH: "/nothing" });
    expect(without).toMatchObject({ code: 1, stdout: "" });
    expect(without.stderr).toMatch(
      /^warning: Pulumi could not .* so statuses in --where use the standard words\. Check .* --dry-run\. Reason: cannot /,
    );
    expect(without.stderr).toContain("that matches --where: nothing was paused");

    const paused = await run([...pauseBilling, "--no-override"], stack.env);
    expect(paused).toMatchObject({ code: 0, stderr: expect.not.stringContaining("--where") });
    expect(namesOf(JSON.parse(paused.stdout).paused)).toEqual(["acme"]);
    const resumed = await run(["resume"], stack.env);
    expect(namesOf(JSON.parse(resumed.stdout).resumed)).toEqual(["acme"]);
  });

  test("are read by a pulumi that hangs only if --where compares statuses, and then for 10 s", {
    timeout: 60_000,
  }, async () => {
    await using incident = await openIncident();
    const bin = join(incident.folder, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "pulumi"), "#!/bin/sh\nsleep 600 & echo $! > pid; wait\n", { mode: 0o755 });
    const run = (where: string) =>
      runCli(incident.emulator, [...pauseBilling, "--no-override", "--cwd", incident.folder, "--where", where], {
        PATH: [bin, process.env.PATH].join(delimiter),
      });
    expect((await run('name == "acme"')).stderr).not.toContain("Pulumi could not");
    const { code, stderr } = await run('name == "bluebird" and not failing');
    process.kill(Number(await incident.read("pid")));
    expect(code).toBe(0);
    expect(stderr).toContain("Reason: `pulumi config` did not end within 10 s");
    expect(await incident.running()).toEqual(["dune", "fjord"]);
  });

  test("are asked for if the folder has none", async () => {
    await using incident = await openIncident();
    const { code, stderr } = await incident.run(...pauseBilling);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: no override is written for 3 tenants, because there is no stack's file .*: the next `pulumi up` of .*\n$/,
    );
    expect(stderr).toContain(`with --note ${join(await realpath(incident.folder), "integration-platform-pause.json")}`);

    await mkdir(join(incident.folder, "project"));
    await incident.write("project/Pulumi.production.yaml", stackFile(incident.emulator.url, declared));
    const args = [...pauseBilling, "--note", join(incident.folder, "integration-platform-pause.json")];
    const inProject = await runCli(incident.emulator, args, {}, join(incident.folder, "project"));
    expect(inProject).toMatchObject({ code: 0, stderr: "" });
    expect(overridesIn(await incident.read("project/Pulumi.production.yaml"))).toHaveLength(1);
  });

  test("lose no override of pause if a file could not be changed meanwhile", async () => {
    await using incident = await openIncident();
    const before = stackFile(incident.emulator.url, declared);
    await incident.write(production, before);
    await incident.run(...pauseBilling, "--where", 'name == "acme"');
    const withOverride = await incident.read(production);
    await incident.write(production, JSON.stringify(parse(withOverride)));
    expect(await incident.run(...pauseBilling)).toMatchObject({ code: 1 });
    await incident.write(production, withOverride);
    await incident.succeed(...pauseBilling);
    await incident.succeed("resume");
    expect(await incident.read(production)).toBe(before);
  });

  test("are not forgotten by a resume in a folder without the file that has the override", async () => {
    await using incident = await openIncident();
    await incident.write(production, stackFile(incident.emulator.url, declared));
    await incident.succeed(...pauseBilling);
    const text = await incident.read(production);
    await rm(join(incident.folder, production));
    const { code, stderr } = await incident.run("resume");
    expect(code).toBe(1);
    expect(stderr).toContain(`has written an override into ${production}, which is not in the folder`);
    await incident.write(production, text);
    await incident.succeed("resume");
    expect(await incident.read(production)).toBe(stackFile(incident.emulator.url, declared));
  });

  test("get an override of the whole integration, which resume removes without a trace", async () => {
    await using incident = await openIncident();
    const before = stackFile(incident.emulator.url, declared);
    await incident.write(production, before);
    const { code, stdout, stderr } = await incident.run(...pauseBilling);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      "Pulumi.production.yaml: its next `up` would resume 3 tenants. An override is\nwritten that keeps them paused.",
    );
    expect(stdout).toContain("git add Pulumi.production.yaml && git commit -m 'Pause tenants: INC-42'");
    const after = await incident.read(production);
    expect(overridesIn(after)).toEqual([{ paused: true, reason: "INC-42", integration: "billing" }]);
    expect(before.split("\n").every((line) => after.split("\n").includes(line))).toBe(true);
    expect(await validated(incident)).toMatch(/^0 /);

    const again = await incident.run(...pauseBilling, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ stacks: [{ file: production, outcome: "unchanged", edits: [] }] });
    expect(await incident.read(production)).toBe(after);

    const resumed = await incident.run("resume");
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("git add Pulumi.production.yaml && git commit -m 'Resume tenants: INC-42'");
    expect(await incident.read(production)).toBe(before);
  });

  test("get an override of the tenants by name, if others of the integration run or do not declare `paused`", async () => {
    await using incident = await openIncident();
    const text = stackFile(incident.emulator.url, declared);
    await incident.write(production, text);
    await incident.write(
      "Pulumi.silent.yaml",
      text.replace("dune-renamed", "dune").replace("adopt: 4\n      paused: false", ""),
    );
    const { code } = await incident.run(
      ...pauseBilling,
      "--where",
      'name != "dune"',
      "--until",
      "2099-01-01T00:00:00Z",
    );
    expect(code).toBe(0);
    const override = {
      paused: true,
      reason: "INC-42",
      until: "2099-01-01T00:00:00Z",
      integration: "billing",
      tenants: ["acme", "bluebird"],
    };
    expect(overridesIn(await incident.read(production))).toEqual([override]);
    expect(overridesIn(await incident.read("Pulumi.silent.yaml"))).toEqual([override]);
    expect(await validated(incident)).toMatch(/^0 /);

    await incident.run(...pauseBilling);
    expect(overridesIn(await incident.read(production))).toEqual([
      { paused: true, reason: "INC-42", until: "2099-01-01T00:00:00Z", integration: "billing" },
    ]);
    expect(overridesIn(await incident.read("Pulumi.silent.yaml"))).toEqual([override]);

    await incident.run("resume", "--where", 'name == "acme"');
    expect(overridesIn(await incident.read(production))).toMatchObject([{ tenants: ["bluebird", "dune-renamed"] }]);
    await incident.run("resume");
    expect(await incident.read(production)).toBe(text);
  });

  test("keep other overrides with their comments, and one of the same reason is extended", async () => {
    await using incident = await openIncident();
    const overrides = `  integration-platform:overrides:
    # somebody's
    - { paused: true, reason: INC-41, tenants: [acme] } # odd
    - paused: true
      reason: INC-42
      integration: billing
      # found first
      tenants: [bluebird]
  # about the tenants
  integration-platform:tenants:`;
    const before = stackFile(incident.emulator.url, declared).replace("  integration-platform:tenants:", overrides);
    await incident.write(production, before);
    const { stdout } = await incident.run(...pauseBilling);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("its next `up` would resume 1 tenant. An override is written");
    const after = await incident.read(production);
    expect(overridesIn(after)).toEqual([
      { paused: true, reason: "INC-41", tenants: ["acme"] },
      { paused: true, reason: "INC-42", integration: "billing", tenants: ["bluebird", "acme", "dune-renamed"] },
    ]);
    for (const comment of ["# somebody's", "# odd", "# found first", "# about the tenants"]) {
      expect(after.split(comment)).toHaveLength(2);
    }
    const resumed = await incident.run("resume");
    expect(resumed.code).toBe(1);
    expect(resumed.stdout.replaceAll(/\s+/g, " ")).toContain(
      "acme (1, billing): stays paused, because the override INC-41 in Pulumi.production.yaml pauses it. " +
        "End INC-41 (`resume --note FILE`, or remove that override), then run this command again.",
    );
    expect(resumed.stdout).not.toContain("to retry");
    expect(resumed.stdout.replaceAll(/\s+/g, " ")).toContain("Another override in it would pause 1 tenant again");
    expect(overridesIn(await incident.read(production))).toEqual(overridesIn(before));
    await incident.write(production, (await incident.read(production)).replace(/.*INC-41.*\n/, ""));
    const completed = await incident.run("resume");
    expect(completed.code).toBe(0);
    expect(overridesIn(await incident.read(production))).toEqual(Object(overridesIn(before)).slice(1));
  });

  test("keep the comments in a list of names that pause extends and resume shortens", async () => {
    await using incident = await openIncident();
    const overrides = `  integration-platform:overrides:
    - paused: true
      reason: INC-42
      integration: billing
      tenants:
        # do not resume before the customer has called
        - acme # VIP
  integration-platform:tenants:`;
    const before = stackFile(incident.emulator.url, declared).replace("  integration-platform:tenants:", overrides);
    await incident.write(production, before);
    await incident.run(...pauseBilling, "--where", 'name == "bluebird"');
    expect(overridesIn(await incident.read(production))).toMatchObject([{ tenants: ["acme", "bluebird"] }]);
    await incident.run("resume");
    expect(await incident.read(production)).toBe(before);
  });

  test.each([
    ["names", "      tenants:\n        - fjord\n        # - grove\n"],
    ["an override", "      integration: shop\n      # until the customer has called\n"],
    ["the list", "      integration: shop\n    # - reason: CHG-2\n"],
  ])("keep a comment at the end of %s", async (_, end) => {
    await using incident = await openIncident();
    const overrides = `  integration-platform:overrides:\n    - paused: true\n      reason: CHG-1\n${end}`;
    const before = stackFile(incident.emulator.url, declared).replace(
      /(?= {2}integration-platform:tenants:)/,
      overrides,
    );
    await incident.write(production, before);
    await incident.succeed(...pauseBilling);
    const after = await incident.read(production);
    expect(overridesIn(after)).toHaveLength(2);
    expect(after.split("\n")).toEqual(expect.arrayContaining(before.split("\n")));
    await incident.succeed("resume");
    expect(await incident.read(production)).toBe(before);
  });

  describe("of two incidents", () => {
    const onlyAcme = ["--where", 'name == "acme"'];
    const second = ["pause", "--integration", "billing", ...onlyAcme, "--reason", "INC-43"];

    test.each([
      ["stays paused", false],
      ["runs again", true],
    ])("stay covered until both have ended, if a tenant of both %s before the second", async (_, runsAgain) => {
      await using incident = await openIncident();
      await incident.write(production, stackFile(incident.emulator.url, declared));
      await incident.run(...pauseBilling);
      if (runsAgain) await incident.change(1, { paused: false });
      await incident.run(...second, "--note", "43.json");
      const ofSecond = { paused: true, reason: "INC-43", integration: "billing", tenants: ["acme"] };
      expect(overridesIn(await incident.read(production))).toEqual([
        { paused: true, reason: "INC-42", integration: "billing" },
        ofSecond,
      ]);
      const first = await incident.run("resume");
      expect(first).toMatchObject({ code: 0, stdout: expect.not.stringContaining("again") });
      expect(first.stdout).toContain(`git add ${production} && git commit`);
      expect(first.stdout.replaceAll(/\s+/g, " ")).toContain(
        "43.json, which has changed: if it is committed, commit the",
      );
      expect(await incident.running()).toEqual(["bluebird", "dune", "fjord"]);
      expect(overridesIn(await incident.read(production))).toEqual([ofSecond]);
      await incident.succeed("resume", "--note", "43.json");
      expect(await incident.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
      expect(await incident.read(production)).toBe(stackFile(incident.emulator.url, declared));
    });

    test("are named if their next `up` would resume a tenant that a resume leaves to an incident without an override", async () => {
      await using incident = await openIncident();
      await incident.write(production, stackFile(incident.emulator.url, declared));
      await incident.run(...pauseBilling);
      await incident.run(...second, "--note", "43.json", "--no-override");
      for (const more of [["--dry-run"], []]) {
        const { code, stdout } = await incident.run("resume", ...more);
        expect(code).toBe(1);
        expect(stdout.replaceAll(/\s+/g, " ")).toContain(
          "The next `up` would resume acme: run the `pause` of INC-43 again.",
        );
      }
      await incident.succeed(...second, "--note", "43.json");
      expect(overridesIn(await incident.read(production))).toMatchObject([{ reason: "INC-43", tenants: ["acme"] }]);
      await incident.succeed("resume", "--note", "43.json");
      expect(await incident.read(production)).toBe(stackFile(incident.emulator.url, declared));
    });

    test("do not block each other if their notes are in two folders", async () => {
      await using incident = await openIncident();
      await incident.write(production, stackFile(incident.emulator.url, declared));
      await mkdir(join(incident.folder, "notes"));
      const elsewhere = ["--note", join("notes", "43.json")];
      await incident.run(...pauseBilling, ...onlyAcme);
      await incident.change(1, { paused: false });
      await incident.run(...second, ...elsewhere);
      const waiting = await incident.run("resume");
      expect(waiting.code).toBe(1);
      expect(waiting.stdout.replaceAll(/\s+/g, " ")).toContain("End INC-43 (`resume --note FILE`, or");
      expect(overridesIn(await incident.read(production))).toMatchObject([{ reason: "INC-43" }]);
      expect(await incident.running()).not.toContain("acme");
      await incident.succeed("resume", ...elsewhere);
      await incident.succeed("resume");
      expect(await incident.running()).toContain("acme");
      expect(await incident.read(production)).toBe(stackFile(incident.emulator.url, declared));
    });
  });

  test.each([
    ["that is declared as paused", "acme: { integration: billing, paused: true }", [1]],
    ["of which there are two of its name", "acme: { integration: billing, paused: false }", [1, 6]],
  ])("hold a tenant of another incident %s", async (_, tenant, ids) => {
    const live = (name: string) => (id: number) => ({ id, name, integration: "billing", paused: false });
    await using incident = await openIncident([...ids.map(live("acme")), live("bluebird")(2)]);
    const override = "  integration-platform:overrides: [{ paused: true, reason: INC-41, tenants: [acme] }]\n";
    await incident.write(production, stackFile(incident.emulator.url, `    ${tenant}`) + override);
    await incident.run(...pauseBilling);
    expect(await incident.running()).toEqual([]);
    await incident.run("resume");
    expect(await incident.running()).toEqual(["bluebird"]);
  });

  test("do not hold a tenant that was archived meanwhile", async () => {
    await using incident = await openIncident();
    await incident.write(production, stackFile(incident.emulator.url, declared));
    const acme = ["--where", 'name == "acme"'];
    await incident.run(...pauseBilling, ...acme);
    await incident.run("pause", "--integration", "billing", ...acme, "--reason", "INC-43", "--note", "43.json");
    await incident.change(1, { archived: true });
    await incident.succeed("resume");
  });

  test("hold nobody if their platform is not known", async () => {
    await using incident = await openIncident();
    const text = stackFile(incident.emulator.url, declared);
    await incident.write(production, text);
    const other = "  integration-platform:overrides: [{ paused: true, reason: maintenance, tenants: [acme] }]\n";
    await incident.write("Pulumi.sandbox.yaml", text.replace(/.*baseUrl.*\n/, "") + other);
    await incident.run(...pauseBilling, "--where", 'name == "acme"');
    expect((await incident.run("resume")).stdout).not.toContain("maintenance");
    expect(await incident.running()).toContain("acme");
  });

  test("are extended by a second pause, whatever is declared first", async () => {
    await using incident = await openIncident();
    await incident.write(production, stackFile(incident.emulator.url, declared));
    for (const name of ["bluebird", "acme"]) {
      await incident.succeed(...pauseBilling, "--where", `name == "${name}"`);
    }
    expect(overridesIn(await incident.read(production))).toMatchObject([{ tenants: ["acme", "bluebird"] }]);
  });

  test.each([
    ["Pulumi.yaml", "config:\n  integration-platform:overrides: { value: [{ paused: true, reason: CHG-1 }] }\n", ""],
    ["an environment of Pulumi ESC", "", "environment: [prod]\n"],
  ])("keep an empty list that hides the overrides of %s", async (_, ofProject, ofStack) => {
    await using incident = await openIncident();
    await incident.write("Pulumi.yaml", `name: shop\nruntime: nodejs\n${ofProject}`);
    const file = `${ofStack}${stackFile(incident.emulator.url, declared)}  integration-platform:overrides: []\n`;
    await incident.write(production, file);
    await incident.succeed(...pauseBilling);
    await incident.succeed("resume");
    expect(await incident.read(production)).toBe(file);
  });

  test.each(['"2098-01-01T00:00:00Z"', "2098-01-01T00:00:00Z"])(
    "keep the comment of an `until` that pause changes and resume restores: %s",
    async (until) => {
      await using incident = await openIncident();
      const override = `    - paused: true
      reason: INC-42
      until: ${until} # agreed with the customer
      integration: billing
      tenants:
        - acme
`;
      const text = stackFile(incident.emulator.url, declared);
      const before = `${text.trimEnd()}\n  integration-platform:overrides:\n${override}`;
      await incident.write(production, before);
      const later = "2099-01-01T00:00:00Z";
      await incident.succeed(...pauseBilling, "--where", "id == 2", "--until", later);
      expect(overridesIn(await incident.read(production))).toMatchObject([{ until: later }]);
      await incident.succeed("resume");
      expect(await incident.read(production)).toBe(before);
    },
  );

  test("get an override that names a tenant by its key if others have its name", async () => {
    const twins = [1, 6].map((id) => ({ id, integration: "billing", name: "acme", paused: false }));
    await using incident = await openIncident([
      ...twins,
      { id: 2, integration: "billing", name: "bluebird", paused: false },
    ]);
    const tenants = `    acme-1: { integration: billing, name: acme, adopt: 1, paused: false }
    acme-6: { integration: billing, name: acme, adopt: 6, paused: false }
    bluebird: { integration: billing, paused: false }`;
    await incident.write(production, stackFile(incident.emulator.url, tenants));
    const only = (where: string) => incident.run(...pauseBilling, "--where", where);
    expect(await only("id == 1")).toMatchObject({ code: 0 });
    expect(overridesIn(await incident.read(production))).toMatchObject([{ tenants: ["acme-1"] }]);
    await incident.run("resume");

    const named = `    acme: { integration: billing, name: acme, adopt: 1, paused: false }
    bluebird: { integration: billing, name: acme, adopt: 6, paused: false }`;
    await incident.write(production, stackFile(incident.emulator.url, named));
    const { code, stdout } = await only("id == 1");
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("No override can name acme without pausing others");

    const other = `  integration-platform:overrides: [{ paused: true, reason: CHG-7, until: "2099-01-01T00:00:00Z" }]\n`;
    await incident.write(production, stackFile(incident.emulator.url, named) + other);
    const covered = await only("id == 1");
    expect(covered.code).toBe(1);
    expect(covered.stdout).toContain("No override can name acme without pausing others");
  });

  test("keep an override that covers a tenant that no other override can name, if another tenant is resumed", async () => {
    const named = (id: number, name: string) => ({ id, integration: "billing", name, paused: false });
    await using incident = await openIncident([named(1, "acme"), named(2, "acme-us")]);
    const text = `config:
  integration-platform:baseUrl: ${incident.emulator.url}
  integration-platform:fleets:
    eu: { integration: billing, defaults: { paused: false }, tenants: { acme: {} } }
    us: { integration: billing, defaults: { paused: false }, tenants: { acme: { name: acme-us } } }
`;
    await incident.write(production, text);
    await incident.run(...pauseBilling);
    const partly = ["resume", "--where", 'name == "acme-us"'];
    const override = { paused: true, reason: "INC-42", integration: "billing" };
    for (const more of [["--dry-run"], []]) {
      const { code, stdout } = await incident.run(...partly, ...more);
      expect(code).toBe(1);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(
        "No override can name acme without pausing others. Give this entry another key, and keep its name: " +
          "`acme-eu: { name: acme, aliases: [acme] }`. Then run the same command again. So its override stays,",
      );
      expect(overridesIn(await incident.read(production))).toEqual([override]);
    }
    expect(await incident.running()).toEqual(["acme-us"]);

    const rename = (file: string) => file.replace("{ acme: {} }", "{ acme-eu: { name: acme, aliases: [acme] } }");
    const renamed = rename(text);
    await incident.write(production, rename(await incident.read(production)));
    await incident.succeed(...partly);
    expect(overridesIn(await incident.read(production))).toEqual([{ ...override, tenants: ["acme-eu"] }]);
    await incident.succeed("resume");
    expect(await incident.read(production)).toBe(renamed);
  });

  describe("with a tenant that no override can name", () => {
    const live = (id: number, name: string, integration = "billing") => ({ id, name, integration, paused: false });
    const fleets = (baseUrl: string) => `config:
  integration-platform:baseUrl: ${baseUrl}
  integration-platform:tenants: { fjord: { integration: shop, paused: false } }
  integration-platform:fleets:
    eu: { integration: billing, defaults: { paused: false }, tenants: { acme: {}, dune: {} } }
    us: { integration: billing, defaults: { paused: false }, tenants: { acme: { name: acme-us } } }
`;
    const tenants = [live(1, "acme"), live(2, "acme-us"), live(4, "dune"), live(5, "fjord", "shop")];

    test("let resume succeed for tenants that the override which stays does not cover", async () => {
      await using incident = await openIncident(tenants);
      await incident.write(production, fleets(incident.emulator.url));
      await incident.run("pause", "--integration", "all", "--reason", "INC-42");
      expect(await incident.run("resume", "--where", 'name == "acme-us"')).toMatchObject({ code: 1 });
      const { code, stdout } = await incident.run("resume", "--integration", "shop", "--json");
      expect({ code, stacks: JSON.parse(stdout).stacks }).toMatchObject({ code: 0, stacks: [{ unnamed: [] }] });
    });

    test("let resume succeed for another tenant if no override could be written", async () => {
      await using incident = await openIncident(tenants);
      await incident.write(production, fleets(incident.emulator.url));
      const paused = await incident.run(...pauseBilling, "--where", 'name == "acme"', "--json");
      expect({ code: paused.code, ...JSON.parse(paused.stdout) }).toMatchObject({
        code: 1,
        stacks: [{ unnamed: ["acme"] }],
      });
      await incident.run(...pauseBilling, "--where", 'name == "dune"');
      await incident.succeed("resume", "--where", 'name == "dune"');
    });

    test("let resume succeed if the time of the override that stays has passed", async () => {
      await using incident = await openIncident(tenants);
      await incident.write(production, fleets(incident.emulator.url));
      const until = "2099-01-01T00:00:00Z";
      await incident.run(...pauseBilling, "--until", until);
      for (const file of [production, "integration-platform-pause.json"]) {
        await incident.write(file, (await incident.read(file)).replaceAll(until, "2020-01-01T00:00:00Z"));
      }
      const { code, stdout } = await incident.run("resume", "--where", 'name == "acme-us"');
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("again") });
      expect(stdout).toContain(`${production}: Its override stays.\n`);
    });
  });

  test("are found in fleets and their files, and those of another platform are left", async () => {
    await using incident = await openIncident();
    const fleets = `config:
  integration-platform:baseUrl: ${incident.emulator.url}
  integration-platform:fleets:
    all:
      integration: billing
      defaults: { paused: false }
      tenants: { cedar: {} }
      tenantsFrom: tenants.yaml
`;
    await incident.write(production, fleets);
    await incident.write("Pulumi.sandbox.yaml", fleets.replace(incident.emulator.url, "https://sandbox.example.com"));
    await incident.write("tenants.yaml", "acme: {}\nbluebird: {}\ndune: {}\n");
    const { stdout, code } = await incident.run(...pauseBilling);
    expect(code).toBe(0);
    // cedar was paused before, and its stack declares that it runs
    expect(stdout).toContain("its next `up` would resume 4 tenants");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Pulumi.sandbox.yaml declares 4 such tenants of another platform, https://sandbox.example.com: the file is not changed.",
    );
    expect(overridesIn(await incident.read(production))).toEqual([
      { paused: true, reason: "INC-42", integration: "billing" },
    ]);
    expect(overridesIn(await incident.read("Pulumi.sandbox.yaml"))).toBeUndefined();
    await incident.succeed("validate", production, "--online");
  });

  test("are named as not fully known, if parts are encrypted or wrong", async () => {
    await using incident = await openIncident();
    const secure = "{ secure: v1:VjJk/1V2MYThbVk9:imO+8GmBrO8fhDld3qjy/cRbzgLIHYQqLsGo }";
    await incident.write(
      production,
      stackFile(
        incident.emulator.url,
        `    hidden: { integration: billing, name: ${secure}, paused: false }\n${declared}`,
      ),
    );
    await incident.write("Pulumi.broken.yaml", "config:\n  a: {\n");
    const { stdout, code } = await incident.run(...pauseBilling, "--where", "id < 3");
    expect(code).toBe(0);
    const text = stdout.replaceAll(/\s+/g, " ");
    expect(text).toContain(
      "The command cannot fully evaluate this file: 1 tenant cannot be compared, because parts are encrypted.",
    );
    expect(text).toMatch(/Pulumi\.broken\.yaml: The command cannot fully evaluate this file: the file has problems/);
    expect(overridesIn(await incident.read(production))).toMatchObject([{ tenants: ["acme", "bluebird"] }]);
  });

  test("are shown with the YAML to add by hand, if none is to be written or the layout is unusual", async () => {
    await using incident = await openIncident();
    const before = stackFile(incident.emulator.url, declared);
    await incident.write(production, before);
    const shown = await incident.run(...pauseBilling, "--no-override");
    expect(shown.code).toBe(0);
    expect(await incident.read(production)).toBe(before);
    const lines = shown.stdout.split("\n");
    const yaml = lines
      .slice(lines.findIndex((line) => line.startsWith("  integration-platform:overrides:")))
      .join("\n");
    expect(parse(yaml)["integration-platform:overrides"]).toEqual([
      { paused: true, reason: "INC-42", integration: "billing" },
    ]);

    const address = `"integration-platform:baseUrl": "${incident.emulator.url}"`;
    const flow = `config: { ${address}, "integration-platform:tenants": { acme: { integration: billing, paused: false } } }\n`;
    await incident.write("Pulumi.flow.yaml", flow);
    const failed = await incident.run(...pauseBilling);
    expect(failed.code).toBe(1);
    expect(failed.stdout.replaceAll(/\s+/g, " ")).toContain("because its `config` is not a block of keys. Add this");
    expect(await incident.read("Pulumi.flow.yaml")).toBe(flow);
    expect(overridesIn(await incident.read(production))).toHaveLength(1);
  });

  test.each([
    ["Windows line ends", (text: string) => text.replaceAll("\n", "\r\n")],
    ["a byte order mark", (text: string) => `\ufeff${text}`],
    ["no line end at its end", (text: string) => text.trimEnd()],
    ["overrides at its end", (text: string) => `${text.trimEnd()}\n  integration-platform:overrides: []`],
    [
      "a single override",
      (text: string) =>
        `${text}  integration-platform:overrides: { paused: true, reason: INC-1, tenants: [fjord] } # x\n`,
    ],
  ])("keep %s", async (_, form) => {
    await using incident = await openIncident();
    const before = form(stackFile(incident.emulator.url, declared));
    await incident.write(production, before);
    await incident.succeed(...pauseBilling);
    const after = await incident.read(production);
    expect(overridesIn(after)).toContainEqual({ paused: true, reason: "INC-42", integration: "billing" });
    expect(after.includes("\r\n")).toBe(before.includes("\r\n"));
    expect(after.replaceAll("\r\n", "").includes("\r")).toBe(false);
    expect(await validated(incident)).toMatch(/^0 /);
    await incident.succeed("resume");
    const { "integration-platform:overrides": left = [], ...config } = parse(await incident.read(production)).config;
    const { "integration-platform:overrides": first = [], ...others } = parse(before).config;
    expect([config, left].flat()).toEqual([others, first].flat());
  });

  test("are changed for tenants of two integrations, and for an id in place of a name", async () => {
    await using incident = await openIncident([
      ...someTenants,
      { id: 6, integration: "shop", name: "grove", paused: false },
    ]);
    const tenants = `    acme: { integration: 101, paused: false }\n    fjord: { integration: shop, paused: false }
    grove: { integration: shop, paused: false }`;
    await incident.write(production, stackFile(incident.emulator.url, tenants));
    await incident.run(
      "pause",
      "--integration",
      "all",
      "--reason",
      'A "quoted": reason\'s #1',
      "--where",
      'name != "grove"',
    );
    expect(overridesIn(await incident.read(production))).toEqual([
      { paused: true, reason: 'A "quoted": reason\'s #1', integration: 101 },
      { paused: true, reason: 'A "quoted": reason\'s #1', integration: "shop", tenants: ["fjord"] },
    ]);
    expect(await validated(incident)).toMatch(/^0 /);
  });
});

import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { openIncident } from "./incident-fixture.ts";

// What `resume` must not call done, and what it prints for somebody to paste.

const production = "Pulumi.production.yaml";
const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];
const encrypted = "{ secure: v1:VjJk/1V2MYThbVk9:imO+8GmBrO8fhDld3qjy/cRbzgLIHYQqLsGo }";
const stack = (baseUrl: string) => `config:
  integration-platform:baseUrl: ${baseUrl}
  integration-platform:tenants:
    acme: { integration: billing, paused: false }
    bluebird: { integration: billing, paused: false }
    dune: { integration: billing, paused: false }
`;
const withConflict = (text: string) =>
  `${text.replace("    dune:", "<<<<<<< HEAD\n    dune:")}=======\n    ember: {}\n>>>>>>> main\n`;
const withAddress = (address: string) => (text: string) => text.replace(/baseUrl: .*/, `baseUrl: ${address}`);

test.concurrent.each([
  ["has a merge conflict", withConflict],
  ["has another address", withAddress("https://other.example.com")],
  ["has an encrypted address", withAddress(encrypted)],
])("resume fails while its override is in a file that %s by now", async (_, change) => {
  await using incident = await openIncident();
  await incident.write(production, stack(incident.emulator.url));
  await incident.succeed(...pauseBilling);
  const paused = await incident.read(production);
  expect(parse(paused).config["integration-platform:overrides"]).toHaveLength(1);

  await incident.write(production, change(paused));
  const failed = await incident.run("resume");
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/Remove its override by\s+hand:/);
  expect(failed.stdout).toContain("reason: INC-42");
  expect(await incident.read(production)).toBe(change(paused));

  await incident.write(production, change(stack(incident.emulator.url))); // removed by hand
  const code = change === withConflict ? 1 : 0; // nobody can know what such a file has
  expect(await incident.run("resume")).toMatchObject({ code });
});

test.concurrent("resume removes its overrides from a file with a problem elsewhere, of which one was removed by hand", async () => {
  await using incident = await openIncident();
  const before = `${stack(incident.emulator.url)}    fjord: { integration: shop, paused: false }\n`;
  await incident.write(production, before);
  await incident.run("pause", "--integration", "all", "--reason", "INC-42");
  const paused = await incident.read(production);
  const one = paused.replace(/ *- paused: true[^\n]*\n *reason: INC-42\n *integration: shop\n/, "");
  expect(one).not.toBe(paused);
  await incident.write(production, one.replace("fjord: {", "fjord: { schedul: x,"));
  await incident.succeed("resume");
  expect(await incident.read(production)).toBe(before.replace("fjord: {", "fjord: { schedul: x,"));
});

test.concurrent.each([
  ["resumes", "a.json"],
  ["does not resume, as it was paused before", "b.json"],
])("resume fails if the next up would resume a tenant of another incident that it %s", async (_, note) => {
  await using incident = await openIncident();
  await incident.write(production, stack(incident.emulator.url));
  const pause = ["pause", "--integration", "billing", "--where", 'name == "acme"'];
  const none = (one: string) => (one === note ? [] : ["--no-override"]);
  await incident.run(...pause, "--reason", "A", "--note", "a.json", ...none("a.json"));
  await incident.run(...pause, "--reason", "B", "--note", "b.json", ...none("b.json"));
  const { code, stdout } = await incident.run("resume", "--note", note);
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `would resume acme: run the \`pause\` of ${note === "a.json" ? "B" : "A"} again`,
  );
});

test.concurrent("the commit command of resume has no notes, which git may ignore", async () => {
  await using incident = await openIncident();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: incident.folder, encoding: "utf8" });
  await incident.write(production, stack(incident.emulator.url));
  await incident.write(".gitignore", "*.note.json*\n");
  git("init", "-q");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  git("add", ".");
  git("commit", "-qm", "first");
  const pause = ["pause", "--integration", "billing"];
  await incident.run(...pause, "--reason", "INC-42", "--note", "42.note.json");
  const second = ["--where", 'name == "acme"', "--reason", "INC-43", "--note", "43.note.json", "--json"];
  const two = await incident.run(...pause, ...second);
  const paste = (command: string) => spawnSync("sh", ["-c", command], { cwd: incident.folder, encoding: "utf8" });
  expect(paste(JSON.parse(two.stdout).commit)).toMatchObject({ status: 0 });
  const { stdout, code } = await incident.run("resume", "--note", "42.note.json", "--json");
  expect(code).toBe(0);
  expect(paste(JSON.parse(stdout).commit)).toMatchObject({ status: 0 });
});

test.concurrent.each(["Acme, Inc.", "Shop #1", "1001", "Acme: EU", "plain"])(
  "the entry that pause prints has the name %s",
  async (name) => {
    const live = (id: number, one: string) => ({ id, integration: "billing", name: one, paused: false });
    await using incident = await openIncident([live(1, name), live(2, "acme-us"), live(3, "x")]);
    await incident.write(
      production,
      `config:
  integration-platform:baseUrl: ${incident.emulator.url}
  integration-platform:fleets:
    eu: { integration: billing, defaults: { paused: false }, tenants: { acme: { name: "${name}" } } }
    us: { integration: billing, defaults: { paused: false }, tenants: { acme: { name: acme-us }, "${name}": { name: x } } }
`,
    );
    const { stdout } = await incident.run(...pauseBilling, "--where", "id == 1");
    const entry = /`([^`]*aliases[^`]*)`/.exec(stdout.replaceAll(/\s+/g, " "))?.[1] ?? "";
    expect(parse(entry)).toEqual({ "acme-eu": { name, aliases: ["acme"] } });
  },
);

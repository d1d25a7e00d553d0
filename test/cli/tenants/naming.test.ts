import { expect, onTestFinished, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

// How a command line names tenants and integrations, and what it means if that is nobody.

const crm = { name: "crm", isGlobal: false };

async function openPlatform(): Promise<Emulator> {
  const emulator = await createEmulator({
    seed: {
      integrations: [
        { id: 101, name: "billing", connectors: [crm], releases: [{ id: 11, name: "one", tag: "v1" }] },
        { id: 102, name: "101", connectors: [crm], releases: [{ id: 12, name: "two", tag: "v1" }] },
        { id: 103, name: "legacy", releases: [{ id: 13, name: "three", tag: "v1" }] },
      ],
      tenants: [
        { id: 1, integration: "billing", name: "2", paused: false },
        { id: 2, integration: "billing", name: "acme", paused: false },
        { id: 3, integration: "101", name: "cedar", paused: false },
        { id: 4, integration: "legacy", name: "dune", paused: false },
      ],
    },
  });
  const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
  const body = '{"archived":true}';
  await fetch(`${emulator.url}/_emulator/integrations/103`, { method: "PATCH", headers, body });
  onTestFinished(() => emulator.close());
  for (const id of [1, 2, 3, 4]) {
    const connected = '{"status":"connected"}';
    await fetch(`${emulator.url}/_emulator/tenants/${id}/connectors/crm`, { method: "POST", headers, body: connected });
  }
  emulator.clearRequests();
  return emulator;
}

const syncsOf = (emulator: Emulator) =>
  emulator.requests().flatMap(({ method, path }) => (method === "POST" ? [path] : []));

test.each([["sync"], ["logs"]])(
  "`%s 2` is refused if one tenant has the id and another one the name",
  async (command) => {
    const emulator = await openPlatform();
    const { code, stdout, stderr } = await runCli(emulator, [command, "2"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('"2" is the id of one tenant and the name of another: acme (2), 2 (1)');
    expect(stderr).toContain("Write id:2 or name:2");
    expect(syncsOf(emulator)).toEqual([]);
  },
);

test.each([
  ["id:2", 2],
  ["name:2", 1],
  ["name:acme", 2],
  ["acme", 2],
  ["3", 3],
])("`sync %s` syncs tenant %d", async (named, id) => {
  const emulator = await openPlatform();
  expect(await runCli(emulator, ["sync", named, "--no-wait"])).toMatchObject({ code: 0 });
  expect(syncsOf(emulator)).toEqual([`/v2/tenants/${id}/sync`]);
});

test.each(["id:7", "name:bluebird", "7"])("`sync %s` says that there is no such tenant", async (named) => {
  const emulator = await openPlatform();
  const { code, stderr } = await runCli(emulator, ["sync", named]);
  expect(code).toBe(1);
  expect(stderr).toContain(`no live tenant with the name or id "${named}"`);
});

test("an id that does not exist is not the tenant without a name", async () => {
  const emulator = await openPlatform();
  const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
  await fetch(`${emulator.url}/_emulator/tenants/3`, { method: "PATCH", headers, body: '{"name":""}' });
  const { code, stderr } = await runCli(emulator, ["sync", "id:77777", "--no-wait"]);
  expect({ code, syncs: syncsOf(emulator) }).toEqual({ code: 1, syncs: [] });
  expect(stderr).toContain('there is no live tenant with the name or id "id:77777"');
});

test.each([
  ["status", "--integration", "101"],
  ["export", "--integration", "101"],
  ["check", "--integration", "101", "--release", "v1"],
  ["pause", "--integration", "101", "--reason", "INC-1", "--dry-run"],
])("`%s` refuses an integration that is an id and a name", async (...args) => {
  const emulator = await openPlatform();
  const { code, stderr } = await runCli(emulator, args);
  expect(code).toBe(1);
  expect(stderr).toContain('"101" is the id of one integration and the name of another: billing (101), 101 (102)');
});

test("an archived integration is found by its name, and said to be archived", async () => {
  const emulator = await openPlatform();
  const { code, stdout, stderr } = await runCli(emulator, ["status", "--integration", "legacy", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tenants: [{ name: "dune" }] });
  expect(stderr).toContain('integration "legacy" (103) is archived');
});

test.each([
  ["sync", "--integration", "billing", "--where", 'name == "nobody"'],
  ["pause", "--integration", "billing", "--where", 'name == "nobody"', "--reason", "INC-1"],
])("`%s` of nobody is an error", async (...args) => {
  const emulator = await openPlatform();
  const { code, stdout, stderr } = await runCli(emulator, args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/has no live tenant that matches --where: nothing was (synced|paused)/);
});

test("`status` of nobody shows that there is nobody", async () => {
  const emulator = await openPlatform();
  const { code, stdout } = await runCli(emulator, ["status", "--where", 'name == "nobody"', "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tenants: [] });
});

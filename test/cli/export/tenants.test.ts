import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

const secret = "plain-secret-7f3a";
const readable = {
  yes: "no",
  "1_000": 1,
  "line\nbreak # x": "a",
  "quote\"'": "b",
  "Ünï\u2028code 東京": "c\u0085d",
  "~": "",
  "=": [1, { "*": -0.5 }],
};
const hostile = { ...readable, "<<": 1, script: "\n#!/bin/sh\n", "one\n": [{ two: "\ta\nb" }] };

describe("export --as tenants", () => {
  let emulator: Emulator;
  const run = (...args: string[]) => runCli(emulator, ["export", ...args]);

  beforeAll(async () => {
    emulator = await createEmulator({
      seed: {
        integrations: [
          {
            name: "billing",
            releases: [
              {
                id: 11,
                name: "one",
                config_schema: {
                  properties: { pin: { type: "string", format: "password" }, key: { writeOnly: true } },
                },
              },
            ],
          },
          { name: "empty" },
        ],
        tenants: [
          {
            integration: "billing",
            name: "acme",
            user_schedule: "0 1 * * *",
            integration_release_id: 11,
            configs: { region: "eu", pin: secret, key: secret, login: { user: "u", password: secret }, none: null },
            metadata: { plan: "gold", api_key: secret },
          },
          {
            integration: "billing",
            name: "Twin",
            integration_release_channel: "Latest",
            configs: hostile,
            paused: false,
          },
          { integration: "billing", name: "Twin", integration_release_id: 999, configs: { secure: "a text" } },
          { integration: "billing", name: "Twin-5003\u2028", configs: { "x\u2028\nnew Evil() //": { secure: "" } } },
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  test("exports the tenants for which a condition holds", async () => {
    const all = ["--integration", "all", "--json"];
    const exported = JSON.parse((await run(...all, "--where", 'metadata.plan == "gold"')).stdout);
    expect(exported.map(({ key }: { key: string }) => key)).toEqual(["acme"]);
    const fleets = JSON.parse((await run(...all, "--as", "fleets", "--where", 'name != "acme"')).stdout);
    expect(fleets.map(({ tenants }: { tenants: unknown[] }) => tenants.length)).toEqual([3]);
    expect(await run(...all, "--where", "plan")).toMatchObject({ code: 64, stdout: "" });
  });

  test("writes the tenants as the YAML of a stack that takes each over by its id", async () => {
    const { code, stdout, stderr } = await run("--integration", "billing");
    expect(code).toBe(0);
    for (const path of ['["<<"]', ".script", '["one\\u000a"]']) {
      for (const text of [stdout, stderr]) {
        const line = text.split("\n").find((one) => one.includes(`configs${path} `));
        expect(line).toContain("cannot be held by a stack's file, which Pulumi reads otherwise");
      }
    }
    const { config } = parse(stdout);
    expect(config["integration-platform:tenantDefaults"]).toEqual({
      integration: "billing",
      schedule: "none",
      paused: true,
    });
    const { acme, ...others } = config["integration-platform:tenants"];
    expect(acme).toEqual({
      adopt: 5001,
      release: { id: 11 },
      schedule: "0 1 * * *",
      configs: { region: "eu", none: null },
      metadata: { plan: "gold" },
    });
    expect(others).toEqual({
      "Twin-5002": { name: "Twin", adopt: 5002, release: { channel: "Latest" }, paused: false, configs: readable },
      "Twin-5003": { name: "Twin", adopt: 5003 },
      "Twin-5003\u2028": { adopt: 5004 },
    });
  });

  test("leaves out what looks like a secret or cannot be declared, and names it in comments and on standard error", async () => {
    for (const format of ["yaml", "ts"]) {
      const { stdout, stderr } = await run("--integration", "all", "--format", format);
      expect(stdout + stderr).not.toContain(secret);
      for (const text of [stdout, stderr]) {
        expect(text).toMatch(/configs\.pin .*looks like a secret/);
        expect(text).toMatch(/configs\.key .*looks like a secret/);
        expect(text).toMatch(/configs\.login .*looks like a secret/);
        expect(text).toMatch(/metadata\.api_key .*looks like a secret/);
        expect(text).toMatch(/configs\.secure .*looks like a secret/); // as its release is unknown
        expect(text).toMatch(/configs\[.*new Evil.* cannot be declared/);
        expect(text).toMatch(/release .*no longer among the integration's releases/);
      }
    }
  });

  test("leaves out a number that a double cannot hold", async () => {
    const { status } = await fetch(`${emulator.url}/_emulator/tenants/5002`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"configs":{"exact":1.50,"list":[{"account":9007199254740993}],"huge":1e400}}',
    });
    expect(status).toBe(200);
    const { stdout, stderr } = await run("--integration", "all");
    expect(stdout).toContain("exact: 1.5\n");
    expect(stdout).not.toMatch(/account|900719|Infinity|\.inf|huge: /);
    for (const key of ["list", "huge"]) expect(stderr).toMatch(new RegExp(`configs\\.${key} .*cannot be declared`));
    emulator.reset();
  });

  test("recognizes secrets by their keys and by their forms, and keeps all other values, nulls included", async () => {
    const kept = { region: "eu", primary_key: "id", nothing: null, deep: { a: null, list: [null, { b: null }] } };
    const keys =
      "x-api-key db_pwd passcode access_key signing_key jwt bearer cookie authKey clientSecret sas connection_string";
    const secrets = Object.fromEntries(keys.split(" ").map((key, index) => [key, `hidden-${index}`]));
    const byForm = {
      notes: ["-----BEGIN PRIVATE KEY-----\nhidden"],
      upstream: { url: "https://ada:hidden@example.com" },
      sent: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJoaWRkZW4ifQ.hidden",
    };
    const names = { integrations: [{ name: "one" }] };
    const tenants = [
      { integration: "one", name: "acme", configs: { ...kept, ...secrets }, metadata: { ...kept, ...byForm } },
    ];
    const other = await createEmulator({ seed: { ...names, tenants } });
    const { stdout, stderr } = await runCli(other, ["export", "--integration", "one"]);
    await other.close();
    expect(stdout + stderr).not.toContain("hidden");
    const { acme } = parse(stdout).config["integration-platform:tenants"];
    expect(acme).toMatchObject({ configs: kept, metadata: kept });
    expect([Object.keys(acme.configs), Object.keys(acme.metadata)]).toEqual([Object.keys(kept), Object.keys(kept)]);
  });

  test("escapes line ends in keys, so that no key ends a comment", async () => {
    const { stdout } = await run("--integration", "all", "--format", "ts");
    expect(stdout).toContain("x\\u2028\\u000anew Evil() //");
    expect(stdout.split(/[\n\u2028\u2029\u0085]/).filter((line) => line.startsWith("new Evil"))).toEqual([]);
    const { stdout: yaml, stderr } = await run("--integration", "all");
    expect(yaml + stderr).not.toMatch(/[\u0085\u2028\u2029]/);
  });

  test("writes a TypeScript program", async () => {
    const { code, stdout } = await run("--integration", "billing", "--format", "ts");
    expect(code).toBe(0);
    expect(stdout).toContain('import { Tenant, type TenantArgs } from "pulumi-integration-platform";');
    expect(stdout.match(/^new Tenant\(/gm)).toHaveLength(4);
  });

  test("writes only JSON to standard output", async () => {
    const { code, stdout } = await run("--integration", "billing", "--json");
    expect(code).toBe(0);
    const tenants = JSON.parse(stdout);
    const leftOutOfAcme = [
      ...["configs.pin", "configs.key", "configs.login"].map((path) => ({ path, reason: "looks like a secret" })),
      { path: "metadata.api_key", reason: "looks like a secret" },
    ];
    expect(tenants).toHaveLength(4);
    expect(tenants.at(-1)).toMatchObject({
      key: "acme",
      entry: { adopt: 5001, configs: { region: "eu", none: null } },
      leftOut: leftOutOfAcme,
    });
  });

  test("writes an empty stack for an integration without tenants", async () => {
    const { code, stdout, stderr } = await run("--integration", "empty");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(parse(stdout)).toEqual({ config: { "integration-platform:tenants": {} } });
    expect((await run("--integration", "empty", "--json")).stdout).toBe("[]\n");
  });

  test("warns if the config is too large for the engine", async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      integration: "one",
      name: `tenant-${index}`,
      configs: { text: "x".repeat(600) },
    }));
    const big = await createEmulator({ seed: { integrations: [{ name: "one" }], tenants: many } });
    const { code, stderr } = await runCli(big, ["export", "--integration", "one"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/warning: the config has 1\d\d KiB, .*--as fleets --tenants-to FOLDER, or use --format ts/);
    expect((await runCli(big, ["export", "--integration", "one", "--format", "ts"])).stderr).toBe("");
    await big.close();
  });

  test("sends no request that could change the platform, and prints no colours", async () => {
    emulator.clearRequests();
    const { stdout, stderr } = await run("--integration", "all");
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
    expect(stdout + stderr).not.toContain("\u001b");
  });
});

import { expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { changedAnswers } from "../../changed-answers.ts";
import { stage } from "../stage.ts";

// On this platform reads show the same text in place of each pin, and nothing tells that text from a value.

async function showingTheSame(variants: Partial<Variants> = {}) {
  const platform = await changedAnswers((body) => body.replaceAll(/"pin":"[^"]*"/g, '"pin":"set by us"'));
  const password = { type: "string", format: "password" };
  const auth = { type: "object", properties: { user: { type: "string" }, pin: password } };
  const properties = { region: { type: "string" }, token: password, auth, accounts: { type: "array", items: auth } };
  const releases = [{ id: 2, name: "v1", config_schema: { properties } }];
  const seed = { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }] };
  const on = await stage({ seed, variants }, { baseUrl: platform.url });
  platform.target = on.emulator.url;
  return {
    on,
    [Symbol.asyncDispose]: async () => {
      await on[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

const base = { integration: "vault", name: "acme" };
const auth = { user: "ada", pin: "1234-5678" };
const bob = { ...auth, user: "bob" };

test.each([
  ["beside another key", { region: "eu", auth }, { region: "us", auth }],
  ["beside a part of its key", { region: "eu", auth }, { region: "eu", auth: bob }],
  ["beside a part of its key, and a secret that reads show", { token: "t0ken", auth }, { token: "t0ken", auth: bob }],
  ["in a list that grows", { accounts: [auth] }, { accounts: [auth, { user: "bob" }] }],
])("a secret that nobody changes needs no look, %s", async (_, before, now) => {
  await using at = await showingTheSame();
  const { id, state } = await at.on.operation().tenant.create({ ...base, configs: before });
  at.on.warnings.length = 0;
  const after = await at.on.operation().tenant.update(id, state, { ...base, configs: now });
  expect(after.configs).toEqual(now);
  expect(at.on.warnings.filter((one) => one.includes("reads show the same"))).toEqual([]);
});

test("a secret may change while another key is removed that needs null", async () => {
  await using at = await showingTheSame({ configs: "merge-patch" });
  const { id, state } = await at.on.operation().tenant.create({ ...base, configs: { region: "eu", auth } });
  const now = { auth: { pin: "8765-4321" } };
  const after = await at.on.operation().tenant.update(id, state, { ...base, configs: now });
  expect(after.configs).toEqual(now);
  expect((await at.on.tenant(id)).configs).toEqual(now);
});

import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSecretRegistry } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { respondJson, respondText, startServer } from "./scripted-server.ts";

const secret = "Gr\u00fcn/\"&'<b> =+\n\tlast";
const json = JSON.stringify(secret).slice(1, -1);

const encodings: [string, string][] = [
  ["unencoded", secret],
  ["as JSON", json],
  ["as JSON in ASCII", json.replaceAll("\u00fc", "\\u00fc")],
  ["encoded for a URL", encodeURIComponent(secret)],
  ["encoded for a URL in lower case", encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())],
  ["encoded as a form", new URLSearchParams({ a: secret }).toString().slice(2)],
];

describe("no error shows a registered secret", () => {
  const configs = { token: secret };
  const answers: [string, (text: string) => { status: number; body: unknown }][] = [
    ["a message", (text) => ({ status: 422, body: { message: `no: ${text}` } })],
    ["a detail", (text) => ({ status: 401, body: { detail: `no: ${text}.` } })],
    [
      "details",
      (text) => ({ status: 422, body: { detail: [{ loc: ["body", text], msg: `bad ${text}!`, type: "t" }] } }),
    ],
    ["other JSON", (text) => ({ status: 409, body: { request: { token: text } } })],
    ["a message that is cut", (text) => ({ status: 422, body: { message: `${"x".repeat(293)}${text}` } })],
  ];
  test.each(answers)("in %s, however it is encoded", async (_, answerOf) => {
    const told: string[] = [];
    for (const [, text] of encodings) {
      const secrets = createSecretRegistry();
      secrets.add({ configs });
      await using server = await startServer(
        (_request, response) => respondJson(response, answerOf(text).status, answerOf(text).body),
        { secrets },
      );
      told.push(inspect(await failureOf(server.client.tenants.create({ name: "acme", integration_id: 1, configs }))));
    }
    for (const [index, [, text]] of encodings.entries()) {
      for (const part of [text, text.replace(/\s+/g, " "), "Gr\u00fcn", "Gr%", "last"])
        expect(told[index]).not.toContain(part);
      expect(told[index]).toMatch(/\[secret\]|\[se|x{290}/);
    }
  });

  test("in a body that is plain text, and has a status other than 422", async () => {
    const secrets = createSecretRegistry();
    secrets.add("two words");
    await using server = await startServer((_, response) => respondText(response, 409, "not: two words"), { secrets });
    const error = await failureOf(server.client.tenants.update(7, { configs: { token: "two words" } }));
    expect(String(error)).toContain("not: [secret].");
  });
});

describe("a secret of fewer than 6 characters", () => {
  const secrets = createSecretRegistry();
  secrets.add({ pin: 1234, region: "eu", isOn: true, empty: "" });
  const refusal = { detail: [{ loc: ["body", "configs", "pin"], msg: "1234 is taken", input: 1234, type: "t" }] };

  test("withholds the message about a request with it, but not the field", async () => {
    await using server = await startServer((_, response) => respondJson(response, 422, refusal), { secrets });
    const error = await failureOf(server.client.tenants.update(7, { configs: { pin: 1234 } }));
    expect(inspect(error)).not.toContain("1234");
    expect(String(error)).toContain(
      "PATCH /v2/tenants/7: refused as invalid (status 422): configs.pin: the platform's message is withheld",
    );
  });

  test.each([
    ["a field that was not sent", { detail: [{ loc: ["body", "1234"], msg: "x", type: "t" }] }],
    ["another shape", { "1234": 1 }],
  ])("withholds %s", async (_, body) => {
    await using server = await startServer((_request, response) => respondJson(response, 422, body), { secrets });
    const error = await failureOf(server.client.tenants.update(7, { configs: { pin: 1234 } }));
    expect(inspect(error)).not.toContain("1234");
  });

  test("withholds the description of an invalid response", async () => {
    await using server = await startServer(
      (_, response) => respondText(response, 200, "<html><title>eu</title></html>"),
      {
        secrets,
      },
    );
    const error = await failureOf(server.client.tenants.update(7, { configs: { region: "eu" } }));
    expect(String(error)).not.toContain('"eu"');
  });

  test("withholds nothing about other requests", async () => {
    await using server = await startServer((_, response) => respondJson(response, 422, refusal), { secrets });
    const error = await failureOf(
      server.client.tenants.update(7, { configs: { region: "us", isOn: true, empty: "" } }),
    );
    expect(String(error)).toContain("1234 is taken");
  });
});

test("redacts ten thousand secrets in one pass over a long text", () => {
  const secrets = createSecretRegistry();
  const all = Array.from({ length: 10_000 }, (_, index) => `token-${index}-of-many`);
  secrets.add(all);
  const text = secrets.redact(all.map((one) => `tenant: ${one} is refused\n`).join(""));
  expect(text).toBe("tenant: [secret] is refused\n".repeat(10_000));
});

test("adds and redacts thousands of secrets with the same first characters without work that grows with their square", () => {
  const sort = vi.spyOn(Array.prototype, "sort");
  const startsWith = vi.spyOn(String.prototype, "startsWith");
  onTestFinished(() => void vi.restoreAllMocks());
  const secrets = createSecretRegistry();
  const all = Array.from({ length: 2000 }, (_, index) => `token-${index}-of-many`);
  for (const one of all) secrets.add(one);
  const text = secrets.redact(all.join(", "));
  const sorted = sort.mock.contexts.reduce<number>((sum, list) => sum + Object(list).length, 0);
  expect([sorted, startsWith.mock.calls.length].filter((steps) => steps > 100 * all.length)).toEqual([]);
  expect(text).toBe(all.map(() => "[secret]").join(", "));
});

test("redacts the longest of the secrets that begin at one place", () => {
  const secrets = createSecretRegistry();
  secrets.add(["token-1", "token-1-of-many", "token-1-of"]);
  expect(secrets.redact("token-1-of-many token-1-of-two token-1 token-")).toBe("[secret] [secret]-two [secret] token-");
});

test("what may be a secret is replaced only in what the platform says, and short values only where they are words", async () => {
  const secrets = createSecretRegistry();
  const configs = {
    token: "hunter2-of-acme",
    quoted: 'hunter2"of"acme',
    plan: "gold",
    region: "eu",
    batch: 1,
    isOn: true,
  };
  secrets.add("a-gold-token");
  secrets.addPossible(configs);
  const msg = 'hunter2-of-acme, hunter2\\"of\\"acme, "gold", goldfish, a-gold-token, 1 in eu must not be true';
  expect(secrets.redact(msg)).toBe(msg.replace("a-gold-token", "[secret]"));
  const refusal = { detail: [{ loc: ["body", "configs", "token"], msg, type: "t" }] };
  await using server = await startServer((_, response) => respondJson(response, 422, refusal), { secrets });
  const error = await failureOf(server.client.tenants.update(7, { configs }));
  expect(inspect(error)).not.toContain("hunter2");
  expect(String(error)).toContain(
    'configs.token: [secret], [secret], "[secret]", goldfish, [secret], 1 in eu must not be true',
  );
});

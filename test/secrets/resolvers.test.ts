import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openResolvers, projectFolder } from "../../src/secrets/open-resolvers.ts";
import type { SecretReference } from "../../src/secrets/reference.ts";
import { createSecretValues } from "../../src/secrets/secret-values.ts";
import { startVault } from "./vault-server.ts";

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "secrets-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** The secrets of an operation, and the values that it registers. */
function secretsOf({
  environment = {},
  directory = "/nowhere",
  modules = {},
  timeoutSeconds,
}: {
  environment?: NodeJS.ProcessEnv;
  directory?: string;
  modules?: Record<string, string>;
  timeoutSeconds?: number;
}) {
  const registered: unknown[] = [];
  const { resolve } = createSecretValues({
    resolvers: openResolvers({ environment, directory, modules, allowInsecureHttp: [] }),
    register: (value) => registered.push(value),
    signal: new AbortController().signal,
    timeoutSeconds,
  });
  return { registered, resolve: (ref: string, version?: SecretReference["version"]) => resolve({ ref, version }) };
}

test("env: is a variable of the process, and an empty one counts as missing", async () => {
  const { resolve, registered } = secretsOf({ environment: { ACME_TOKEN: "t0ken", EMPTY: "" } });
  expect(await resolve("env:ACME_TOKEN", 3)).toEqual({ value: "t0ken" });
  expect(registered).toEqual(["t0ken"]);
  expect(await resolve("env:EMPTY")).toEqual({
    problem: "the environment variable EMPTY is not set where Pulumi runs",
  });
  for (const name of ["OTHER", "constructor", "__proto__"]) {
    expect(await resolve(`env:${name}`)).toEqual({
      problem: `the environment variable ${name} is not set where Pulumi runs`,
    });
  }
});

test("file: is the text of a file relative to the project, without one line end", async () => {
  await using at = await folder();
  const { resolve } = secretsOf({ directory: at.path });
  await writeFile(join(at.path, "token"), "two\nlines\n\n");
  await writeFile(join(at.path, "large"), "x".repeat(64 * 1024 + 1));
  await writeFile(join(at.path, "binary"), Buffer.from("t\xf6ken", "latin1"));
  await writeFile(join(at.path, "utf-16"), Buffer.from("\uFEFFtoken", "utf16le"));
  await writeFile(join(at.path, "marked"), "\uFEFFtoken\n");
  await writeFile(join(at.path, "empty"), "\n");
  expect(await resolve("file:token")).toEqual({ value: "two\nlines\n" });
  expect(await resolve(`file:${join(at.path, "token")}`)).toEqual({ value: "two\nlines\n" });
  expect((await resolve("file:missing")).problem).toMatch(/there is no file missing; .*Pulumi\.yaml/);
  expect((await resolve("file:large")).problem).toMatch(/larger than 64 KiB/);
  expect((await resolve("file:binary")).problem).toBe("the file binary is not UTF-8: save the file as UTF-8");
  expect((await resolve("file:utf-16")).problem).toBe("the file utf-16 is UTF-16: save the file as UTF-8");
  expect(await resolve("file:marked")).toEqual({ value: "token" });
  expect((await resolve("file:empty")).problem).toBe("its value is empty");
  expect((await resolve("file:.")).problem).toMatch(/cannot be read \(EISDIR\)/);
});

test("vault: is a key of a secret in a KV version 2 engine, in the version that is declared", async () => {
  await using vault = await startVault();
  const { resolve } = secretsOf({ environment: { ...vault.environment, VAULT_NAMESPACE: "team" } });
  vault.put("customers/acme", { api_token: "first" });
  vault.put("customers/acme", { api_token: "second", port: 5432 });
  expect(await resolve("vault:secret/customers/acme#api_token")).toEqual({ value: "second" });
  expect(await resolve("vault:secret/customers/acme#api_token", 1)).toEqual({ value: "first" });
  expect(await resolve("vault:secret/customers/acme#port")).toEqual({ value: 5432 });
  vault.answer = (response) =>
    response.end('{"data":{"data":{"account":9007199254740993,"ids":[1,{"n":1e400}],"ok":12}}}');
  const rounded = (key: string) => ({ problem: `${key} has a number that would be rounded: store it as a string` });
  expect(await resolve("vault:secret/numbers#account")).toEqual(rounded("account"));
  expect(await resolve("vault:secret/numbers#ids")).toEqual(rounded("ids"));
  expect(await resolve("vault:secret/numbers#ok")).toEqual({ value: 12 });
  vault.answer = undefined;
  expect(await resolve("vault:secret/customers/acme#other")).toEqual({ problem: "it has no key other" });
  expect((await resolve("vault:secret/customers/acme#api_token", 3)).problem).toMatch(
    /answered 404.*not in this version/,
  );
  expect((await resolve("vault:secret#api_token")).problem).toMatch(/is like vault:MOUNT\/PATH#key/);
  expect((await resolve("vault:secret/customers/acme#api_token", "latest")).problem).toMatch(/whole number/);
  expect(vault.requests.map(({ line }) => line).slice(0, 2)).toEqual([
    "GET /v1/secret/data/customers/acme",
    "GET /v1/secret/data/customers/acme?version=1",
  ]);
  expect(vault.requests[0]?.headers["x-vault-namespace"]).toBe("team");
});

test.each([
  "secret/../../sys/mounts",
  "../sys/mounts",
  "secret/./acme",
  "secret/%2e%2e/acme",
  "secret/.%2E/acme",
  "secret/acme%2f..%2f..%2fsys",
  "secret/%252e%252e/acme",
  "secret/..\\..\\sys",
  "secret/acme%5C..",
  "secret/acme\uD83D",
])("vault: no path leaves its mount: %s", async (path) => {
  await using vault = await startVault();
  const { resolve } = secretsOf({ environment: vault.environment });
  expect((await resolve(`vault:${path}#key`)).problem).toMatch(/^no part of a vault: path is/);
  expect(vault.requests).toEqual([]);
});

test("vault: other characters of a path are encoded", async () => {
  await using vault = await startVault();
  const { resolve } = secretsOf({ environment: vault.environment });
  vault.put("a?b#c d/50%&\u00fc..x", { key: "s3cret" });
  expect(await resolve("vault:secret/a?b#c d/50%&\u00fc..x#key")).toEqual({ value: "s3cret" });
  expect(vault.requests.map(({ line }) => line)).toEqual(["GET /v1/secret/data/a%3Fb%23c%20d/50%25%26%C3%BC..x"]);
});

test("vault: an answer with bytes that are not UTF-8 has no value", async () => {
  await using vault = await startVault();
  vault.answer = (response) => response.end(Buffer.from('{"data":{"data":{"key":"t\xf6ken"}}}', "latin1"));
  const { resolve } = secretsOf({ environment: vault.environment });
  expect((await resolve("vault:secret/acme#key")).problem).toMatch(/has answered with bytes that are not UTF-8/);
});

test("aws-secretsmanager: the region of an ARN leads to no other host", async () => {
  const { resolve } = secretsOf({});
  for (const region of ["evil.example/", "x@evil.example#", "../..", ""]) {
    const { problem } = await resolve(`aws-secretsmanager:arn:aws:secretsmanager:${region}:1:secret:a#key`);
    expect(problem).toMatch(/^an ARN of a secret is like arn:aws:secretsmanager:REGION:/);
  }
});

test("vault: gives the token to no other host, and not over plain http to another machine", async () => {
  await using vault = await startVault();
  await using other = await startVault();
  vault.answer = (response) => response.writeHead(307, { location: `${other.url}/v1/secret/data/acme` }).end();
  const { resolve } = secretsOf({ environment: vault.environment });
  expect((await resolve("vault:secret/acme#key")).problem).toMatch(/answered 307 .*a redirect, which is not followed/);
  expect(other.requests).toEqual([]);
  const insecure = secretsOf({ environment: { VAULT_ADDR: "http://vault.example.com", VAULT_TOKEN: "t" } });
  expect((await insecure.resolve("vault:secret/acme#key")).problem).toMatch(
    /plain http to vault\.example\.com.*allowInsecureHttp/,
  );
});

test.each([
  [{ VAULT_TOKEN: "wrong" }, /answered 403 .*VAULT_TOKEN may not read it, or has expired/],
  [{ VAULT_TOKEN: "" }, /VAULT_TOKEN is not set/],
  [{ VAULT_ADDR: "" }, /VAULT_ADDR is not set/],
  [{ VAULT_ADDR: "http://127.0.0.1:1" }, /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/],
])("vault: says why there is no value: %j", async (environment, problem) => {
  await using vault = await startVault();
  const { resolve } = secretsOf({ environment: { ...vault.environment, ...environment } });
  expect((await resolve("vault:secret/acme#key")).problem).toMatch(problem);
});

test("a message of Vault's that is no JSON is not quoted", async () => {
  await using vault = await startVault();
  vault.answer = (response) => response.end("s3cret-page");
  const { resolve } = secretsOf({ environment: vault.environment });
  expect((await resolve("vault:secret/acme#key")).problem).toMatch(/has answered without data/);
});

test("a resolver that is down is given up after a few timeouts, and asked once for each reference", async () => {
  await using vault = await startVault();
  vault.answer = () => {};
  const { resolve } = secretsOf({ environment: vault.environment, timeoutSeconds: 0.3 });
  const refs = Array.from({ length: 40 }, (_, index) => `vault:secret/t${index}#key`);
  const problems = (await Promise.all([...refs, ...refs].map((ref) => resolve(ref)))).map(({ problem }) => problem);
  expect(problems.every((problem) => problem?.includes("not answered within 0.3 s"))).toBe(true);
  expect(vault.requests.length).toBeLessThanOrEqual(12);
});

test("an own resolver gets what follows the scheme, and the version", async () => {
  await using at = await folder();
  await writeFile(
    join(at.path, "op.mjs"),
    `let calls = 0;
     export const resolve = async (rest, { version, signal }) => {
       if (rest === "down") throw new Error("op: not signed in\\nsecond line");
       if (rest === "slow") await new Promise(() => {});
       if (rest === "nothing") return undefined;
       return rest + " " + version + " " + signal.aborted + " " + (calls += 1);
     };`,
  );
  await writeFile(join(at.path, "none.mjs"), "export const other = 1;");
  const modules = { op: "./op.mjs", none: "none.mjs", missing: "./missing.mjs" };
  const { resolve } = secretsOf({ directory: at.path, modules });
  const impatient = secretsOf({ directory: at.path, modules, timeoutSeconds: 0.3 });
  expect(await resolve("op:vault/item", "v2")).toEqual({ value: "vault/item v2 false 1" });
  expect(await resolve("op:vault/item", "v2")).toEqual({ value: "vault/item v2 false 1" });
  expect(await resolve("op:vault/item")).toEqual({ value: "vault/item undefined false 2" });
  expect(await resolve("op:down")).toEqual({ problem: "op: not signed in" });
  expect(await impatient.resolve("op:slow")).toEqual({ problem: "the resolver has not answered within 0.3 s" });
  expect(await resolve("op:nothing")).toEqual({ problem: "the resolver returned no JSON value" });
  expect((await resolve("none:x")).problem).toMatch(/none\.mjs does not export a function resolve/);
  expect((await resolve("missing:x")).problem).toMatch(/missing\.mjs cannot be loaded/);
  expect(await resolve("unknown:x")).toEqual({ problem: "no resolver has the scheme unknown:" });
});

test("relative paths begin at the folder of Pulumi.yaml, wherever the program is below it", async () => {
  await using at = await folder();
  await mkdir(join(at.path, "src/deep"), { recursive: true });
  await writeFile(join(at.path, "Pulumi.yaml"), "name: test");
  expect(projectFolder(join(at.path, "src/deep"))).toBe(at.path);
});

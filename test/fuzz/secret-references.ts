import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json/json-value.ts";
import { valueAt } from "../../src/json/key-path.ts";
import { schemeProblem } from "../../src/secrets/builtin.ts";
import { declaredObjectSchema } from "../../src/secrets/declared-object.ts";
import { openResolvers } from "../../src/secrets/open-resolvers.ts";
import { isDiffering } from "../../src/secrets/reference.ts";
import { valueInJson } from "../../src/secrets/resolvers/json-key.ts";
import { checkableForm, comparableForm, noSecrets, secretTable, sentForm } from "../../src/secrets/secret-table.ts";
import { createSecretValues, type Resolver } from "../../src/secrets/secret-values.ts";
import { escaped, referencesIn, withLiveForPlaceholders } from "../../src/secrets/walk.ts";
import { listen } from "../listen.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";

/** Whatever a config refers to, and whatever is found there: values, or reasons that tell no secret. */
export const secretReferences = fuzzProperty("references to secrets", 400, async () => {
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-fuzz-"));
  await writeFile(join(directory, "secret"), `${secret}\n`);
  await writeFile(join(directory, "binary"), Buffer.from([0xff, 0xfe, ...Buffer.from(secret)]));
  await writeFile(join(directory, "large"), secret.repeat(5000));
  let answer: VaultAnswer = { status: 404, body: "" };
  const vault = createServer((_, response) => answerWith(response, answer));
  const vaultUrl = await listen(vault);

  return {
    inputs: fc.record({ configs, answer: vaultAnswers, address: addresses(vaultUrl), own: resolvers, live: anyJson }),
    check: async ({ configs, answer: given, address, own, live }) => {
      answer = given;
      const environment = { SECRET: secret, EMPTY: "", VAULT_ADDR: address, VAULT_TOKEN: token };
      const opened = openResolvers({ environment, directory, modules: {}, allowInsecureHttp: [] });
      const { "aws-secretsmanager": _, ...local } = opened; // needs an account
      await resolveAll(configs, { ...local, op: async () => own }, live);
      expectEscaped(live);
      expectNoQuote(JSON.stringify(configs));
    },
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => vault.close(() => resolve()));
      await rm(directory, { recursive: true });
    },
  } satisfies Subject<Input>;
});

interface Input {
  readonly configs: JsonValue;
  readonly answer: VaultAnswer;
  readonly address: string;
  readonly own: Resolver;
  readonly live: JsonValue;
}

const secret = 's3cr"t/of+the fuzzer';
const token = "t0ken-of-the-fuzzer";

function expectNoSecret(message: string): void {
  const forms = [secret, token].flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]);
  for (const form of forms) assert.ok(!message.includes(form), `tells a secret: ${message}`);
}

/** Resolves all references, and makes every form of the configs. */
async function resolveAll(
  configs: JsonValue,
  opened: Readonly<Record<string, () => Promise<Resolver>>>,
  live: JsonValue,
): Promise<void> {
  const { data: declared, error } = declaredObjectSchema.safeParse(configs);
  for (const { message } of error?.issues ?? []) expectNoSecret(message);
  for (const { reference } of referencesIn(configs, [])) expectNoSecret(schemeProblem(reference, ["op"]) ?? "");
  if (declared === undefined) return;

  const registered: JsonValue[] = [];
  const { signal } = new AbortController();
  const register = (value: JsonValue) => void registered.push(value);
  const secretValues = createSecretValues({ resolvers: opened, register, signal, timeoutSeconds: 5 });
  const secrets = secretTable({ secretValues, warn: expectNoSecret }, { configs: declared });
  await secrets.load();
  let isWhole = true;
  for (const { reference, path } of referencesIn(declared, [])) {
    const { value, problem } = secrets.resolutionOf(reference);
    isWhole &&= problem === undefined || isDiffering(valueAt(declared, path), path); // which stays a placeholder
    if (problem === undefined) assert.ok(registered.includes(value), "a value that no message redacts");
    else expectNoSecret(problem);
  }
  if (isWhole) assert.equal(referencesIn(escaped(sentForm(secrets, declared), []), []).length, 0);
  else assert.throws(() => sentForm(secrets, declared), /^Error: the secret .* cannot be resolved: /s);
  expectNoSecret(JSON.stringify(comparableForm(declared, [])));
  comparableForm(declared, [], secrets);
  checkableForm(declared);
  withLiveForPlaceholders(declared, live, []);
}

/** What a read shows is declared as it is shown. */
function expectEscaped(live: JsonValue): void {
  if (!isJsonObject(live)) return;
  for (const object of [live, { live }]) {
    assert.equal(referencesIn(escaped(object, []), []).length, 0);
    assert.deepEqual(sentForm(noSecrets, escaped(object, [])), object);
  }
}

/** A key in a text that is no JSON, or has no such key, is a problem that does not quote the text. */
function expectNoQuote(text: string): void {
  for (const value of [secret, `${secret}${text}`, JSON.stringify({ [secret]: secret, text })]) {
    try {
      valueInJson(value, "a.b");
    } catch (error) {
      assert.ok(error instanceof Error);
      expectNoSecret(error.message);
    }
  }
}

const refs = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...["env:SECRET", "env:EMPTY", "env:NONE", "env:__proto__", "env:a b", "file:secret", "file:binary"],
      ...["file:large", "file:none", "file:.", "file:secret/x", "file:../../../../.."],
      ...["vault:kv/acme#token", "vault:kv/a/b#x.y"],
      ...["vault:kv", "vault:/#", "vault:kv//x#k", "vault:kv/%zz#k", "vault:kv/\ud800#k", "op:any", "toString:x"],
      ...["constructor:y", "ENV:SECRET", ":", "env:", "nothing", "aws-secretsmanager:acme#k"],
    ),
  },
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.tuple(fc.constantFrom("env", "file", "vault", "op"), fc.string({ unit: "binary", maxLength: 12 })).map(joined),
);

function joined([scheme, rest]: readonly [string, string]): string {
  return `${scheme}:${rest}`;
}

const versions = fc.oneof(fc.constantFrom<JsonValue>(1, "3", 0, -1, 1.5, "", "AWSCURRENT", 2 ** 53), anyJson);
const reference: fc.Arbitrary<JsonObject> = fc.oneof(
  refs.map((ref) => ({ ref })),
  fc.record({ ref: refs, version: versions }),
  refs.map((ref) => ({ ref, differs: true })),
  fc.record({ ref: refs, more: anyJson }),
  refs.map((ref) => ({ literal: { ref } })),
  refs.map((ref) => ({ literal: { literal: { ref } } })),
);
const configs: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom("a", "b", "c", "ref"), reference, { maxKeys: 3 }).map(plain) },
  { weight: 3, arbitrary: fc.array(reference, { maxLength: 3 }).map((list): JsonValue => ({ list, deep: { list } })) },
  { weight: 3, arbitrary: reference.chain((one) => mutated({ a: one, b: [one, { c: one }] })) },
  anyJson,
);

/** Without the prototype that fast-check gives some objects. */
function plain(object: JsonObject): JsonValue {
  return JSON.parse(JSON.stringify(object));
}

interface VaultAnswer {
  readonly status: number;
  readonly body: string;
}

const vaultAnswers: fc.Arbitrary<VaultAnswer> = fc.record({
  status: fc.constantFrom(200, 200, 200, 301, 403, 404, 500),
  body: fc.oneof(
    fc
      .oneof(anyJson, fc.constantFrom<JsonValue>(secret, { x: { y: secret } }, [secret]))
      .map((value) => JSON.stringify({ data: { data: { token: value, x: value } } })),
    anyJson.map((value) => JSON.stringify({ data: value })),
    fc.constantFrom(secret, `{"data":{"data":"${secret}`, "", "[".repeat(10_000)),
    fc.constant(`{"errors":[${JSON.stringify(secret)}]}`),
  ),
});

function answerWith(response: ServerResponse, { status, body }: VaultAnswer): void {
  response.writeHead(status, { "content-type": "application/json", location: "/elsewhere", connection: "close" });
  response.end(body);
}

function addresses(vaultUrl: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(vaultUrl, `${vaultUrl}/below/`, `${vaultUrl}?a=b#c`) },
    fc.constantFrom("", "x", "https://[", "http://192.0.2.1", "javascript:0", "http://127.0.0.1:1"),
  );
}

const cyclic: unknown[] = [];
cyclic.push(cyclic);

/** A module of a user, which may return and throw anything. */
const resolvers: fc.Arbitrary<Resolver> = fc.oneof(
  anyJson.map(
    (value): Resolver =>
      async () =>
        value,
  ),
  fc
    .constantFrom<unknown>(undefined, Number.NaN, () => secret, new Date(0), cyclic, new Map(), Symbol("s"), 1n)
    .map(
      (value): Resolver =>
        async () =>
          value,
    ),
  fc.constantFrom<unknown>(new Error("no such item"), "a text", undefined, null, {}).map(
    (thrown): Resolver =>
      async () => {
        throw thrown;
      },
  ),
);

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { ApiError, createClient } from "../../src/api/index.ts";
import type { JsonValue } from "../../src/json/json-value.ts";
import { listen } from "../listen.ts";
import { documented, documentedErrors, namesOf, operations } from "./client-operations.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty } from "./property.ts";

/** Whatever a server answers, each operation of the client ends in a value or an `ApiError`. */
export const clientAnswers = fuzzProperty("answers to the client", 1000, async () => {
  const server = await startServer();
  const newClient = () =>
    createClient({
      baseUrl: server.url,
      apiKey: "k3y",
      maxAttempts: 2,
      backoffSeconds: { first: 0, max: 0 },
      maxRetryAfterSeconds: 0,
      callTimeoutSeconds: 30,
      maxResponseBytes: 4 * 1024 * 1024,
    });
  const known = newClient();
  assert.deepEqual(namesOf(known).sort(), Object.keys(operations).sort(), "an operation of the client is left out");
  await known.close();

  return {
    inputs: fc.constantFrom(...Object.keys(operations)).chain((name) => fc.tuple(fc.constant(name), answersTo(name))),
    check: async ([name, answers]) => {
      server.answerWith(answers.map(bytesOf));
      // One of its own: a 429 makes a client slow down for the requests to come.
      const client = newClient();
      await operations[name]?.call(client).catch((error: unknown) => {
        assert.ok(error instanceof ApiError, `${String(error)} is no ApiError`);
        assert.ok(error.message.length < 40_000, "a message without measure");
        assert.doesNotMatch(error.message, /[\p{Cc}\u2028\u202e]/u, "a message that steers terminals");
      });
      await client.close();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** How long it says that the body is; "raw" sends the body alone, in place of HTTP. */
  readonly framing: "length" | "chunked" | "end" | "short" | "raw";
}

function answersTo(name: string): fc.Arbitrary<readonly Answer[]> {
  const { answers = [], isList = false } = operations[name] ?? {};
  const records = answers.flatMap(documented);
  const wholes: JsonValue[] = isList ? [[], records, ...records.map((record) => [record])] : records;
  const answer: fc.Arbitrary<Answer> = fc.record({
    status: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(200, 201, 202, 204) },
      { weight: 3, arbitrary: fc.constantFrom(302, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503) },
      fc.integer({ min: 0, max: 1100 }),
    ),
    headers: fc.array(header, { maxLength: 4 }),
    body: bodyNear(wholes),
    framing: fc.oneof(
      { weight: 12, arbitrary: fc.constant("length" as const) },
      fc.constantFrom("chunked" as const, "end" as const, "short" as const, "raw" as const),
    ),
  });
  return fc.array(answer, { minLength: 1, maxLength: 3 }).map((all) => (isLog(name) ? [...signed, ...all] : all));
}

function isLog(name: string): boolean {
  return name === "runs.getLog" || name === "runs.streamLog";
}

const signed: readonly Answer[] = [
  { status: 302, headers: [["location", "/signed?by=nobody"]], body: Buffer.from(""), framing: "length" },
];

const header: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.tuple(
    fc.constant("content-type"),
    fc.constantFrom("application/json", "text/html", "application/xml", "text/plain; charset=latin1", ";;;", ""),
  ),
  fc.tuple(fc.constant("content-encoding"), fc.constantFrom("gzip", "br", "deflate, gzip", "nonsense")),
  fc.tuple(
    fc.constantFrom("retry-after", "date"),
    fc.constantFrom("1", "999999999", "-1", "soon", "Sat, 21 Nov 2026 15:00:00 GMT", "Sat, 99 Nov 99999 99:99:99 GMT"),
  ),
  fc.tuple(
    fc.constant("location"),
    fc.constantFrom("/elsewhere", "http://127.0.0.1:1/x", "https://[", "//", "javascript:0", "http://a.invalid/", ""),
  ),
  fc.tuple(
    fc.constantFrom("x-any", "__proto__", "set-cookie", "connection", "transfer-encoding", "content-length", "x y"),
    fc.oneof(fc.string({ unit: "binary-ascii", maxLength: 20 }), fc.constant("x".repeat(20_000))),
  ),
);

/** Bodies like the documented ones, like documented errors, and unlike anything. */
function bodyNear(wholes: readonly JsonValue[]): fc.Arbitrary<Buffer> {
  const exact = fc.constantFrom(...wholes);
  const near = exact.chain(mutated);
  const errors = fc.constantFrom(...documentedErrors);
  const json = fc.oneof(exact, near, near, near, errors, errors.chain(mutated), anyJson).map((v) => JSON.stringify(v));
  const cutShort = fc.tuple(json, fc.nat(100)).map(([text, at]) => text.slice(0, at));
  const text = fc.oneof({ weight: 8, arbitrary: json }, cutShort, fc.string({ unit: "binary" }), special);
  const bytes = text.map((characters) => Buffer.from(characters));
  return fc.oneof(
    { weight: 10, arbitrary: bytes },
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    bytes.map((plain) => gzipSync(plain)),
  );
}

const sizes = fc.constantFrom(0, 1, 199, 201, 10_000, 100_000);
const special: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(sizes, fc.constantFrom("[", '{"a":', '[{"a":')).map(([size, open]) => nested(size, open)),
  fc
    .tuple(sizes, fc.constantFrom("1", "{}", "[]", "null", '"x"'))
    .map(([size, item]) => `[${Array.from({ length: size }, () => item).join()}]`),
  fc.tuple(sizes, fc.constantFrom(" ", "\n", "a ", "<", "<title>", "é", '"', "\\u0000")).map(([n, s]) => s.repeat(n)),
  fc.constantFrom("<html><title>Sign in</title>", '<?xml version="1.0"?><a/>', "\ufeff[]", "NaN", "-", '"\\ud800"'),
  sizes.map((size) => JSON.stringify({ detail: nested(size, "[") })),
  sizes.map((size) => JSON.stringify({ detail: Array.from({ length: size }, () => 1) })),
);

function nested(depth: number, open: string): string {
  const close = [...open].reverse().flatMap((sign) => (sign === "[" ? ["]"] : sign === "{" ? ["}"] : []));
  return `${open.repeat(depth)}1${close.join("").repeat(depth)}`;
}

function bytesOf({ status, headers, body, framing }: Answer): Buffer {
  if (framing === "raw") return body;
  const framed = framing === "chunked" ? Buffer.concat([chunk(body), chunk(Buffer.from(""))]) : body;
  const length = body.length + (framing === "short" ? 10 : 0);
  const frame = { length: [`content-length: ${length}`], short: [`content-length: ${length}`], end: [] };
  const lines = framing === "chunked" ? ["transfer-encoding: chunked"] : frame[framing];
  const all = [...headers.map(([name, value]) => `${name}: ${value}`), ...lines, "connection: close"];
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Any\r\n${all.join("\r\n")}\r\n\r\n`, "latin1"), framed]);
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

/** A server that says what it is told to, HTTP or not; the last of the answers again and again. */
async function startServer() {
  let answers: readonly Buffer[] = [];
  let count = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.end(answers[Math.min(count, answers.length - 1)] ?? Buffer.alloc(0));
      count += 1;
    });
    socket.resume();
  });
  return {
    url: await listen(server),
    answerWith: (next: readonly Buffer[]) => {
      answers = next;
      count = 0;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

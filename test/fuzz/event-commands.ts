import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommanderError } from "@commander-js/extra-typings";
import fc from "fast-check";
import { eventsCommand } from "../../src/cli/events/command.ts";
import type { JsonValue } from "../../src/json/json-value.ts";
import { recordStatuses } from "../../src/receiver/ledger/ledger.ts";
import { testShell } from "../cli/test-shell.ts";
import { listen } from "../listen.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";
import { ingestIds, openReceiverFile, type StoredEvent, storedEvents } from "./stored-events.ts";

/** Whatever is on the command line, in a ledger and in the responses of AWS: an exit code, and a message if it is not 0. */
export const eventCommands = fuzzProperty("commands about events", 250, async () => {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-fuzz-"));
  const file = join(folder, "receiver.sqlite");
  const receiver = openReceiverFile(file);
  await writeFile(join(folder, "text"), "no database");
  let answers: readonly string[] = [];
  const aws = createServer((request, response) => {
    const [answer = "{}", ...others] = answers;
    answers = others;
    const status = answer.startsWith("!") ? Number(answer.slice(1, 4)) : 200;
    request.resume();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", connection: "close" });
    response.end(status === 200 ? answer : answer.slice(4));
  });
  const restoreEnv = changeEnv({
    AWS_ENDPOINT_URL: await listen(aws),
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_MAX_ATTEMPTS: "1",
  });
  const named = { "{file}": file, "{text}": join(folder, "text"), "{none}": join(folder, "none") };
  for (const args of [...onAws, ["list", "--data", file]]) await run(args); // loads the commands, which takes long

  return {
    inputs: fc.record({
      args: fc.oneof({ weight: 3, arbitrary: localArgs }, awsArgs),
      events: fc.array(storedEvents, { maxLength: 5 }),
      responses: fc.array(awsResponses, { maxLength: 3 }),
    }),
    check: async ({ args, events, responses }) => {
      receiver.fill(events);
      answers = responses;
      const isNamed = (arg: string): arg is keyof typeof named => Object.hasOwn(named, arg);
      const given = args.map((arg) => (isNamed(arg) ? named[arg] : arg));
      expectEnd(given, await run(given));
    },
    [Symbol.asyncDispose]: async () => {
      restoreEnv();
      receiver[Symbol.dispose]();
      await new Promise<void>((resolve) => aws.close(() => resolve()));
      await rm(folder, { recursive: true });
    },
  } satisfies Subject<Input>;
});

interface Input {
  readonly args: readonly string[];
  readonly events: readonly StoredEvent[];
  /** Bodies of AWS's responses; `!400` and the like before one is its status. */
  readonly responses: readonly string[];
}

interface End {
  readonly code: number;
  /** Whether the command's own work has ended it, and not its command line. */
  readonly hasWorked: boolean;
  readonly printed: string;
}

/** Runs a command in this process. Rejects with what the command throws. */
async function run(args: readonly string[]): Promise<End> {
  const { shell, stdout, stderr } = testShell({ env: process.env });
  const ended = (code: number, hasWorked: boolean) => ({ code, hasWorked, printed: `${stdout()}${stderr()}` });
  try {
    await eventsCommand(shell).parseAsync(args, { from: "user" });
    return ended(shell.exitCode, true);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return ended(error.exitCode, false);
  }
}

function expectEnd([name = "", ...args]: readonly string[], { code, hasWorked, printed }: End): void {
  assert.ok(code === 0 || code === 1 || code === 64, `exit code ${code}`);
  if (code !== 0) assert.match(printed, /\S/, "a failure without a message");
  // what AWS's SDK makes of a response that AWS would not send is its own matter
  if (!args.includes("--ledger"))
    assert.doesNotMatch(printed, /Cannot read properties|is not a function|Maximum call stack/);
  if (!hasWorked || code !== 0) return;
  if (args.includes("--json") && (name === "list" || name === "show")) JSON.parse(printed);
  else if (name === "list") assert.doesNotMatch(printed, /[^\n\P{Cc}]/u, "a list that steers terminals");
}

/** Sets environment variables. Returns a function that restores them. */
function changeEnv(changes: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, changes);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

const onAws = [
  ["list", "--ledger", "ledger"],
  ["show", "--ledger", "ledger", "id-1"],
  ["replay", "--yes", "--ledger", "ledger", "--bus", "bus", "--since", "2h"],
] as const;

const times = fc.constantFrom(
  ...["2h", "3d", "999999w", "0s", "-1h", "2026-11-23", "2026-11-23T04:00Z", "2026-13-45", "9999-12-31T23:59-12:00"],
  ...["0000-01-01", "2026-11-23T04:00+99:99", "", "soon"],
);
const anyText = fc.string({ unit: "binary", maxLength: 10 });
const flags = fc.oneof(
  fc.tuple(fc.constantFrom("--since", "--until"), times),
  fc.tuple(
    fc.constant("--type"),
    fc.oneof(fc.constantFrom("run_failed", "unknown", "malformed", "run_faild", ""), anyText),
  ),
  fc.tuple(fc.constant("--tenant"), fc.constantFrom("5001", "0", "-1", "999999999999999", "9999999999999999", "x", "")),
  fc.constantFrom(["--json"], ["--dry-run"], ["--unpublished"], ["--help"], ["--"], ["--nonsense"]),
  fc.tuple(fc.constant("--data"), fc.constantFrom("{file}", "{text}", "{none}", "", ".")),
  fc.tuple(fc.constantFrom("--stack", "--cwd", "--ledger", "--bus"), anyText),
  fc.constantFrom(...ingestIds).map((id) => [id]),
  anyText.map((arg) => [arg]),
);

/** `--data` comes first: without it the command would run the Pulumi CLI. `--yes` because nobody answers. */
const localArgs: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("list", "show", "replay") },
      fc.constantFrom("help", "lst", "", "--help", "__proto__"),
    ),
    fc.array(flags, { maxLength: 4 }),
  )
  .map(([name, more]) => [name, ...(name === "replay" ? ["--yes"] : []), "--data", "{file}", ...more.flat()]);

/** Short periods, as the ledger on AWS is asked for each day. */
const awsArgs: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.constantFrom<readonly string[]>(...onAws),
    fc.array(
      fc.constantFrom(["--json"], ["--dry-run"], ["--type", "run_failed"], ["--tenant", "5001"], ["--until", "10m"]),
      { maxLength: 2 },
    ),
  )
  .map(([args, more]) => [...args, ...more.flat()]);

const item = {
  pk: { S: "event#id-1" },
  sk: { S: "record" },
  status: { S: recordStatuses[1] },
  receivedAt: { S: "2026-11-23T04:00:00.000Z" },
  sourceIp: { S: "192.0.2.7" },
  reconciled: { BOOL: false },
  kind: { S: "known" },
  eventType: { S: "run_failed" },
  tenantId: { N: "5001" },
  runId: { N: "77" },
  body: { S: '{"event_type":"run_failed"}' },
};
const { body: _, ...listed } = item;
const awsResponses: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom<JsonValue>(
        { Items: [listed, listed], LastEvaluatedKey: { pk: { S: "x" } } },
        { Item: item },
        { Item: { part: { B: "H4sIAAAAAAAAA6tWAgCtBm3xAgAAAA==" } } },
        { FailedEntryCount: 0, Entries: [{ EventId: "e" }] },
        { FailedEntryCount: 1, Entries: [{ ErrorCode: "InternalFailure" }] },
      )
      .chain((value) => fc.oneof(fc.constant(value), mutated(value)))
      .map((value) => JSON.stringify(value)),
  },
  fc.constant(JSON.stringify({ Item: { ...listed, bodyParts: { N: "2" } } })),
  anyJson.map((value) => JSON.stringify(value)),
  fc.constantFrom("", "{", "<html>", "!500", "!403{}"),
  fc.constant('!400{"__type":"ResourceNotFoundException","message":"no table"}'),
);

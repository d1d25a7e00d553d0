import { beforeAll, describe, expect, test } from "vitest";
import { savedQueries } from "../../../src/receiver/infrastructure/queries.ts";
import { createTenant } from "../../emulator/running-emulator.ts";
import { declareReceiver, startWatchedReceiver, type WatchedReceiver } from "../alarm-clock/watched-receiver.ts";
import { payload } from "../fixtures.ts";
import { startWithBaseline } from "../reconcile/test-platform.ts";

// CloudWatch Logs Insights finds nothing if a query names a field that no log entry has, and reports no error.

describe("the fields of the saved query", () => {
  let receiver: Awaited<ReturnType<typeof declareReceiver>>;

  beforeAll(async () => {
    receiver = await declareReceiver({});
  }, 60_000);

  test.each(Object.values(savedQueries))('"$title" are in the entries of its logs', async ({ logs, query }) => {
    const { logged } = await useEverything(startWatchedReceiver(receiver));
    const fields = query.flatMap(fieldsOf);
    expect(fields.length).toBeGreaterThan(0);
    const entries = logs.flatMap((part) => logged[part]);
    for (const field of fields)
      expect([field, entries.some((entry) => valueAt(entry, field) !== undefined)]).toEqual([field, true]);
    for (const message of query.flatMap((line) => /message = "(.*?)"/.exec(line)?.[1] ?? [])) {
      expect(entries.map((entry) => entry.message)).toContain(message);
    }
  });
});

test("each field of the example is found, and what is no field is not", () => {
  expect(fieldsOf("fields @timestamp, error.cause.name, message")).toEqual(["error.cause.name", "message"]);
  expect(fieldsOf('filter level = "error" or @message like /Task timed out/')).toEqual(["level"]);
  expect(fieldsOf("stats count(*) as events, latest(ingestId) as example by kind, problems.0, bin(1h)")).toEqual([
    "ingestId",
    "kind",
    "problems.0",
  ]);
});

/** Makes every function write each kind of its entries. */
async function useEverything(receiver: WatchedReceiver): Promise<WatchedReceiver> {
  const { clock, broken, post, reconcilerLog } = receiver;
  await post(JSON.stringify(payload("run_failed", { run_status: 1 })));
  await post("{}", { token: "wrong" });
  await clock.advance(1);
  broken.table = true;
  await post("{}");
  await clock.advance(1);
  broken.queue = true;
  await post("{}");
  const platform = await startWithBaseline();
  await platform.whileDown(() => createTenant(platform.emulator, { name: "lost" }));
  await platform.sweep({ graceSeconds: 0, log: reconcilerLog });
  return receiver;
}

/** The fields that a line of a query names, without those of CloudWatch (`@message`). */
function fieldsOf(line: string): string[] {
  const [command = "", rest = ""] = line.split(/ (.*)/s);
  if (command === "fields") return rest.split(", ").filter(isField);
  if (command === "filter") return [...rest.matchAll(/(?:^|or |\()([\w.]+)(?= =|\))/g)].map(([, field = ""]) => field);
  if (command !== "stats") return [];
  const aggregated = [...rest.matchAll(/latest\(([^)]*)\)/g)].map(([, field = ""]) => field);
  return [...aggregated, ...(rest.split(" by ")[1]?.split(", ") ?? [])].filter(isField);
}

const isField = (field: string) => /^[\w.]+$/.test(field);

function valueAt(entry: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) => (value === undefined || value === null ? undefined : Reflect.get(Object(value), key)),
      entry,
    );
}

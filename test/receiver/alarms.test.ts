import { beforeAll, describe, expect, test } from "vitest";
import { createTenant } from "../emulator/running-emulator.ts";
import { declareReceiver, startWatchedReceiver } from "./alarm-clock/watched-receiver.ts";
import { payload } from "./fixtures.ts";
import { startWithBaseline } from "./reconcile/test-platform.ts";

// What the alarms tell an operator, by the minute. The code of the functions runs here; the clock plays AWS.

const topic = "arn:aws:sns:eu-central-1:123456789012:on-call";
const platform = { baseUrl: "https://platform.example.com", apiKey: "a-confidential-key" };
const event = (fields: object = {}) => JSON.stringify(payload("run_failed", fields));
let resources: Awaited<ReturnType<typeof declareReceiver>>;
/** A receiver whose sweeps are not of interest: the alarm about them rings from the start. */
const start = () => {
  const receiver = startWatchedReceiver(resources);
  return { ...receiver, rung: () => receiver.rung().filter((line) => line !== "1 no-sweep") };
};

beforeAll(async () => {
  resources = await declareReceiver({ alarmTopicArn: topic, silenceHours: 24, platform });
}, 60_000);

describe("while the table of the ledger is broken", () => {
  test("the operator knows within a minute, and the event is not lost", async () => {
    const { clock, queue, broken, post, rung, published } = start();
    broken.table = true;
    expect(await post(event())).toBe(200);
    await clock.advance(1);
    expect(rung()).toEqual(["1 consume-errors", "1 not-consumed"]);

    broken.table = false;
    await clock.advance(3); // the message is visible again
    expect(queue.length).toBe(0);
    expect(published).toHaveLength(1);
    await clock.advance(3);
    expect(rung()).toHaveLength(2);
    expect(clock.stateOf("events-not-consumed-alarm")).toBe("OK");
    expect(clock.stateOf("events-consume-errors-alarm")).toBe("OK");
  });

  test("a message is given up after half an hour, and its age never fires the alarm: SQS leaves out what was received three times", async () => {
    const { clock, queue, broken, post, rung } = start();
    broken.table = true;
    await post(event());
    await clock.advance(30);
    expect(queue.deadLetters).toEqual([]);
    await clock.advance(1);
    expect(queue.deadLetters).toHaveLength(1);
    expect(rung().filter((line) => !/not-consumed|consume-errors/.test(line))).toEqual(["31 dead-letters"]);
  });

  test("the dead letters are delivered after the repair, once they are redriven, and every alarm ends", async () => {
    const { clock, queue, broken, post, published } = start();
    broken.table = true;
    await post(event());
    await clock.advance(40);
    broken.table = false;
    queue.redrive();
    await clock.advance(5);
    expect(published).toHaveLength(1);
    const names = new Set(clock.changes.map(({ alarm }) => alarm.name));
    const alarms = [...names].filter((name) => name !== "events-no-sweep-alarm");
    expect(alarms.filter((name) => clock.stateOf(name) === "ALARM")).toEqual([]);
  });

  test("one message among others that fails fires an alarm too, although the function does not fail", async () => {
    const { clock, queue, post, rung } = start();
    await post(event());
    queue.send("not a message of the acknowledging function");
    await clock.advance(1);
    expect(rung()).toEqual(["1 not-consumed"]);
  });
});

test("a webhook that only the ledger stored is delivered within five minutes, once, and fires a milder alarm", async () => {
  const { clock, broken, post, rung, published } = start();
  broken.queue = true;
  expect(await post(event())).toBe(200);
  await clock.advance(1);
  expect(rung()).toEqual(["1 not-queued"]);
  await clock.advance(20);
  expect(published).toHaveLength(1);
  expect(rung()).toEqual(["1 not-queued"]);
});

test("messages that nothing receives fire an alarm after a quarter of an hour", async () => {
  const { clock, queue, post, rung } = start();
  queue.isConsumed = false;
  await post(event());
  await clock.advance(15);
  expect(rung()).toEqual([]);
  await clock.advance(1);
  expect(rung()).toEqual(["16 age"]);
});

describe("each known loss fires an alarm within a minute:", () => {
  test("a webhook that neither the queue nor the ledger stored", async () => {
    const { clock, broken, post, rung } = start();
    Object.assign(broken, { queue: true, table: true });
    expect(await post(event())).toBe(503);
    await clock.advance(1);
    expect(rung()).toEqual(["1 not-stored"]);
  });

  test("a body that is too long, with a valid token", async () => {
    const { clock, post, rung } = start();
    expect(await post("x".repeat(1_100_000))).toBe(413);
    await clock.advance(1);
    expect(rung()).toEqual(["1 rejected"]);
  });

  test("an event that reconciliation had to publish", async () => {
    const { clock, reconcilerLog, rung } = start();
    const platform = await startWithBaseline();
    await platform.whileDown(() => createTenant(platform.emulator, { name: "lost" }));
    await platform.sweep({ graceSeconds: 900, log: reconcilerLog });
    await clock.advance(1);
    expect(rung()).toEqual([]);
    await platform.sweep({ graceSeconds: 0, log: reconcilerLog });
    await clock.advance(1);
    expect(rung()).toEqual(["2 reconciled"]);
  });
});

describe("events that are refused for their token", () => {
  test.each([
    ["no token, because somebody entered the address without it", ""],
    ["an old token", "old-token"],
  ])("fire at the third within a day: %s", async (_, token) => {
    const { clock, post, rung } = start();
    for (let count = 0; count < 3; count++) {
      expect(rung().filter((line) => line.includes("refused"))).toEqual([]);
      expect(await post(event(), { token })).toBe(403);
      await clock.advance(7 * 60);
    }
    expect(rung().filter((line) => line.includes("refused"))).toEqual(["841 refused-events"]);
  });

  test("wake nobody if they are the probes of strangers, however many", async () => {
    const { clock, post, rung } = start();
    for (let hour = 0; hour < 20; hour++) {
      for (const token of ["", "", "guess", "guess"]) await post('{"probe":1}', { token });
      expect(await post("", { token: "", method: "GET" })).toBe(405);
      await clock.advance(60);
    }
    expect(rung()).toEqual([]);
  });
});

describe("a body that the receiver cannot read", () => {
  test.each([
    ["no JSON", "{broken"],
    ["a type of event that is not in the specification", event({ event_type: "tenant_renamed" })],
    ["a failed run without the id of the run", event({ run_id: undefined })],
  ])("fires: %s", async (_, body) => {
    const { clock, post, rung, published } = start();
    await post(body);
    await clock.advance(1);
    expect(published).toHaveLength(1);
    expect(rung()).toEqual(["1 unreadable"]);
  });

  test("does not fire if a field deviates: handlers of the event get it", async () => {
    const { clock, post, rung, published } = start();
    await post(event({ integration_name: null, account_id: "42" }));
    await clock.advance(1);
    expect(published.map(({ detailType }) => detailType)).toEqual(["run_failed"]);
    expect(rung()).toEqual([]);
  });
});

describe("sweeps", () => {
  const sweepEach = async (receiver: ReturnType<typeof start>, minutes: number, times: number) => {
    const platform = await startWithBaseline();
    for (let count = 0; count < times; count++) {
      await platform.emulator.advance({ seconds: minutes * 60 });
      await platform.sweep({ log: receiver.reconcilerLog });
      await receiver.clock.advance(minutes);
    }
    return platform;
  };
  const quietSince = ({ rung }: ReturnType<typeof start>, minute: number) =>
    rung().filter((line) => Number.parseInt(line, 10) > minute && !line.endsWith("silence"));

  test("that end each hour keep the alarm silent, also if one takes ten minutes longer", async () => {
    const receiver = start();
    await sweepEach(receiver, 60, 2);
    await sweepEach(receiver, 70, 1);
    await sweepEach(receiver, 50, 2);
    expect(quietSince(receiver, 1)).toEqual([]);
  });

  test("that stop, because they run into the function's limit or nothing starts them, fire after two intervals", async () => {
    const receiver = start();
    await sweepEach(receiver, 60, 3);
    await receiver.clock.advance(60);
    expect(quietSince(receiver, 1)).toEqual([]);
    await receiver.clock.advance(10);
    expect(quietSince(receiver, 1).map((line) => line.split(" ")[1])).toEqual(["no-sweep"]);
    await sweepEach(receiver, 1, 1);
    expect(receiver.clock.stateOf("events-no-sweep-alarm")).toBe("OK");
  });

  test("that never came to an end fire from the start", async () => {
    const receiver = startWatchedReceiver(resources);
    await receiver.clock.advance(1);
    expect(receiver.rung()).toEqual(["1 no-sweep"]);
  });
});

describe("silence", () => {
  test("does not fire during the first day of a new receiver", async () => {
    const { clock, rung } = start();
    await clock.advance(23 * 60);
    expect(rung()).toEqual([]);
  });

  test("fires if the first day brings no event, because the webhook may not be configured", async () => {
    const { clock, rung } = start();
    await clock.advance(25 * 60);
    expect(rung().map((line) => line.split(" ")[1])).toEqual(["silence"]);
  });

  test("fires a day after the last event, and ends with the next one", async () => {
    const { clock, post, rung } = start();
    for (let day = 0; day < 3; day++) {
      await post(event());
      await clock.advance(20 * 60);
    }
    expect(rung()).toEqual([]);
    await clock.advance(4 * 60 + 1);
    expect(rung().map((line) => line.split(" ")[1])).toEqual(["silence"]);
    await post(event());
    await clock.advance(1);
    expect(clock.stateOf("events-silence-alarm")).toBe("OK");
  });

  test("fires, and later notifies that data is missing, if the queue's metrics stop because nothing polls it", async () => {
    const { clock, queue, post } = start();
    await post(event());
    await clock.advance(60);
    queue.isConsumed = false;
    await clock.advance(32 * 60);
    const silence = clock.changes.filter(({ alarm }) => alarm.name === "events-silence-alarm");
    expect(silence.map(({ state }) => state)).toEqual(["OK", "ALARM", "INSUFFICIENT_DATA"]);
    expect(silence.at(-1)?.alarm.actions.INSUFFICIENT_DATA).toEqual([topic]);
  });
});

import { expect, test } from "vitest";
import { CancelledError } from "../../src/api/index.ts";
import { poll } from "../../src/operation/poll.ts";
import { failureOf } from "../failure-of.ts";

const anHour = { deadlineSeconds: 3_600, pauses: { first: 3_600, longest: 3_600 } };

test("a pause ends at once when the operation is cancelled", async () => {
  const cancelling = new AbortController();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    setTimeout(() => cancelling.abort(), 10);
  };

  const failure = await failureOf(poll({ ask, isDone: () => false, ...anHour, signal: cancelling.signal }));

  expect(failure).toBeInstanceOf(CancelledError);
  expect(asked).toBe(1);
});

test("an answer that comes after the cancellation still counts", async () => {
  const cancelling = new AbortController();
  const ask = async () => {
    cancelling.abort();
    return "done";
  };

  expect(await poll({ ask, isDone: () => true, ...anHour, signal: cancelling.signal })).toBe("done");
});

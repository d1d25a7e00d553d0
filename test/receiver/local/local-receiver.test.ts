import { expect, test } from "vitest";
import { startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import { payload } from "../fixtures.ts";

test("an event that the bus rejected stays in the queue until a retry succeeds; the others are published once", async () => {
  let failures = 1;
  const published: unknown[] = [];
  const receiver = await startLocalReceiver({
    onEvent: ({ detail }) => {
      const name = detail.event?.tenant_name;
      if (name === "rejected" && failures-- > 0) throw new Error("the bus is down");
      published.push(name);
    },
    log: () => {},
    pollSeconds: 0.01,
  });
  const names = ["first", "rejected", "last"];
  for (const tenant_name of names) {
    const body = JSON.stringify(payload("tenant_archived", { tenant_name }));
    expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(200);
  }
  await receiver.settled();
  expect(published.toSorted()).toEqual(names.toSorted());
  await receiver.close();
});

import { expect, test } from "vitest";
import { startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import { payload } from "../fixtures.ts";

test("an event that the bus did not take stays in the queue, and comes again; the others come once", async () => {
  let refusals = 1;
  const published: unknown[] = [];
  const receiver = await startLocalReceiver({
    onEvent: ({ detail }) => {
      const name = detail.event?.tenant_name;
      if (name === "refused" && refusals-- > 0) throw new Error("the bus is down");
      published.push(name);
    },
    log: () => {},
  });
  const names = ["first", "refused", "last"];
  for (const tenant_name of names) {
    const body = JSON.stringify(payload("tenant_archived", { tenant_name }));
    expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(200);
  }
  await receiver.settled();
  expect(published.toSorted()).toEqual(names.toSorted());
  await receiver.close();
});

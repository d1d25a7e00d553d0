import { expect, test } from "vitest";
import { call, startEmulator } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue("unauthorized", { "403": 403, "401": 401 }, async (variants, status) => {
  const emulator = await startEmulator({ variants });
  const answer = await call(emulator, "GET", "/v2/tenants", undefined, {});
  expect(answer).toMatchObject({ status, body: { detail: "Not authorized" } });
});

const configs = { region: "eu", note: 'a "b" & c', deep: [{ pin: 1234 }] };
const refused = { name: "Not A Name", integration_id: 101, configs };
forEachValue(
  "refusals",
  {
    plain: "",
    repeat: '; the request was Not A Name, 101, eu, a "b" & c, 1234',
    "repeat-json": `; the request was ${JSON.stringify(refused)}`,
    "repeat-url": "; the request was Not%20A%20Name&101&eu&a%20%22b%22%20%26%20c&1234",
  },
  async (variants, suffix) => {
    const emulator = await startEmulator();
    const { body: plain } = await call(emulator, "POST", "/v2/tenants", refused);
    emulator.setVariants(variants);
    const { status, body } = await call(emulator, "POST", "/v2/tenants", refused);
    expect(status).toBe(422);
    expect(Object(body).detail[0].msg).toBe(Object(plain).detail[0].msg + suffix);
  },
);

test("refusals=repeat: the message of a refused build repeats the body too", async () => {
  const emulator = await startEmulator({ variants: { refusals: "repeat" } });
  const sent = { tag: "v9", integration_id: 999 };
  const { status, body } = await call(emulator, "POST", "/v2/sourcecontrol/build", sent);
  expect([status, Object(body).message]).toEqual([422, expect.stringMatching(/; the request was v9, 999$/)]);
});

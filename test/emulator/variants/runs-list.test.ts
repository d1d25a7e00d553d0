import { expect } from "vitest";
import { call, createTenant, startEmulator } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue(
  "runsList",
  { listed: { status: 200, isSameId: true }, "other-ids": { status: 200, isSameId: false }, missing: { status: 404 } },
  async (variants, { status, isSameId }: { status: number; isSameId?: boolean }) => {
    const emulator = await startEmulator({ variants: { ...variants, unconnectedSync: "accept" }, clock: "manual" });
    const id = await createTenant(emulator);
    const sync = await call(emulator, "POST", `/v2/tenants/${id}/sync?mode=normal`);
    await call(emulator, "POST", "/_emulator/clock", { advanceSeconds: 60 });
    const list = await call(emulator, "GET", `/v2/tenants/${id}/runs`);
    expect(list.status).toBe(status);
    if (isSameId === undefined) return;
    const [run] = Object(list.body);
    expect(String(run.triggers[0].id) === Object(sync.body).trigger_id).toBe(isSameId);
  },
);

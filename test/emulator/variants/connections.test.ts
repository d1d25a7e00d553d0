import { expect } from "vitest";
import { call, createTenant, readTenant, startEmulator } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue(
  "connectionWords",
  {
    plain: ["connected", "disconnected"],
    capitalized: ["Connected", "Not-Connected"],
    linked: ["linked", "unlinked"],
    terse: ["OK", "NONE"],
  },
  async (variants, [connected, disconnected]) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator);
    await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/crm`, { status: "connected" });
    const statuses = async () => Object(await readTenant(emulator, id)).status.auth.connectors;
    expect(await statuses()).toMatchObject([
      { name: "crm", status: connected },
      { name: "billing", status: disconnected },
    ]);
    const { body } = await call(emulator, "PATCH", `/v2/tenants/${id}/connectors/crm/disconnect`);
    expect(body).toMatchObject({ name: "crm", status: disconnected });
    await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/crm`, { status: "expired" });
    expect(await statuses()).toMatchObject([{ status: "expired" }, {}]);
  },
);

forEachValue("authConnectors", { listed: 2, none: 0 }, async (variants, count) => {
  const emulator = await startEmulator({ variants });
  const id = await createTenant(emulator);
  const { auth } = Object(await readTenant(emulator, id)).status;
  expect(auth).toMatchObject({ connected: false });
  expect(auth.connectors).toHaveLength(count);
});

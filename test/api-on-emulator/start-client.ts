import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/index.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { agreeingClocks } from "../machine-clock.ts";
import { sendSuccessfully } from "../send-request.ts";

/** A client of an emulator whose clock the test advances. Both are closed at the end of the test. */
export interface ClientOnEmulator {
  readonly client: Client;
  readonly emulator: Emulator;
  /** Sends a request to the emulator's control endpoints, for what the API cannot do. */
  readonly console: (method: string, path: string, body?: object) => Promise<unknown>;
}

export async function startClient(options: EmulatorOptions = {}): Promise<ClientOnEmulator> {
  const { clock, machineClock } = agreeingClocks(options.clock ?? "manual");
  const emulator = await createEmulator({ lagSeconds: 0.3, ...options, clock });
  const client = createClient({
    baseUrl: emulator.url,
    apiKey: emulator.apiKey,
    backoffSeconds: { first: 0.001, max: 0.002 },
    machineClock,
  });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  const console: ClientOnEmulator["console"] = async (method, path, body) =>
    (await sendSuccessfully(emulator, method, `/_emulator${path}`, body)).body;
  return { client, emulator, console };
}

/** Installs a tenant as `user-1` would in the marketplace: connected and not paused. Returns its id. */
export async function install({ console }: ClientOnEmulator, fields: object = {}): Promise<number> {
  const given = { integration: "crm-to-billing", name: "acme", user_name: "user-1", ...fields };
  return Number(Object(await console("POST", "/tenants", given)).id);
}

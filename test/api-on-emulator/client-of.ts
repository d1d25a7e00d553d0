import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/index.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";

/** The real client on an emulator whose clock is moved by the test; both are closed when the test is over. */
export interface ClientOnEmulator {
  readonly client: Client;
  readonly emulator: Emulator;
  /** Does in the console what the API cannot do. */
  readonly console: (method: string, path: string, body?: object) => Promise<unknown>;
}

export async function startClient(options: EmulatorOptions = {}): Promise<ClientOnEmulator> {
  const emulator = await createEmulator({ clock: "manual", lagSeconds: 0.3, ...options });
  const client = createClient({
    baseUrl: emulator.url,
    apiKey: emulator.apiKey,
    backoffSeconds: { first: 0.001, max: 0.002 },
  });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { client, emulator, console: consoleOf(emulator) };
}

/** The id of a tenant that `user-1` has installed: connected and not paused. */
export async function install({ console }: ClientOnEmulator, fields: object = {}): Promise<number> {
  const given = { integration: "crm-to-billing", name: "acme", user_name: "user-1", ...fields };
  return Number(Object(await console("POST", "/tenants", given)).id);
}

/** What a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => error,
  );
}

function consoleOf(emulator: Emulator): ClientOnEmulator["console"] {
  return async (method, path, body) => {
    const response = await fetch(`${emulator.url}/_emulator${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

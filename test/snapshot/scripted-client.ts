import { type ClientOptions, createClient } from "../../src/api/index.ts";
import { createEmulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { createSnapshot } from "../../src/snapshot/index.ts";
import { call } from "../emulator/running-emulator.ts";

const firstId = 10_000;

/** `count` tenants of integration 1, t0 and on, with ids from 10000. */
export function seedOf(count: number): NonNullable<Exclude<EmulatorOptions["seed"], string>> {
  return {
    integrations: [
      { id: 1, name: "crm" },
      { id: 2, name: "shop" },
    ],
    tenants: Array.from({ length: count }, (_, index) => ({ id: firstId + index, integration: 1, name: `t${index}` })),
  };
}

type Between = (
  page: number,
  archive: (index: number) => Promise<void>,
  change: (index: number, fields: object) => Promise<void>,
) => Promise<void>;

/** An emulator whose tenants change while they are listed: `between` is called after each page, with its number from 1. */
export async function snapshotOf(
  options: EmulatorOptions,
  between: Between = async () => undefined,
  clientOptions: Partial<ClientOptions> = {},
) {
  const emulator = await createEmulator(options);
  const client = createClient({
    baseUrl: emulator.url,
    apiKey: emulator.apiKey,
    backoffSeconds: { first: 0.001, max: 0.002 },
    ...clientOptions,
  });
  const change = async (index: number, fields: object) => {
    await call(emulator, "PATCH", `/_emulator/tenants/${firstId + index}`, fields);
  };
  let page = 0;
  const listPage: typeof client.tenants.listPage = async (query) => {
    const tenants = await client.tenants.listPage(query);
    page += 1;
    await between(page, (index) => change(index, { archived: true }), change);
    return tenants;
  };
  const shifting = { ...client, tenants: { ...client.tenants, listPage } };
  return {
    emulator,
    client: shifting,
    snapshot: createSnapshot(shifting),
    change,
    idOf: (index: number) => firstId + index,
    lists: () => emulator.requests().filter(({ path }) => path === "/v2/tenants").length,
    async [Symbol.asyncDispose]() {
      await client.close();
      await emulator.close();
    },
  };
}

import { type ClientOptions, createClient, type JsonObject } from "../../src/api/index.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { createPlatform, type Platform } from "../../src/resources/platform.ts";
import { tenantLifecycle } from "../../src/resources/tenant/lifecycle.ts";
import type { TenantInputs } from "../../src/resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantMetadataLifecycle } from "../../src/resources/tenant-metadata/lifecycle.ts";
import { call } from "../emulator/running-emulator.ts";

/** An emulator and lifecycles that work on it. What came of them is asked of the emulator over plain HTTP. */
export interface Stage extends AsyncDisposable {
  emulator: Emulator;
  /** What the user was warned of. */
  warnings: string[];
  /** The lifecycles of a new operation of the engine, which remembers nothing of those before. */
  operation(options?: { settleSeconds?: number }): Operation;
  /** All that is kept of a tenant, archived or not, unmasked, with its metadata. */
  tenant(id: string | number): Promise<KeptTenant>;
  /** The live tenants, as the API lists them. */
  live(): Promise<KeptTenant[]>;
  /** Changes a tenant behind the back of the program, as someone in the console would. */
  changeByHand(id: string | number, change: object): Promise<void>;
  /** Adds a tenant that this program has not made; answers its id. */
  add(tenant: object): Promise<number>;
  /** The requests since the log was cleared that could change anything, as `METHOD path`, with their bodies. */
  writes(): { request: string; body: unknown }[];
  /** How many lists of tenants were asked for since the log was cleared. */
  listCount(): number;
}

export interface Operation {
  platform: Platform;
  tenant: ReturnType<typeof tenantLifecycle>;
  metadata: ReturnType<typeof tenantMetadataLifecycle>;
  fleet: ReturnType<typeof tenantFleetLifecycle>;
}

/** What tests look at of a tenant. */
export interface KeptTenant {
  id: number;
  name: string;
  archived: boolean;
  paused: boolean;
  configs: JsonObject;
  metadata: JsonObject | null;
  user_schedule: string | null;
  integration_release_id: number | null;
  integration_release_channel: string | null;
}

/** A tenant of the emulator's first integration, of which nothing but the name is declared. */
export const acme: TenantInputs = { integration: "crm-to-billing", name: "acme" };

/** A tenant of which everything is declared. */
export const complete = {
  integration: "crm-to-billing",
  name: "acme",
  schedule: "0 */6 * * *",
  release: { tag: "v1.0.0" },
  paused: false,
  configs: { region: "eu", api_token: "s3cret-token" },
  metadata: { plan: "gold" },
} satisfies TenantInputs;

export async function stage(options: EmulatorOptions = {}, clientOptions: Partial<ClientOptions> = {}): Promise<Stage> {
  const emulator = await createEmulator(options);
  const backoffSeconds = { first: 0.001, max: 0.002 };
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey, backoffSeconds, ...clientOptions });
  const warnings: string[] = [];
  return {
    emulator,
    warnings,
    operation: ({ settleSeconds = 0.3 } = {}) => {
      const platform = createPlatform({ client, warn: (message) => warnings.push(message), settleSeconds });
      return {
        platform,
        tenant: tenantLifecycle(platform),
        metadata: tenantMetadataLifecycle(platform),
        fleet: tenantFleetLifecycle(platform),
      };
    },
    tenant: async (id) => body(await call(emulator, "GET", `/_emulator/tenants/${id}`)),
    live: () => onlyWithSuccess(emulator, "/v2/tenants?limit=500"),
    changeByHand: async (id, change) => body(await call(emulator, "PATCH", `/_emulator/tenants/${id}`, change)),
    add: async (tenant) => body(await call(emulator, "POST", "/_emulator/tenants", tenant)).id,
    writes: () =>
      emulator
        .requests()
        .filter(({ method }) => method !== "GET")
        .map((record) => ({ request: `${record.method} ${record.path}`, body: record.body })),
    listCount: () =>
      emulator.requests().filter(({ method, path }) => method === "GET" && path === "/v2/tenants").length,
    async [Symbol.asyncDispose]() {
      await client.close();
      await emulator.close();
    },
  };
}

/** A tenant brought about by a first operation, with an empty request log for the next. */
export async function brought(on: Stage, inputs: TenantInputs = complete, settleSeconds = 0.3) {
  const made = await on.operation({ settleSeconds }).tenant.create(inputs);
  on.emulator.clearRequests();
  return made;
}

/** What a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
}

/** What the control endpoints answer is taken at its word; a refusal is an error. */
function body({ status, body: answer }: { status: number; body: unknown }) {
  if (status !== 200) throw new Error(`the emulator answered ${status}: ${JSON.stringify(answer)}`);
  return Object(answer);
}

async function onlyWithSuccess(emulator: Emulator, path: string) {
  return body(await call(emulator, "GET", path));
}

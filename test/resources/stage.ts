import { type ClientOptions, createClient } from "../../src/api/index.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import {
  createOperationContext,
  type OperationContext,
  type OperationOptions,
} from "../../src/operation/operation-context.ts";
import { tenantLifecycle } from "../../src/resources/tenant/lifecycle.ts";
import type { TenantInputs } from "../../src/resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantMetadataLifecycle } from "../../src/resources/tenant-metadata/lifecycle.ts";
import { changedAnswers } from "../changed-answers.ts";
import { call } from "../emulator/running-emulator.ts";
import { agreeingClocks } from "../machine-clock.ts";

/** An emulator and lifecycles that use it. Tests read the result from the emulator over plain HTTP. */
export interface Stage extends AsyncDisposable {
  emulator: Emulator;
  /** The warnings to the user. */
  warnings: string[];
  /** The notes to the user. */
  notes: string[];
  /** The lifecycles of a new engine operation, without any memory of earlier operations. */
  operation(
    options?: Pick<
      OperationOptions,
      | "consistencyTimeoutSeconds"
      | "busyTimeoutSeconds"
      | "runWords"
      | "platform"
      | "schemaViolations"
      | "areAllSecretsDeclared"
      | "areUnlistedGone"
      | "secretValues"
    >,
  ): Operation;
  /** The emulator's complete, unmasked record of a tenant, live or archived, with its metadata. */
  tenant(id: string | number): Promise<KeptTenant>;
  /** The live tenants, as the API lists them. */
  live(): Promise<KeptTenant[]>;
  /** Changes a tenant outside the program, as a user of the console would. */
  changeByHand(id: string | number, change: object): Promise<void>;
  /** Adds a tenant that this program did not create, and returns its id. */
  add(tenant: object): Promise<number>;
  /** The write requests since the log was cleared, as `METHOD path`, with their bodies. */
  writes(): { request: string; body: unknown }[];
  /** The number of requests for lists of tenants since the log was cleared. */
  listCount(): number;
}

export interface Operation {
  context: OperationContext;
  tenant: ReturnType<typeof tenantLifecycle>;
  metadata: ReturnType<typeof tenantMetadataLifecycle>;
  fleet: ReturnType<typeof tenantFleetLifecycle>;
}

/** The fields of a tenant that tests read. */
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

/** A tenant of the emulator's first integration that declares only its name. */
export const acme: TenantInputs = { integration: "crm-to-billing", name: "acme" };

/** A tenant that declares every setting. */
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
  const { clock, machineClock } = agreeingClocks(options.clock);
  const emulator = await createEmulator({ ...options, clock });
  const backoffSeconds = { first: 0.001, max: 0.002 };
  const { url: baseUrl, apiKey } = emulator;
  const client = createClient({ baseUrl, apiKey, backoffSeconds, machineClock, ...clientOptions });
  const warnings: string[] = [];
  const notes: string[] = [];
  return {
    emulator,
    warnings,
    notes,
    operation: ({ consistencyTimeoutSeconds = 0.3, ...more } = {}) => {
      const context = createOperationContext({
        client,
        warn: (message) => warnings.push(message),
        note: (message) => notes.push(message),
        consistencyTimeoutSeconds,
        quietSeconds: 0.05, // the tests declare everything at once
        ...more,
        ...(clientOptions.signal && { signal: clientOptions.signal }),
      });
      return {
        context,
        tenant: tenantLifecycle(context),
        metadata: tenantMetadataLifecycle(context),
        fleet: tenantFleetLifecycle(context),
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

/**
 * A stage whose lifecycles get changed answers of the emulator.
 *
 * @param change gets the body of an answer, and returns the body that is sent.
 */
export async function stageShowing(change: (body: string) => string, options: EmulatorOptions = {}): Promise<Stage> {
  const answers = await changedAnswers(change);
  const on = await stage(options, { baseUrl: answers.url });
  answers.target = on.emulator.url;
  return {
    ...on,
    async [Symbol.asyncDispose]() {
      await on[Symbol.asyncDispose]();
      await answers[Symbol.asyncDispose]();
    },
  };
}

/** A tenant that an earlier operation created. The request log is empty. */
export async function brought(on: Stage, inputs: TenantInputs = complete, consistencyTimeoutSeconds = 0.3) {
  const made = await on.operation({ consistencyTimeoutSeconds }).tenant.create(inputs);
  on.emulator.clearRequests();
  return made;
}

export { failureOf } from "../failure-of.ts";

/** Calls a control endpoint. Does not validate the response, but throws if the request fails. */
function body({ status, body: answer }: { status: number; body: unknown }) {
  if (status !== 200) throw new Error(`the emulator answered ${status}: ${JSON.stringify(answer)}`);
  return Object(answer);
}

async function onlyWithSuccess(emulator: Emulator, path: string) {
  return body(await call(emulator, "GET", path));
}

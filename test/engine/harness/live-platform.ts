import { z } from "zod";
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type RequestRecord,
} from "../../../src/emulator/index.ts";
import { sendSuccessfully } from "../../send-request.ts";

const tenantSchema = z.looseObject({
  id: z.int(),
  name: z.string(),
  integration_id: z.int(),
  configs: z.record(z.string(), z.unknown()),
  paused: z.boolean(),
  user_schedule: z.string().nullable(),
  integration_release_id: z.int().nullable(),
  integration_release_channel: z.string().nullable(),
});
const tenantsSchema = z.array(tenantSchema);
const metadataSchema = z.object({ data: z.record(z.string(), z.unknown()) });

/** The fields of a listed tenant that tests read. */
export type LiveTenant = z.infer<typeof tenantSchema>;

/** An emulator, read and changed by plain HTTP, without our client. */
export interface LivePlatform extends AsyncDisposable {
  readonly emulator: Emulator;
  /** The environment variables of a project that uses this platform. */
  readonly env: NodeJS.ProcessEnv;
  /** Returns the response's body. Throws if the request fails. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** The live or the archived tenants, ordered by id. */
  tenants(options?: { archived: boolean }): Promise<LiveTenant[]>;
  /** The live tenant with that name. Throws if there is none or more than one. */
  tenant(name: string): Promise<LiveTenant>;
  metadata(name: string): Promise<Record<string, unknown>>;
  /** Changes the live tenant with that name. */
  change(name: string, change: object): Promise<void>;
  changeMetadata(name: string, change: object): Promise<void>;
  archive(name: string): Promise<void>;
  /** Connects a tenant's connector, as its customer would. */
  connect(name: string, connector: string): Promise<void>;
  /** Clears the log of requests. */
  clearRequests(): void;
  /** The write requests in the log, in the order of their arrival, as `METHOD path`. */
  writes(): { request: string; body: unknown }[];
  /** The requests in the log that listed tenants. */
  lists(): RequestRecord[];
}

export async function openPlatform(options: EmulatorOptions = {}): Promise<LivePlatform> {
  const emulator = await createEmulator(options);

  const call: LivePlatform["call"] = async (...request) => (await sendSuccessfully(emulator, ...request)).body;
  const tenants: LivePlatform["tenants"] = async ({ archived } = { archived: false }) =>
    tenantsSchema.parse(await call("GET", `/v2/tenants?limit=500&sort_by=id__ASC&archived=${archived}`));
  const tenant = async (name: string) => {
    const [found, ...others] = (await tenants()).filter((candidate) => candidate.name === name);
    if (found === undefined || others.length > 0) {
      throw new Error(`${found === undefined ? "no" : others.length + 1} live tenants are named ${name}`);
    }
    return found;
  };
  const pathOf = async (name: string) => `/v2/tenants/${(await tenant(name)).id}`;

  return {
    emulator,
    env: { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey },
    call,
    tenants,
    tenant,
    metadata: async (name) => metadataSchema.parse(await call("GET", `${await pathOf(name)}/metadata`)).data,
    change: async (name, change) => void (await call("PATCH", await pathOf(name), change)),
    changeMetadata: async (name, change) => void (await call("PATCH", `${await pathOf(name)}/metadata`, change)),
    archive: async (name) => void (await call("DELETE", await pathOf(name))),
    connect: async (name, connector) => {
      const { id } = await tenant(name);
      await call("POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "connected" });
    },
    clearRequests: () => emulator.clearRequests(),
    writes: () =>
      emulator
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ method, path, body }) => ({ request: `${method} ${path}`, body })),
    lists: () => emulator.requests().filter(({ method, path }) => method === "GET" && path === "/v2/tenants"),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

import { createEmulator, type EmulatorOptions, type RequestRecord, type Seed } from "../../../src/emulator/index.ts";
import { sendRequest } from "../../send-request.ts";
import { runCli } from "../run-cli.ts";

const auth = { connected: true, connectors: [{ name: "crm", status: "connected", last_change: null }] };

function tenant(id: number, name: string, more: object = {}) {
  return {
    ...{ id, name, integration: "crm-to-billing", paused: true, integration_release_id: 11 },
    ...{ configs: { region: "eu" }, metadata: { cursor: id }, status: { auth } },
    ...more,
  };
}

/** A release whose schema requires two new configs: the customer sees only one of them. */
const stricter = {
  config_schema: {
    schema: {
      type: "object",
      required: ["region", "batch"],
      properties: { region: { type: "string" }, batch: { type: "number" } },
    },
    uischema: {
      type: "VerticalLayout",
      elements: [
        { type: "Control", scope: "#/properties/region" },
        { type: "Control", scope: "#/properties/batch", admin: true },
      ],
    },
  },
};

/** Three releases, two builds, and test tenants beside one of a customer. Runs of the tag "broken" fail. */
export const seed: Seed = {
  integrations: [
    {
      id: 101,
      name: "crm-to-billing",
      connectors: [{ name: "crm", isGlobal: false }],
      default_release_id: 11,
      runs: {
        takes_seconds: 0.05,
        log: ["reading contacts", "API_TOKEN=tok-4711-secret"],
        releases: [{ tag: "broken", outcome: "fail", failure: "no such field" }],
      },
      builds: [{ tag: "stricter", ...stricter }],
      releases: [
        { id: 11, name: "one", tag: "v1" },
        { id: 12, name: "two", tag: "pr-2" },
        { id: 13, name: "three", tag: "broken" },
        { id: 14, name: "four", tag: "pr-4" },
      ],
    },
  ],
  tenants: [
    tenant(1, "test-one", { configs: { region: "eu", batch: 5 } }),
    tenant(2, "test-two", { integration_release_id: null, integration_release_channel: "Default" }),
    tenant(3, "acme", { configs: {} }),
  ],
};

/** The seed with a test tenant for each label, lent to another one and moved. */
export function lentSeed(until: string, ...labels: string[]): Seed {
  const before = { integration_release_id: 11, integration_release_channel: null };
  const loan = { id: "x", by: "bob", until, release: 14, before };
  const lent = labels.map((label, at) =>
    tenant(at + 1, at === 0 ? "test-one" : `test-of-${label}`, {
      integration_release_id: 14,
      metadata: { cursor: at + 1, integrationPlatformTry: { ...loan, label } },
    }),
  );
  return { ...seed, tenants: [...lent, ...(seed.tenants ?? []).slice(lent.length)] };
}

/** The seed with releases that allow only some metadata. */
export function seedWithMetadata(schema: Record<string, unknown>): Seed {
  const [integration] = seed.integrations ?? [];
  const releases = integration?.releases?.map((one) => ({ ...one, metadata_schema: schema })) ?? [];
  return { ...seed, integrations: [{ name: "crm-to-billing", ...integration, releases }] };
}

/** What of a tenant a try may change and puts back. */
export interface RawTenant {
  integration_release_id: number | null;
  integration_release_channel: string | null;
  metadata: object | null;
}

/** An emulator with {@link seed}, and the command as a pipeline runs it. Reads show a write at once, so a loan takes a second. */
export async function tryStage(options: EmulatorOptions = {}) {
  const emulator = await createEmulator({ seed, ...options });
  const env = { INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: "0.4", GITHUB_ACTOR: "ada" };
  const command = (...args: string[]) => ["try", "--integration", "crm-to-billing", ...args];
  return {
    emulator,
    env,
    command,
    run: (...args: string[]) => runCli(emulator, command(...args), env),
    runIn: (more: NodeJS.ProcessEnv, ...args: string[]) => runCli(emulator, command(...args), { ...env, ...more }),
    /** The requests of one kind, such as `POST /v2/tenants/1/sync`. */
    requested: (wanted: string): RequestRecord[] =>
      emulator.requests().filter(({ method, path }) => `${method} ${path}` === wanted),
    /** A tenant as the emulator stores it. */
    raw: async (id: number): Promise<RawTenant> => {
      const { body } = await sendRequest(emulator, "GET", `/_emulator/tenants/${id}`);
      const { integration_release_id, integration_release_channel, metadata } = Object(body);
      return { integration_release_id, integration_release_channel, metadata };
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

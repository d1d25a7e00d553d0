import { createClient } from "../../src/api/index.ts";
import {
  createEmulator,
  defaultVariants,
  type Emulator,
  type EmulatorOptions,
  type Variants,
} from "../../src/emulator/index.ts";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { secrets } from "../../src/provider/connect.ts";
import { platformAddress } from "../../src/provider/platform-address.ts";
import type { ProviderChoice } from "../../src/resources/pulumi/type-token.ts";
import { agreeingClocks } from "../machine-clock.ts";
import { ownRunWords } from "../own-run-words.ts";
import { sendSuccessfully } from "../send-request.ts";
import { createStack, type Stack } from "./engine/stack.ts";

/** A platform and a stack that uses it. */
export interface Scene extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly provider: ProviderChoice;
  readonly stack: Stack;
  /** The warnings to the user. */
  readonly warnings: string[];
  /** Sends an external request. Returns the response as text, and throws if the request fails. */
  call(method: string, path: string, body?: string): Promise<string>;
  /** The variants of the platform. */
  variants: Variants;
  /** Runs before each create and update of a command. */
  meanwhile: (() => Promise<void>) | undefined;
  /** Archives or pauses the live tenant with this name, as an external change. */
  deed(name: string, deed: "archive" | "pause"): Promise<void>;
}

export async function openScene(
  variants: Partial<Variants>,
  { provider = "dynamic", ...options }: EmulatorOptions & { provider?: ProviderChoice } = {},
): Promise<Scene> {
  const { clock, machineClock } = agreeingClocks(options.clock);
  const emulator = await createEmulator({ ...options, clock, variants });
  const backoffSeconds = { first: 0.001, max: 0.002 };
  const warnings: string[] = [];
  // a second on the platform takes a few milliseconds, also on a machine that has no time for each call
  let lastAt = performance.now();
  const advance = () => {
    const now = performance.now();
    if (options.clock === "manual") void emulator.advance({ seconds: (now - lastAt) / realMillisecondsOfSecond });
    lastAt = now;
  };
  const timer = setInterval(advance, realMillisecondsOfSecond);
  const client = createClient({
    baseUrl: emulator.url,
    apiKey: emulator.apiKey,
    backoffSeconds,
    callTimeoutSeconds: 5,
    machineClock,
  });
  const call: Scene["call"] = async (...request) => (await sendSuccessfully(emulator, ...request)).text;
  const warn = (message: string) => void warnings.push(secrets.redact(message));
  const connect = () => ({
    // here, checks follow each other without a pause
    context: createOperationContext({
      client,
      warn,
      consistencyTimeoutSeconds: 0.4,
      writeReport: () => "(no file)",
      quietSeconds: 0.15,
      runWords: ownRunWords,
    }),
    address: platformAddress({ baseUrl: emulator.url, source: "the test" }, {}),
    log: { sent: async () => {} },
  });
  const scene: Scene = {
    emulator,
    warnings,
    variants: { ...defaultVariants, ...variants },
    meanwhile: undefined,
    provider,
    stack: createStack(connect, async () => scene.meanwhile?.(), provider),
    call,
    deed: async (name, deed) => {
      const tenants: { id: number; name: string }[] = JSON.parse(await call("GET", "/v2/tenants?limit=500"));
      const id = tenants.find((tenant) => tenant.name === name)?.id;
      if (deed === "archive") await call("DELETE", `/v2/tenants/${id}`);
      else await call("PATCH", `/v2/tenants/${id}`, JSON.stringify({ paused: false }));
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await client.close();
      await emulator.close();
    },
  };
  return scene;
}

/** What a second on the platform takes. */
const realMillisecondsOfSecond = 20;

/** The emulator's ids of {@link storySeed}'s integrations. */
export const integrationIds = { crm: 1, shop: 2 } as const;

const releasesFrom = (first: number) => [
  { id: first, name: "one", tag: "v1", config_schema: configSchema },
  { id: first + 1, name: "two", tag: "v2", config_schema: withDefault },
];
const configSchema = { type: "object", properties: { token: { type: "string", format: "password" } } };
const withDefault = {
  ...configSchema,
  properties: { ...configSchema.properties, currency: { type: "string", default: "EUR" } },
};

/** Two integrations that accept any configs and whose runs take no time. */
export const storySeed: NonNullable<EmulatorOptions["seed"]> = {
  integrations: Object.entries(integrationIds).map(([name, id]) => ({
    id,
    name,
    connectors: [{ name: "crm", isGlobal: false }],
    runs: { takes_seconds: 0 },
    default_release_id: 10 * id + 1,
    releases: releasesFrom(10 * id + 1),
  })),
};

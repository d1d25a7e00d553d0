import type { Scene } from "./scene.ts";

/** A tenant as the platform stores it, read without any code of the product. */
export interface RawTenant {
  readonly id: number;
  readonly name: string;
  readonly integrationId: number;
  readonly isArchived: boolean;
  readonly isConnected: boolean;
  readonly hasRun: boolean;
  /** The JSON text of each setting except the free-form ones: `paused`, `user_schedule`, the release. */
  readonly fields: Readonly<Record<string, string>>;
  /** The JSON text of each key, with numbers as they were written. */
  readonly configs: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The value at a tenant's path, as JSON text: `paused`, `configs.region`. Undefined if there is none. */
export function rawAt(tenant: RawTenant, path: string): string | undefined {
  const [part = "", ...rest] = path.split(".");
  const key = rest.join(".");
  if (part === "configs" || part === "metadata") return tenant[part][key];
  return part === "name" ? JSON.stringify(tenant.name) : tenant.fields[part];
}

/** All tenants that ever existed, by id. The platform counts ids up and removes no tenant. */
export async function readStore(scene: Pick<Scene, "emulator">): Promise<Map<number, RawTenant>> {
  const tenants = new Map<number, RawTenant>();
  for (let id = firstId; ; id += 1) {
    const tenant = await readTenant(scene, id);
    if (tenant === undefined) return tenants;
    tenants.set(id, tenant);
  }
}

export const firstId = 5001;

export async function readTenant({ emulator }: Pick<Scene, "emulator">, id: number): Promise<RawTenant | undefined> {
  const request = new Request(`${emulator.url}/_emulator/tenants/${id}`, { headers: { "x-api-key": emulator.apiKey } });
  const response = await emulator.fetch(request);
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw new Error(`the store answered ${response.status} for tenant ${id}`);
  const raw = parseKeepingNumbers(await response.text());
  const { name, integration_id, archived, configs, metadata, status } = raw;
  const { connectors = [], connected = false } = Object(Object(status).auth);
  const { last_run, current_run, last_successful_run } = Object(status);
  const fields = ["paused", "user_schedule", "integration_release_id", "integration_release_channel", "source"];
  return {
    id,
    name: String(name),
    integrationId: Number(String(integration_id)),
    isArchived: archived === true,
    isConnected: connected === true || (Array.isArray(connectors) && connectors.some(isConnectedWord)),
    hasRun: [last_run, current_run, last_successful_run].some((run) => Object.keys(Object(run)).length > 0),
    fields: Object.fromEntries(fields.map((field) => [field, textOf(raw[field] ?? null)])),
    configs: textsOf(configs),
    metadata: textsOf(metadata),
  };
}

/** A number as it is written in JSON text. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

function parseKeepingNumbers(text: string): Record<string, unknown> {
  const reviver = (_: string, value: unknown, ...[context]: { source?: string }[]) =>
    typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value;
  return JSON.parse(text, reviver);
}

function textsOf(object: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(Object(object)).map(([key, value]) => [key, textOf(value)]));
}

/** JSON text with the keys in their original order. */
function textOf(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)}}`;
}

function isConnectedWord(connector: unknown): boolean {
  return Object(connector).status === "connected";
}

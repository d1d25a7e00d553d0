/** A secret in a model: which of the round's secrets stands there. */
export interface SecretRef {
  readonly secret: number;
}

export type Value = string | number | boolean | SecretRef | { readonly [key: string]: Value };

/** A tenant as a stack's YAML says it; what is absent is not declared. */
export interface Entry {
  readonly integration?: string;
  readonly name?: string;
  readonly aliases?: readonly string[];
  readonly paused?: boolean;
  readonly schedule?: string;
  readonly release?: { id: number } | { tag: string } | { channel: string } | { build: string };
  readonly configs?: Readonly<Record<string, Value>>;
  readonly metadata?: Readonly<Record<string, Value>>;
  readonly adopt?: true;
  readonly sync?: { readonly mode: string; readonly on: readonly string[]; readonly timeoutSeconds: number };
}

export type Entries = Readonly<Record<string, Entry>>;

/** A fleet whose tenants a rollout takes to another release. None of its tenants declares `release` or `paused`. */
export interface Rolling {
  readonly tenants: Entries;
  /** The tag of the release to which the rollout takes them. */
  readonly tag: keyof typeof releaseIds;
  readonly onFailure: "pause" | "rollback";
}

/** An override, which pauses tenants whatever they declare. */
export interface Override {
  /** The fleet that declares it. Default: the stack. */
  readonly fleet?: FleetKey;
  readonly reason: string;
  /** Keys of tenants. Default: all tenants of the stack or of the fleet. */
  readonly tenants?: readonly string[];
}

/** What a stack of a round declares. */
export interface Declared {
  /** The tenants that are resources of their own, by key. */
  readonly tenants: Entries;
  /** Those of the fleet without a rollout. */
  readonly fleet: Entries;
  readonly rolling: Rolling;
  readonly build: { readonly tag: string; readonly adopt: boolean; readonly timeoutSeconds: number };
  readonly overrides: readonly Override[];
}

/** The keys of the two fleets. */
export const fleetKeys = { plain: "billing", rolling: "rolling" } as const;
export type FleetKey = (typeof fleetKeys)[keyof typeof fleetKeys];

/** What every tenant of a round is called at its beginning: nobody else's name is like that. */
export const ownPrefix = "own-";

/** The names of the tenants of the fleet with a rollout. */
export const isRollingName = /^own-(late-)?r\d+$/;

/** The tenant that the first wave of a rollout moves. */
export const canary = `${ownPrefix}r0`;

export const integrationName = "crm-to-billing";
export const integrationId = 101;

/** The releases between which the rollouts move tenants. */
export const releaseIds = { "v1.0.0": 901, "v1.1.0": 902 } as const;

export function nameOf(key: string, { name }: Entry): string {
  return name ?? key;
}

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

/** What a stack of a round declares. */
export interface Declared {
  /** The tenants that are resources of their own, by key. */
  readonly tenants: Entries;
  /** Those of its fleet. */
  readonly fleet: Entries;
  readonly build: { readonly tag: string; readonly adopt: boolean; readonly timeoutSeconds: number };
}

/** What every tenant of a round is called at its beginning: nobody else's name is like that. */
export const ownPrefix = "own-";

export const integrationName = "crm-to-billing";
export const integrationId = 101;

export function nameOf(key: string, { name }: Entry): string {
  return name ?? key;
}

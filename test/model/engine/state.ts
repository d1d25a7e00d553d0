import type { ResourceType } from "../program.ts";

/** Properties of a resource; a secret stands in them as `{ $secret: value }`. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource as the engine's state holds it. */
export interface StoredResource {
  readonly type: ResourceType;
  readonly name: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The resources that an input comes from, by the inputs' names. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  /** Why the last create or update was done in part only. */
  readonly initErrors: readonly string[];
}

/** The state of a stack, by `Tenant acme`, in the order of creation. */
export type EngineState = Map<string, StoredResource>;

/** The keys of the resources that depend on one directly. */
export function dependentsOf(state: EngineState, key: string): string[] {
  return [...state].flatMap(([other, { dependencies }]) =>
    Object.values(dependencies).flat().includes(key) ? [other] : [],
  );
}

/** The text of a state as somebody reads it who has no key: what is marked as secret is left out. */
export function readableText(state: EngineState): string {
  return JSON.stringify([...state.values()], (_, value) => (Object.hasOwn(Object(value), "$secret") ? null : value));
}

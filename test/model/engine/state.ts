import type { ResourceType } from "../program.ts";

/** Properties of a resource. A secret is `{ $secret: value }`. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource in the engine's state. */
export interface StoredResource {
  readonly type: ResourceType;
  readonly name: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The resources that each input comes from, by the input's name. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  /** The reasons why the last create or update is incomplete. */
  readonly initErrors: readonly string[];
  /** Whether the engine removes the resource from the state without calling the provider. */
  readonly retainOnDelete: boolean;
}

/** The state of a stack, by `Tenant acme`, in the order of creation. */
export type EngineState = Map<string, StoredResource>;

/** The keys of the direct dependents of a resource. */
export function dependentsOf(state: EngineState, key: string): string[] {
  return [...state].flatMap(([other, { dependencies }]) =>
    Object.values(dependencies).flat().includes(key) ? [other] : [],
  );
}

/** The state's text without the values that are marked as secret. */
export function readableText(state: EngineState): string {
  return JSON.stringify([...state.values()], (_, value) => (Object.hasOwn(Object(value), "$secret") ? null : value));
}

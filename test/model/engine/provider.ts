import type { Properties, StoredResource } from "./state.ts";

/** What the engine passes on of a resource that it has stored. */
export type Stored = Pick<StoredResource, "name" | "id" | "inputs" | "outputs">;

/** The provider of one type, as the engine calls it. Properties have the marks of their secrets. */
export interface Provider {
  /**
   * Returns the inputs to go on with.
   *
   * @param olds The inputs so far; empty for a new resource.
   * @throws Error if the inputs are invalid.
   */
  check(name: string, olds: Properties, news: Properties): Promise<Properties>;
  /** `changes` is absent if the engine compares the inputs itself. */
  diff(stored: Stored, news: Properties): Promise<{ changes?: boolean; replaces: readonly string[] }>;
  /** @throws PartlyDone if the resource exists nevertheless. */
  create(name: string, news: Properties): Promise<{ id: string; outputs: Properties }>;
  /** Returns undefined if the resource is gone. Without `inputs`, they stay as they are. */
  read(stored: Stored): Promise<{ id: string; outputs: Properties; inputs?: Properties } | undefined>;
  /** @throws PartlyDone if only a part was changed. */
  update(stored: Stored, news: Properties): Promise<{ outputs: Properties }>;
  delete(stored: Stored): Promise<void>;
}

/** A create or an update was done in part. */
export class PartlyDone extends Error {
  readonly id: string;
  readonly outputs: Properties;
  readonly reasons: readonly string[];

  constructor(cause: unknown, done: { id: string; outputs: Properties; reasons: readonly string[] }) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.id = done.id;
    this.outputs = done.outputs;
    this.reasons = done.reasons;
  }
}

/** Throws the failures of a check, if there are any. */
export function requireNone(failures: readonly { property: string; reason: string }[]): void {
  if (failures.length === 0) return;
  throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
}

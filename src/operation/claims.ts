import type { z } from "zod";

/** A process that adds events. */
export interface Writer {
  /** The provider that the process is, such as `dynamic` or `native`. */
  provider: string;
  /** Identifies the platform of its resources. */
  platform: string;
  /** Whether the process still works. After its end, nothing waits for it. */
  isAlive(): boolean;
}

/**
 * The events about ownership within one operation of the engine. The engine may run several provider processes for one
 * operation. All of them apply the same events in the same order, so that each knows what the others have claimed.
 */
export interface Claims {
  /** This process. */
  own: Writer;
  /** Whether other processes may add events. */
  isShared: boolean;
  /**
   * Defines a kind of event.
   *
   * @param schema the values that an event has. They contain no values of a program's inputs, because they are written to a file.
   * @param apply applies an event to the memory of this process. Applying an event twice must have the effect of applying it once.
   * @returns a function that adds an event.
   */
  define<Values extends readonly unknown[]>(
    kind: string,
    schema: z.ZodType<Values>,
    apply: (by: Writer, ...values: Values) => void,
  ): (...values: Values) => void;
  /** Applies all events that this and the other processes have added. Call it before each question about them. */
  sync(): void;
}

/** The claims of an operation with one process. Nothing is written. */
export function ownClaims(): Claims {
  const own: Writer = { provider: "", platform: "", isAlive: () => true };
  return {
    own,
    isShared: false,
    define:
      (_, __, apply) =>
      (...values) =>
        apply(own, ...values),
    sync: () => {},
  };
}

/** The claims without the events of processes that work on another platform, whose tenants may have the same ids. */
export function onOwnPlatform(claims: Claims): Claims {
  return {
    ...claims,
    define: (kind, schema, apply) =>
      claims.define(kind, schema, (by, ...values) => {
        if (by.platform === claims.own.platform) apply(by, ...values);
      }),
  };
}

import { z } from "zod";
import { keyNouns } from "../inputs/describe-issues.ts";
import { nonEmptyString } from "../inputs/string-schema.ts";
import { valueAt } from "../json/key-path.ts";

/** What is wrong with an end that is none. */
export const untilMessage = "must be a time such as 2026-11-24T06:00:00Z";

/** The end of an override: ISO 8601 with its offset from UTC. */
export const untilSchema = z.iso.datetime({ offset: true, error: untilMessage });

/** What overrides the settings of tenants for a while, whatever they declare: docs/guides/overrides.md. */
export const overrideSchema = z
  .strictObject(
    {
      /** Pauses the tenants. They are neither synced nor moved by a rollout until the override ends. */
      paused: z.literal(true, "must be true: an override pauses tenants, and its removal restores them"),
      /** Why: for example the number of the incident. Messages and reports show it. */
      reason: nonEmptyString(),
      /** When it ends by itself. Default: when it is removed. */
      until: untilSchema.optional(),
    },
    "must be an object such as { paused: true, reason: INC-42 }",
  )
  .register(keyNouns, { noun: "a setting of an override" });

export type Override = z.infer<typeof overrideSchema>;

/** An override in inputs. After a read, `paused` is false if somebody has resumed the tenant although it is in force. */
export interface DeclaredOverride extends Omit<Override, "paused"> {
  paused: boolean;
}

/** An override in a state: see {@link DeclaredOverride}. */
export const storedOverrideSchema: z.ZodType<DeclaredOverride> = z.object({
  ...overrideSchema.shape,
  paused: z.boolean(),
});

/** What an override has taken from a tenant. */
export const overriddenSchema = z.object({
  /** Whether the platform had the tenant paused before the override began. */
  paused: z.boolean(),
});

export type Overridden = z.infer<typeof overriddenSchema>;

/**
 * Whether an override has not ended yet.
 *
 * @param now the platform's time.
 */
export function isInForce(override: Pick<Override, "until">, now: Date): boolean {
  return now.getTime() < endOf(override);
}

/**
 * Whether an override is in force for a tenant. As long as it is not known what time it is, one that is applied stays so: see
 * docs/decisions/the-platforms-time.md.
 *
 * @param overridden what the override has taken from the tenant so far.
 */
export function isInForceAt(
  { at, isBelieved }: { at: Date; isBelieved: boolean },
  override: Pick<Override, "until">,
  overridden: Overridden | undefined,
): boolean {
  return isInForce(override, at) || (!isBelieved && overridden !== undefined);
}

/** The end of an override in milliseconds since the epoch; infinite if it has none. */
export function endOf({ until }: Pick<Override, "until">): number {
  return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
}

/** The override among the inputs of a resource. In a preview it may be unknown, which counts as none. */
export function overrideOf(inputs: object): DeclaredOverride | undefined {
  return storedOverrideSchema.safeParse(valueAt(inputs, ["override"])).data;
}

/** The end of an override in messages: ` until 2026-11-24T06:00:00Z`, or nothing. */
export function describeEnd({ until }: Pick<Override, "until">): string {
  return until === undefined ? "" : ` until ${until}`;
}

/** An override in messages: `INC-42, until 2026-11-24T06:00:00Z`. */
export function describeOverride({ reason, until }: Pick<Override, "reason" | "until">): string {
  return until === undefined ? reason : `${reason}, until ${until}`;
}

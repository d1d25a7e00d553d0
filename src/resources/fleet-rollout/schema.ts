import { z } from "zod";
import { keyNouns } from "../../inputs/describe-issues.ts";
import { nonEmptyString } from "../../inputs/string-schema.ts";
import { syncTriggerInputsSchema } from "../sync-trigger/schema.ts";
import { rolloutPlanSchema } from "../tenant-fleet/rollout-plan.ts";
import { releaseRefs } from "./release-ref.ts";

const { succeededStatuses, failedStatuses, mode } = syncTriggerInputsSchema.shape;

const notAShare = 'must be a whole number such as 5, or a percentage such as "10%"';
/** A number of tenants, or a percentage of them. */
const shareSchema = z
  .union([z.int(notAShare).nonnegative(notAShare), z.string().regex(/^\d{1,3}(\.\d+)?%$/, notAShare)], notAShare)
  .optional();

const waveMessage = "must be an object such as { name: canary, tenants: [acme] } or { percent: 10 }";
export const waveSchema = z.strictObject(
  {
    /** Name in messages and in `approvals`. */
    name: nonEmptyString().optional(),
    /** Keys of the tenants. */
    tenants: z.array(nonEmptyString(), "must be a list of the keys of tenants").optional(),
    /** The share of the rollout's tenants that has moved after this wave. */
    percent: z.number("must be a number from 0 to 100").min(0).max(100).optional(),
    approval: z.literal("required", 'must be "required"').optional(),
  },
  waveMessage,
);

const skipOrLeave = z.enum(["skip", "leave"], 'must be "skip" or "leave"').optional();
const secondsSchema = z.number("must be a number of seconds").nonnegative("must not be negative").optional();

const gateSchema = z.strictObject(
  {
    sync: mode.optional(),
    minTenants: z.int("must be a whole number").nonnegative("must not be negative").optional(),
    soakSeconds: secondsSchema,
    deadlineSeconds: z.number("must be a number of seconds").positive("must be more than 0").optional(),
    whenUnconnected: skipOrLeave,
    whenPaused: skipOrLeave,
    succeededStatuses,
    failedStatuses,
  },
  "must be an object such as { soakSeconds: 3600 }",
);

export const dayMessage = "must be a day such as 2026-12-20";
const daySchema = z.string(dayMessage).regex(/^\d{4}-\d{2}-\d{2}$/, dayMessage);
/** Spans of days. A stack's YAML has days in another form. */
export function freezesSchema(day: z.ZodType<string>) {
  const freeze = z.strictObject(
    { from: day, to: day },
    "must be an object such as { from: 2026-12-20, to: 2027-01-03 }",
  );
  keyNouns.add(freeze, { noun: "a setting of a freeze" });
  return z.array(freeze, "must be a list of objects such as { from: 2026-12-20, to: 2027-01-03 }");
}

/** How a rollout moves tenants. */
export const strategyShape = {
  waves: z.array(waveSchema, "must be a list of waves, such as [{ percent: 10 }, { percent: 100 }]"),
  gate: gateSchema.optional(),
  maxUnavailable: shareSchema,
  maxFailures: shareSchema,
  onFailure: z.enum(["pause", "rollback"], 'must be "pause" or "rollback"').optional(),
  windows: z.array(nonEmptyString(), 'must be a list of cron schedules, such as ["* 9-15 * * 1-4"]').optional(),
  timeZone: nonEmptyString().optional(),
  freeze: freezesSchema(daySchema).optional(),
  approvals: z
    .record(
      z.string(),
      z.record(z.string(), nonEmptyString(), "must be an object of waves, such as { early: CHG-123 }"),
      "must be an object of releases, such as { v1.3.0: { early: CHG-123 } }",
    )
    .optional(),
  paused: z.boolean("must be true or false").optional(),
  waitSeconds: secondsSchema,
};

/** The inputs of a `FleetRollout`, as the engine sends them. */
export const fleetRolloutInputsSchema = z.strictObject({
  ...strategyShape,
  fleetName: nonEmptyString(),
  fleetUrn: nonEmptyString().optional(),
  integrationId: z.int("must be the id of an integration").positive("must be the id of an integration"),
  plan: rolloutPlanSchema,
});

keyNouns
  .add(waveSchema, { noun: "a setting of a wave" })
  .add(gateSchema, { noun: "a setting of a gate" })
  .add(fleetRolloutInputsSchema, {
    noun: "an input of a FleetRollout",
    known: ["fleet", ...Object.keys(strategyShape)],
  });

const ids = z.string();

/** A wave that has started. Each of its tenants is in one of the lists. */
const startedWaveSchema = z.object({
  name: z.string(),
  /** Tenants of later waves that joined this one, as they were moved already. */
  joined: ids,
  /** Tenants that are to move, or to prove themselves. */
  open: ids,
  proven: ids,
  /** Tenants that moved without a proof, as they are paused or not connected. */
  skipped: ids,
  /**
   * Tenants that the rollout leaves as they are, each for a reason: they could not or must not move, somebody moved them by hand
   * since, an override is in force, or they are no longer part of the rollout.
   */
  left: ids,
  failed: ids,
  startedAt: z.string(),
  /** The start of the soak: the last proof, or when no tenant was open any more. Syncs that are requested again do not move it. */
  provenAt: z.string().optional(),
  outcome: z.enum(["passed", "failed"]).optional(),
});

/** What is known of the gate's sync of a tenant. */
const pendingSyncSchema = z.object({
  /** The trigger of the sync; none if the sync has not been asked for. */
  trigger: z.string().optional(),
  /** When the sync was asked for; until then, when the tenant was first seen on the release. */
  since: z.string(),
  /** Since when the sync cannot be requested, because of errors of the platform or the network. */
  failingSince: z.string().optional(),
});

const pastRolloutSchema = z.object({
  /** Id of the release. */
  release: z.int(),
  /** Tag of the release, or its id. */
  label: z.string(),
  /** The attempt at this release. */
  attempt: z.int(),
  /** How it ended. A rollout of another release ends it as `"superseded"`. */
  outcome: z.enum(["finished", "failed", "rolled back", "superseded"]),
  /** When it ended, by the platform's clock. */
  at: z.string(),
  /** How many tenants were proven. */
  proven: z.int(),
  /** How many tenants moved without a proof. */
  skipped: z.int(),
  /** How many tenants did not move, or were moved by hand. */
  left: z.int(),
  /** How many tenants failed. */
  failed: z.int(),
  /** Why it failed. */
  reason: z.string().optional(),
});

/** Where a rollout stands. The command `rollout status` has an exit code for each. */
export const phases = ["progressing", "waiting", "failed", "done"] as const;

/** What a rollout has done so far. */
const progressShape = {
  /** The number of the plan that this is about. */
  planNumber: z.int(),
  release: z.int(),
  label: z.string(),
  attempt: z.int(),
  /** Whether it takes tenants to a new release, or back to what they ran before. */
  direction: z.enum(["forward", "back"]),
  /** Where it stands: `"waiting"` for a person, `"progressing"` for anything else that is not over. */
  phase: z.enum(phases),
  /** The status in words: `wave 3 of 5 (10%), 41 of 300 on v1.3.0, soaking until 14:05 UTC`. */
  status: z.string(),
  /** The status of a failed rollout, without what a later pause adds. A state of an earlier version lacks it. */
  failure: z.string().optional(),
  /** What is left for a person to do after the end; empty if there is nothing. */
  remaining: z.string(),
  /** How many tenants the rollout has. */
  tenants: z.int(),
  /** How many of them were seen on the release. */
  moved: z.int(),
  startedWaves: z.array(startedWaveSchema),
  pendingSyncs: z.record(z.string(), pendingSyncSchema),
  /** Why tenants were left, or failed, by their ids. */
  reasons: z.record(z.string(), z.string()),
  /** The runs that are older than the move, and so no evidence, by the ids of the tenants: see `olderRunsOf`. */
  olderFailures: z.record(z.string(), z.string()),
  /** What each tenant ran before: the last release on which it was proven, or which a rollout finished. */
  before: releaseRefs,
  /** The plan's newcomers of which {@link before} tells and that have not left. States of version 0.1.0 have no such list. */
  newcomers: ids.default(""),
  /** What tenants ran before the first of the unfinished rollouts that this one supersedes, where that differs. */
  origins: z.record(z.string(), ids),
  /** The targets of unfinished rollouts that this one supersedes. Their tenants are where a rollout left them. */
  superseded: z.array(z.int()),
  /** The release of the last rollout that finished. */
  finished: z.int().optional(),
  /** The number of that rollout's plan. A state of an earlier version lacks it. */
  finishedPlan: z.int().optional(),
  /** The releases for which approvals were given, also those that are no longer declared. A state of an earlier version lacks it. */
  approvedReleases: z
    .array(z.object({ label: z.string(), wave: z.string(), reference: z.string(), release: z.int() }))
    .default([]),
  /** The last outcomes, the latest first. */
  history: z.array(pastRolloutSchema),
  /** The latest time that the platform has told. */
  clock: z.string(),
};

export const progressSchema = z.object(progressShape);

const { plan: _, fleetUrn: __, ...storedInputsShape } = fleetRolloutInputsSchema.shape;

/** The state of a `FleetRollout`: its inputs without the fleet's URN and plan, and its progress. */
export const fleetRolloutStateSchema = z.object({ ...storedInputsShape, ...progressShape });

/** The state of a `FleetRollout` for its deletion. It may be anything, as a deletion does nothing on the platform. */
export const fleetRolloutDeletionSchema = z.custom<FleetRolloutState>();

export type Wave = z.infer<typeof waveSchema>;
export type Strategy = z.infer<z.ZodObject<typeof strategyShape>>;
export type FleetRolloutInputs = z.infer<typeof fleetRolloutInputsSchema>;
export type FleetRolloutState = z.infer<typeof fleetRolloutStateSchema>;
export type Progress = z.infer<typeof progressSchema>;
export type StartedWave = z.infer<typeof startedWaveSchema>;
export type PastRollout = z.infer<typeof pastRolloutSchema>;

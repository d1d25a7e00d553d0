import type { Strategy, Wave } from "../resources/fleet-rollout/schema.ts";
import type { RolloutEntry } from "../stack/declarations/rollout-schema.ts";
import type { DocumentationOf } from "./documentation.ts";

/** The settings of a rollout. */
export const rolloutDocumentation: DocumentationOf<RolloutEntry> = {
  waves: {
    description:
      "The waves, in order. Each `up` moves at most one. The first tolerates no failure, and the last has `percent: 100`.",
    examples: [[{ name: "canary", tenants: ["acme"] }, { percent: 10 }, { percent: 100 }]],
  },
  exclude: { description: "Keys of tenants whose release is not managed. Default: none." },
  gate: {
    description:
      "What a wave must show before it passes. Default: a successful sync of each of its tenants that can sync.",
    examples: [{ sync: "normal", soakSeconds: 3600 }],
  },
  maxUnavailable: {
    description:
      "How many tenants may be moved and not yet proven at any time: a number, or a percentage of the rollout's tenants, rounded down, and at least 1.",
    default: "10%",
    examples: [5, "10%"],
  },
  maxFailures: {
    description: "How many tenants of a wave may fail: a number, or a percentage of the wave, rounded down.",
    default: 0,
    examples: [1, "5%"],
  },
  onFailure: {
    description:
      "What happens once a wave has failed. pause: no other tenant moves. rollback: the next `up` also takes all tenants back to what they ran before.",
    default: "pause",
  },
  windows: {
    description:
      "Cron schedules of the minutes in which a wave may start, in `timeZone`. A wave that has started goes on outside of them. Default: any minute.",
    examples: [["* 9-15 * * 1-4"]],
  },
  timeZone: {
    description: "Time zone of `windows` and `freeze`, by its name.",
    default: "UTC",
    examples: ["Europe/Berlin"],
  },
  freeze: {
    description: "Spans of days in which no tenant moves and no sync runs for the rollout. Default: none.",
    examples: [[{ from: "2026-12-20", to: "2027-01-03" }]],
  },
  approvals: {
    description:
      "Approvals of waves, by the tag of the release (or its id if it has no tag) and the name of the wave, each with a reference. Those of other releases have no effect.",
    examples: [{ "v1.3.0": { early: "CHG-123" } }],
  },
  paused: { description: "Whether the rollout stands still, and the way back too.", default: false },
  attempt: { description: "Raise it to try a release again that has failed.", default: 1 },
  waitSeconds: {
    description:
      "How long an `up` waits for runs and soaks, in seconds. All rollouts of an `up` share the time. The next `up` goes on.",
    default: 120,
  },
};

/** The settings of a wave. */
export const waveDocumentation: DocumentationOf<Wave> = {
  name: { description: "Name in messages and in `approvals`." },
  tenants: { description: "Keys of the tenants of the wave." },
  percent: {
    description:
      "The share of the rollout's tenants, from 0 to 100, that has moved after this wave. The last wave has 100.",
  },
  approval: { description: "required: the wave waits for its entry in `approvals`. It must have a name." },
};

/** The settings of a gate. */
export const gateDocumentation: DocumentationOf<NonNullable<Strategy["gate"]>> = {
  sync: { description: "Mode of the sync that proves a tenant.", default: "normal" },
  minTenants: {
    description: "How many tenants of a wave must be proven. A wave with fewer waits for a person.",
    default: 1,
  },
  soakSeconds: {
    description:
      "How long a wave is watched after its last proof, in seconds. A tenant whose run fails in this time has failed.",
    default: 0,
  },
  deadlineSeconds: {
    description:
      "How long the sync that proves a tenant may take, in seconds from its request. If an older run prevents the request, the time counts from when the tenant was seen on the release. After that the tenant has failed.",
    default: 86_400,
  },
  whenUnconnected: {
    description: "A tenant that is not connected cannot sync. skip: it moves without a proof. leave: it does not move.",
    default: "skip",
  },
  whenPaused: {
    description: "A paused tenant is not synced. skip: it moves without a proof. leave: it does not move.",
    default: "skip",
  },
  succeededStatuses: { description: "Status words that mean success, in addition to the built-in ones." },
  failedStatuses: { description: "Status words that mean failure, in addition to the built-in ones." },
};

/** A freeze. */
export const freezeDocumentation: DocumentationOf<NonNullable<Strategy["freeze"]>[number]> = {
  from: { description: "The first day." },
  to: { description: "The last day, which is frozen too." },
};

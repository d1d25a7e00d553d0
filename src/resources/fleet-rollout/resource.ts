import type * as pulumi from "@pulumi/pulumi";
import { PlatformResource } from "../pulumi/platform-resource.ts";
import type { TenantFleet } from "../tenant-fleet/resource.ts";
import type { RolloutPlan } from "../tenant-fleet/rollout-plan.ts";
import type { PastRollout, Progress } from "./schema.ts";

/** A wave: tenants by key, or a share of the rollout's tenants. */
export interface WaveArgs {
  /** Name in messages and in `approvals`. Default: the percentage, or the keys of the tenants. */
  name?: string | undefined;
  /** Keys of the tenants. */
  tenants?: string[] | undefined;
  /** The share of the rollout's tenants, from 0 to 100, that has moved after this wave. The last wave has 100. */
  percent?: number | undefined;
  /** `"required"`: the wave waits for its entry in {@link FleetRolloutArgs.approvals}. */
  approval?: "required" | undefined;
}

/** What a wave must show before it passes. */
export interface GateArgs {
  /** Mode of the sync that proves a tenant (specification, Tenants: sync). Default `"normal"`. */
  sync?: "normal" | "init" | undefined;
  /** How many tenants of a wave must be proven. A wave with fewer waits for a person. Default 1. */
  minTenants?: number | undefined;
  /** How long a wave is watched after its last proof. A failed run in this time fails its tenant. Default 0. */
  soakSeconds?: number | undefined;
  /**
   * How long the sync that proves a tenant may take, from its request. If an older run prevents the request, the time counts
   * from when the tenant was seen on the release. After that the tenant has failed. Default 86,400.
   */
  deadlineSeconds?: number | undefined;
  /** A tenant that is not connected cannot sync. `"skip"` moves it without a proof; `"leave"` does not move it. Default `"skip"`. */
  whenUnconnected?: "skip" | "leave" | undefined;
  /** A paused tenant is not synced. `"skip"` moves it without a proof; `"leave"` does not move it. Default `"skip"`. */
  whenPaused?: "skip" | "leave" | undefined;
  /** More words for the status of a successful run: see `SyncTriggerArgs.succeededStatuses`. */
  succeededStatuses?: string[] | undefined;
  /** More words for the status of a failed run: see `SyncTriggerArgs.failedStatuses`. */
  failedStatuses?: string[] | undefined;
}

/** A span of days, both ends included. */
export interface FreezeArgs {
  /** The first day, such as `"2026-12-20"`. */
  from: string;
  /** The last day, such as `"2027-01-03"`. */
  to: string;
}

/** What the provider gets of the fleet. */
export interface RolledOutFleetArgs {
  /** Name of the fleet. */
  fleetName: pulumi.Input<string>;
  /**
   * URN of the fleet. Without it, a preview of two fleets of one name neither checks nor shows the waves of their rollouts.
   */
  fleetUrn?: pulumi.Input<string> | undefined;
  /** Id of the fleet's integration. */
  integrationId: pulumi.Input<number>;
  /** The fleet's output `rolloutPlan`, as it is. */
  plan: pulumi.Input<RolloutPlan | undefined>;
}

/** The arguments of a {@link FleetRollout}. */
export interface FleetRolloutArgs {
  /** The fleet. Its `rollout` says which release the tenants get. */
  fleet: TenantFleet;
  /** The waves, in order. The last is `{ percent: 100 }`. The first tolerates no failure. */
  waves: pulumi.Input<WaveArgs[]>;
  /** What a wave must show before it passes. Default: a successful sync of each tenant that can sync. */
  gate?: pulumi.Input<GateArgs> | undefined;
  /**
   * How many tenants may be moved and not yet proven at any time: a number, or a share of the rollout's tenants such as
   * `"10%"`, rounded down, and at least 1. Default `"10%"`.
   */
  maxUnavailable?: pulumi.Input<number | string> | undefined;
  /** How many tenants of a wave may fail: a number, or a share of the wave, rounded down. Default 0. */
  maxFailures?: pulumi.Input<number | string> | undefined;
  /** What happens once a wave has failed: nobody else moves, or the next `up` takes all back as well. Default `"pause"`. */
  onFailure?: pulumi.Input<"pause" | "rollback"> | undefined;
  /** Cron schedules of the minutes in which a wave may start, such as `["* 9-15 * * 1-4"]`. Default: any minute. */
  windows?: pulumi.Input<string[]> | undefined;
  /** Time zone of `windows` and `freeze`, such as `"Europe/Berlin"`. Default UTC. */
  timeZone?: pulumi.Input<string> | undefined;
  /** Spans of days, both ends included, in which nothing moves and nothing syncs. */
  freeze?: pulumi.Input<FreezeArgs[]> | undefined;
  /** Approvals of waves by release and wave, with a reference as the value: `{ "v1.3.0": { early: "CHG-123" } }`. */
  approvals?: pulumi.Input<Record<string, Record<string, string>>> | undefined;
  /** Whether the rollout stands still. Default false. */
  paused?: pulumi.Input<boolean> | undefined;
  /**
   * How long an `up` waits for runs and soaks, in seconds; all rollouts of an `up` share the time, as the stack is locked
   * meanwhile. The next `up` goes on. Default 120.
   */
  waitSeconds?: pulumi.Input<number> | undefined;
}

/**
 * Moves the tenants of a fleet to a release in waves, each proven by real syncs, and stops by itself when they fail
 * (docs/guides/rollouts.md; specification, Tenant: `integration_release_id`). Each `up` does what can be done now, at most one wave.
 * Deleting the resource does nothing on the platform.
 *
 * @example
 * const fleet = new TenantFleet("billing", { integration: "crm-to-billing", tenants, rollout: { release: { tag: "v1.3.0" } } });
 * new FleetRollout("billing", { fleet, waves: [{ name: "canary", tenants: ["acme"] }, { percent: 10 }, { percent: 100 }] });
 */
export class FleetRollout extends PlatformResource {
  /** Where the rollout stands: `"progressing"`, `"waiting"` for a person, `"failed"` or `"done"`. */
  declare readonly phase: pulumi.Output<Progress["phase"]>;
  /** The status in words, such as `wave 3 of 5 (10%), 41 of 300 on v1.3.0, soaking until 14:05 UTC`. */
  declare readonly status: pulumi.Output<string>;
  /** Id of the release. */
  declare readonly release: pulumi.Output<number>;
  /** How many tenants are on the release. */
  declare readonly moved: pulumi.Output<number>;
  /** How many tenants the rollout has. */
  declare readonly tenants: pulumi.Output<number>;
  /** What a person must do after the end, as the API cannot; empty if nothing. */
  declare readonly remaining: pulumi.Output<string>;
  /** The last 20 outcomes, the latest first. */
  declare readonly history: pulumi.Output<PastRollout[]>;

  constructor(name: string, { fleet, ...strategy }: FleetRolloutArgs, options: pulumi.CustomResourceOptions = {}) {
    // a program without types may lack the fleet, perhaps for a typo that the check then names
    const { name: fleetName, urn: fleetUrn, integrationId, rolloutPlan: plan }: Partial<typeof fleet> = fleet ?? {};
    const ofFleet: Partial<RolledOutFleetArgs> = { fleetName, fleetUrn, integrationId, plan };
    super(
      { type: "FleetRollout", provider: "fleetRollout" },
      name,
      strategy,
      {
        ...ofFleet,
        waves: strategy.waves,
        gate: strategy.gate,
        maxUnavailable: strategy.maxUnavailable,
        maxFailures: strategy.maxFailures,
        onFailure: strategy.onFailure,
        windows: strategy.windows,
        timeZone: strategy.timeZone,
        freeze: strategy.freeze,
        approvals: strategy.approvals,
        paused: strategy.paused,
        waitSeconds: strategy.waitSeconds,
        phase: undefined,
        status: undefined,
        release: undefined,
        moved: undefined,
        tenants: undefined,
        remaining: undefined,
        history: undefined,
      },
      () => ({}),
      options,
    );
  }
}

import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../json/defined.ts";
import type { FleetRolloutArgs } from "../../resources/fleet-rollout/resource.ts";
import type { FleetTargetArgs } from "../../resources/tenant-fleet/resource.ts";
import type { FleetEntry } from "../declarations/schema.ts";

/**
 * To which release a rollout takes the tenants: that of the fleet's defaults.
 *
 * @param releases the ids of the builds' releases, by the keys of the builds.
 */
export function targetArgs(
  { rollout, defaults }: FleetEntry,
  releases: Readonly<Record<string, pulumi.Input<number>>>,
): FleetTargetArgs | undefined {
  if (rollout === undefined) return undefined;
  const { build, id, tag } = defaults?.release ?? {};
  const release = build === undefined ? defined({ id, tag }) : { id: releases[build] };
  return defined({ release, attempt: rollout.attempt, exclude: rollout.exclude });
}

/** How a rollout moves the tenants. */
export function rolloutArgs({ rollout }: FleetEntry): Omit<FleetRolloutArgs, "fleet"> | undefined {
  if (rollout === undefined) return undefined;
  const { attempt: _, exclude: __, ...strategy } = rollout;
  return defined(strategy);
}

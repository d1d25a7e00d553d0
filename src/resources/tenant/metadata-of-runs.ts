import { formatPath } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { runEndedSince, type SettledMetadata, settledMetadata } from "../../operation/settled-metadata.ts";
import type { Desired } from "./desired.ts";
import { describeTenant, type ObservedTenant, withSeen } from "./observed-tenant.ts";
import { reasonToWait } from "./waiting.ts";

/** A tenant whose metadata has just been read, to be written as a whole. */
export interface ReadForWrite {
  tenant: ObservedTenant;
  /** What the read has shown of runs; absent if the tenant can have none. */
  settled?: SettledMetadata | undefined;
}

/** Reads the metadata immediately before it is written as a whole. If the tenant may have a run, that must not be about to end. */
export async function readForWrite(context: OperationContext, tenant: ObservedTenant): Promise<ReadForWrite> {
  const { id, isRead, integration } = tenant;
  const { tenants } = integration;
  if (reasonToWait(tenant, integration) !== undefined) {
    const metadata = isRead ? undefined : await readMetadata(context, tenants, id);
    return { tenant: metadata === undefined ? tenant : withSeen(tenant, { metadata }) };
  }
  const settled = await settledMetadata(context, tenants, id);
  return settled === undefined ? { tenant } : { tenant: withSeen(tenant, { metadata: settled.metadata }), settled };
}

/**
 * Warns if a run has ended while the metadata was written as a whole: what it wrote may be lost. That takes a run that begins and
 * ends within the time of two requests.
 */
export async function warnOfRunMeanwhile(
  context: OperationContext,
  { settings: { metadata: declared = {} } }: Pick<Desired, "settings">,
  { tenant, settled }: { tenant: ObservedTenant; settled: SettledMetadata },
): Promise<void> {
  const run = await runEndedSince(context, tenant.integration.tenants, tenant.id, settled);
  const others = Object.keys(settled.metadata).filter((key) => !Object.hasOwn(declared, key));
  if (run === undefined || others.length === 0) return;
  const keys = shortList(others.map((key) => formatPath(["metadata", key])));
  context.warn(
    `${describeTenant(tenant)}: run ${run.id ?? "of an unknown id"} ended while its metadata was written. If the run wrote one of ${keys}, ` +
      "that has the value from before now, and the integration may do work twice: look at them in the console",
  );
}

/**
 * What the official dynamic provider host loads: each resource's `__provider` text names one of these exports.
 *
 * @module
 */
import { connect } from "./connect.ts";
import { leaveWithEngine } from "./leave-with-engine.ts";
import { providersOf } from "./providers.ts";

leaveWithEngine(); // the host loads this for the first resource, and it is the first of ours that runs there

export const { tenant, tenantMetadata, build, syncTrigger, tenantFleet } = providersOf(connect);

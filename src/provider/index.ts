/**
 * What the official dynamic provider host loads: each resource's `__provider` text names one of these exports.
 *
 * @module
 */
import { connect } from "./connect.ts";
import { providersOf } from "./providers.ts";

export const { tenant, tenantMetadata, build, syncTrigger, tenantFleet } = providersOf(connect);

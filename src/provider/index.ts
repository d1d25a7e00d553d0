/**
 * The module that the official dynamic provider host loads. Each resource's `__provider` property names one of its exports.
 *
 * @module
 */
import { connect, engineAddress } from "./connect.ts";
import { exitWithParent } from "./exit-with-parent.ts";
import { providersOf } from "./providers.ts";

exitWithParent(engineAddress); // the host loads this module at the first resource, so this runs before all other code of the package

export const { tenant, tenantMetadata, build, syncTrigger, tenantFleet, fleetRollout } = providersOf(connect);

import { buildAndSyncEndpoints } from "./builds-and-syncs.ts";
import { connectorEndpoints } from "./connectors.ts";
import type { Endpoint } from "./endpoint.ts";
import { integrationEndpoints } from "./integrations.ts";
import { runEndpoints } from "./runs.ts";
import { tenantEndpoints } from "./tenants.ts";

/**
 * All endpoints of the specification. The app serves this list and `/openapi.json` describes it.
 *
 * The endpoints that change tenants come last, because test tools try the endpoints in this order.
 */
export const endpoints: readonly Endpoint[] = [
  ...integrationEndpoints,
  ...buildAndSyncEndpoints,
  ...runEndpoints,
  ...connectorEndpoints,
  ...tenantEndpoints,
];

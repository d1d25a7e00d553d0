import { invalid } from "../http/problems.ts";
import type { Platform } from "../platform.ts";

/**
 * Refuses a name that another live tenant of the integration has, where names are unique; see the variant `names`.
 *
 * @param tenantId the tenant that is to have the name, when there is one already.
 * @throws InvalidRequest
 */
export function requireFreeName(platform: Platform, integrationId: number, name: string, tenantId?: number): void {
  if (platform.variants.names === "free") return;
  const others = platform.store.tenants.findLive(integrationId, name).filter((id) => id !== tenantId);
  if (others.length === 0) return;
  throw invalid(["body", "name"], `integration ${integrationId} has a tenant "${name}" already`, name);
}

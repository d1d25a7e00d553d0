import type { IntegrationScope } from "../integration-scope.ts";
import type { Observed } from "./settings.ts";

/** A tenant as last seen. */
export interface TenantView {
  integration: IntegrationScope;
  id: number;
  observed: Observed;
  /** Whether that comes from a read. What the platform answers to a write is a hint, no proof. */
  isRead: boolean;
}

/** `tenant "acme" (id 5)`: begins every message about a tenant, as the engine does not name the resource everywhere. */
export function describeTenant({ id, observed }: Pick<TenantView, "id" | "observed">): string {
  return `tenant "${observed.tenant.name}" (id ${id})`;
}

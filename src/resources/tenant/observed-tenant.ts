import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed } from "../../settings/setting.ts";
import type { SomeSettings } from "../../settings/table.ts";

/** A tenant as last observed. Each write and each read returns a new object. */
export interface ObservedTenant extends Readonly<Observed> {
  readonly integration: IntegrationScope;
  readonly id: number;
  /** Whether it comes from a read. The response to a write does not verify the write. */
  readonly isRead: boolean;
  readonly history: WriteHistory;
}

/** What is known about earlier writes to a tenant. */
export interface WriteHistory {
  /** The settings of the state before this operation. */
  readonly stored: SomeSettings;
  /** The settings that were last written or read. They replace what the platform hides or omits. */
  readonly lastKnown: SomeSettings;
  /** The settings that a read returned as written, except for the values at the unreadable paths. */
  readonly readBack: SomeSettings;
  /** The paths where a read did not return the written value, for example `["configs", "api_token"]`. */
  readonly unreadablePaths: readonly SettingPath[];
  /**
   * The free-form settings that this operation has sent, as they were before. A read that still shows one of their secrets may not
   * show the write yet.
   */
  readonly beforeWrite: SomeSettings;
  /** Whether the platform omits secrets from reads. */
  readonly leavesOutSecrets: boolean;
  /** Whether this operation created the tenant. If so, it has no undeclared values. */
  readonly isNew: boolean;
  /** Whether others may have written its metadata: not if this operation has created it, and the response was prompt. */
  readonly mayBeChanged: boolean;
}

/** The history of a tenant to which this package has never written. */
export const noHistory: WriteHistory = {
  stored: {},
  lastKnown: {},
  readBack: {},
  unreadablePaths: [],
  beforeWrite: {},
  leavesOutSecrets: false,
  isNew: false,
  mayBeChanged: true,
};

/** The history of a tenant according to its state. */
export function storedHistory(settings: SomeSettings, unreadablePaths: readonly SettingPath[] = []): WriteHistory {
  return { ...noHistory, stored: settings, lastKnown: settings, readBack: settings, unreadablePaths };
}

/** The start of messages about a tenant, `tenant "acme" (id 5)`, as the engine does not always name the resource. */
export function describeTenant({ id, tenant }: Pick<ObservedTenant, "id" | "tenant">): string {
  return `tenant "${tenant.name}" (id ${id})`;
}

/** The tenant updated with what was just observed. Also updates the operation's tenant directory. */
export function withSeen(before: ObservedTenant, seen: Partial<Observed>): ObservedTenant {
  const tenant = { ...before, ...seen };
  tenant.integration.tenants.set(tenant.tenant);
  return tenant;
}

import { z } from "zod";
import { defined } from "../../json/defined.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { Removal } from "../../settings/patch-ways.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed } from "../../settings/setting.ts";
import type { ShownAs } from "../../settings/shown-as.ts";
import type { KeysName, SettingName, SomeSettings } from "../../settings/table.ts";

/** A declared setting that is not written before something has happened. */
export const waitingForSchema = z.object({
  /** The setting, or the key of one: `["paused"]`, `["configs", "account"]`. */
  path: z.array(z.string()),
  /** Why, such as `its connector "crm" has the status "pending"`. */
  reason: z.string(),
  /** What must happen first: the customer connects the tenant, or an `init` sync finds what may be chosen. */
  until: z.enum(["connected", "options"]),
});

export type WaitingFor = z.infer<typeof waitingForSchema>;

/** A tenant as last observed. Each write and each read returns a new object. */
export interface ObservedTenant extends Readonly<Observed> {
  readonly integration: IntegrationScope;
  readonly id: number;
  /**
   * Whether it counts as read: it comes from a read, or from the answers to all writes of a platform whose profile says that they show
   * what is stored. Any other answer does not verify a write.
   */
  readonly isRead: boolean;
  readonly history: WriteHistory;
}

/** What is known about the writes to a tenant: what a state keeps of earlier operations, and the writes of this one. */
export interface WriteHistory {
  /** The settings of the state before this operation. */
  readonly stored: SomeSettings;
  /** The settings that were last written or read. They replace what the platform hides or omits. */
  readonly lastKnown: SomeSettings;
  /** The paths of the secrets that reads hide, for example `["configs", "api_token"]`. */
  readonly unreadablePaths: readonly SettingPath[];
  /** The values that the platform shows in a form of its own. */
  readonly shownAs: ShownAs;
  /** What waits for the connection of the tenant. */
  readonly waitingFor: readonly WaitingFor[];
  /** The tenant as it was before this operation first wrote a setting, by setting; before a POST it had nothing. */
  readonly before: { readonly [Name in SettingName]?: Observed | "nothing" };
  /** The tenant as it was read before this operation last wrote a setting, by setting; absent until it writes it again. */
  readonly beforeLast: { readonly [Name in SettingName]?: Observed };
  /** How the accepted writes of this operation have removed keys of a free-form object, the last one last. */
  readonly removals: { readonly [Name in KeysName]?: readonly Removal[] };
  /** What the answers to the last writes of this operation show. */
  readonly answered: Partial<Observed>;
  /** Whether this operation created the tenant. If so, it has no undeclared values. */
  readonly isNew: boolean;
  /** Whether others may have written its metadata: not if this operation has created it, and the response was prompt. */
  readonly mayBeChanged: boolean;
}

/** What a state keeps of the writes to a tenant. */
export const keptHistoryShape = {
  /** The paths of the secrets that reads hide, also of those that are yet to be removed. Absent if there are none. */
  unreadablePaths: z.array(z.array(z.string())).optional(),
  /** The values that the platform shows in a form of its own: see {@link ShownAs}. Absent if there are none. */
  shownAs: z.record(z.string(), z.string()).optional(),
  /** The declared settings that wait. Absent if there are none. */
  waitingFor: z.array(waitingForSchema).optional(),
  /** The release that the tenant ran when `up` last wrote it, if it follows the channel `Latest`: its tag, or its id. */
  latest: z.string().optional(),
};

export type KeptHistory = z.infer<z.ZodObject<typeof keptHistoryShape>>;

/** The properties of a state that are its {@link KeptHistory}, without absent ones. */
export function keptProperties({ unreadablePaths, shownAs, waitingFor, latest }: KeptHistory): KeptHistory {
  return defined({ unreadablePaths, shownAs, waitingFor, latest });
}

/** The history of a tenant to which this package has never written. */
export const noHistory: WriteHistory = {
  stored: {},
  lastKnown: {},
  unreadablePaths: [],
  shownAs: {},
  waitingFor: [],
  before: {},
  beforeLast: {},
  removals: {},
  answered: {},
  isNew: false,
  mayBeChanged: true,
};

/** The history of a tenant according to its state. */
export function storedHistory(settings: SomeSettings, kept: KeptHistory): WriteHistory {
  const { unreadablePaths = [], shownAs = {} } = kept;
  const waitingFor = (kept.waitingFor ?? []).filter(({ until }) => until === "connected");
  return { ...noHistory, stored: settings, lastKnown: settings, unreadablePaths, shownAs, waitingFor };
}

/** Whether this operation has written a setting, or may have, as the answer was lost. */
export function isWritten({ before }: WriteHistory, name: SettingName): boolean {
  return before[name] !== undefined;
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

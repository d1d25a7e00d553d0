import type { z } from "zod";
import type { CreateTenant, Tenant, TenantPatch } from "../api/index.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import type { PlatformAnswers } from "../platform-profile/questions.ts";
import type { SecretTable } from "../secrets/secret-table.ts";
import type { Releases } from "../snapshot/index.ts";
import type { KeysPatch, Removal } from "./patch-ways.ts";
import type { NotCompared, SettingPath } from "./reveal.ts";
import type { ShownAs } from "./shown-as.ts";

/**
 * Everything that this package knows about one setting of a tenant. Checks, diffs, writes, reads, the stack's YAML,
 * fleets, drift, export and take-over iterate over the table of settings (`table.ts`) and use these members.
 *
 * @typeParam Written the form in which a user declares the value.
 * @typeParam Resolved the form that the API accepts: see {@link Setting.resolve}.
 * @typeParam Stored the form that a read returns and the state stores, if it allows more values than the declared form.
 */
export interface Setting<Written, Resolved = Written, Stored = Written> {
  /** The shape of a declared value. */
  readonly schema: z.ZodType<Written>;
  /** The shape of an observed value. Default: {@link Setting.schema}. */
  readonly storedSchema?: z.ZodType<Stored>;
  /**
   * `"keys"` is a free-form object. Only its declared top-level keys are managed, secrets may be at any depth, a schema of
   * the release describes it, and the layers of a stack's YAML are merged. `"value"` is anything else.
   */
  readonly kind: "value" | "keys";
  /** Whether `sync.on` of a stack accepts this setting, so that a change to it requests a sync. */
  readonly triggersSync: boolean;

  /**
   * Converts a declared value to the form that the API accepts. May send requests. Default: the declared value.
   *
   * @throws UnknownNameError if the value names something that does not exist on the platform.
   */
  resolve?(written: Written, releases: Releases): Promise<Resolved>;
  /** Why a value of the right shape is invalid. It is not called for a value that the tenant already has. */
  problemOf?(written: Written): string | undefined;
  /** Why the platform may refuse a valid value that the tenant does not have yet. */
  doubtOf?(written: Written, live: JsonValue | undefined): string | undefined;
  /** The live value in the API's form; `undefined` if the platform omits it. */
  live(observed: Observed): JsonValue | undefined;

  /**
   * The live value in the form of a declared one, for a setting that the platform may show in a form of its own; `undefined` if the
   * platform omits it. Absent for all other settings.
   */
  shown?(observed: Observed): JsonValue | undefined;

  /** The observed value; the declared value if both are semantically equal; `undefined` if the tenant has none. */
  observe(comparison: Comparison<Written>): Stored | undefined | Promise<Stored | undefined>;
  /** The paths within a declared value where the last written value takes the place of the live one, and why. */
  pathsNotCompared?(comparison: Comparison<Written>): { path: SettingPath; why: NotCompared }[];
  /** The paths within the value that differ from the declaration; `[[]]` is the whole. Default: the whole, unless equal. */
  pendingPaths?(pending: Pending<Written>): SettingPath[];
  /** Whether two declared values are semantically equal. Default: whether they are deeply equal. */
  areEquivalent?(left: Written, right: Written, schemas: Schemas): boolean;
  /** The field that the platform omitted from the tenant and without which the declared value cannot be compared. */
  absentField?(written: Written, tenant: Tenant): string | undefined;

  /** The fields of the POST that creates a tenant. Absent if a POST cannot set the value. */
  createFields?(resolved: Resolved): Partial<CreateTenant> | undefined;
  /** The paths where a live tenant differs from one that a POST with this value would create. Default: pendingPaths. */
  unlikeCreated?(pending: Pending<Written>): SettingPath[];
  /** The request that writes a change. */
  readonly write: TenantWrite<Written, Resolved> | MetadataWrite<Written, Resolved>;

  /** The value that a stack declares to take the tenant over, and what was left out of it. */
  export(context: ExportContext): Exported<Written> | Promise<Exported<Written>>;
}

/** A write with the PATCH of the tenant (specification, Tenants). */
export interface TenantWrite<Written, Resolved> {
  readonly endpoint: "tenant";
  fields(change: Change<Written, Resolved>): TenantPatch;
  /** Whether the value is written separately, after a read has verified all other settings. Default: false. */
  isWrittenLast?(written: Written): boolean;
}

/** A write of the whole metadata with its PATCH (specification, TenantMetadata). */
export interface MetadataWrite<Written, Resolved> {
  readonly endpoint: "metadata";
  data(change: Change<Written, Resolved>): JsonObject;
}

/** A tenant and its metadata, as read. */
export interface Observed {
  tenant: Tenant;
  /** Empty if no metadata is managed, because it is not read then. */
  metadata: JsonObject;
}

/** The schemas of the release that a tenant runs or is going to run. */
export interface Schemas {
  configs: ReleaseSchema;
  metadata: ReleaseSchema;
}

/** A declared value and what is needed to compare it with the observed one. */
export interface Comparison<Written> {
  declared: Written;
  /** The value that was last written or read. It replaces what the platform hides or omits. */
  lastKnown: Written | undefined;
  observed: Observed;
  schemas: Schemas;
  /** The paths within the value of the secrets that reads hide. */
  unreadable: readonly SettingPath[];
  /** The values of all settings that the platform shows in a form of its own. */
  shownAs: ShownAs;
  /** What the profile of the platform says. */
  platform: PlatformAnswers;
  releases: Releases;
  /** The values of the references to secrets in the declared value. They must be loaded. */
  secrets: SecretTable;
}

/** A declared value and the observed one, to find the changes that are still pending. */
export interface Pending<Written> {
  declared: Written | undefined;
  /** The observed value, as {@link Setting.observe} returns it. */
  seen: Written | undefined;
  /** Keys that were declared before and no longer are. */
  removed: readonly string[];
  observed: Observed;
  schemas: Schemas;
}

/** A change to write. */
export interface Change<Written, Resolved = Written>
  extends Pick<Pending<Written>, "removed" | "observed" | "schemas"> {
  declared: Written | undefined;
  resolved: Resolved | undefined;
  /** See also `unseen`. */
  removal: Removal;
  /** What the platform makes of the keys that a PATCH does not have. */
  patch: KeysPatch;
  /** See {@link Comparison.shownAs}. */
  shownAs: ShownAs;
  /** The paths of removed values that reads do not show and that are to be sent as null. */
  unseen: readonly SettingPath[];
  /** The values of the references to secrets in the declared value. They must be loaded. */
  secrets: SecretTable;
}

/** What the export of a setting needs. */
export interface ExportContext {
  observed: Observed;
  schemas: Schemas;
  releases: Releases;
}

/** An exported value, `undefined` if there is nothing to declare, and what was left out. */
export interface Exported<Written> {
  value: Written | undefined;
  leftOut: LeftOut[];
  /** Why the value has this form, for a comment beside it. */
  note?: string;
}

/** A setting or a key that is not exported, so that `up` does not manage it. */
export interface LeftOut {
  /** For example `["configs", "api_token"]` or `["release"]`. */
  path: SettingPath;
  reason:
    | "looks like a secret"
    | "cannot be declared"
    | "cannot be held by a stack's file, which Pulumi reads otherwise"
    | "is no longer among the integration's releases";
}

import * as pulumi from "@pulumi/pulumi";
import type { JsonObject } from "../../json/json-value.ts";
import type { ReleaseSelector } from "../../settings/release.ts";
import { type SettingName, settingNames, type TenantSettings } from "../../settings/table.ts";
import { warnOfLatestInProduction } from "../pulumi/latest-in-production.ts";
import { logicalNameUnless } from "../pulumi/logical-name.ts";
import { PlatformResource } from "../pulumi/platform-resource.ts";
import { secretPaths } from "../pulumi/secret-paths.ts";
import { declareOwnMetadata } from "./declared-metadata.ts";

/** The settings as a program declares them. Each may be an output of another resource. */
type SettingArgs = {
  [Name in keyof Omit<TenantSettings, "name" | "release">]?:
    | pulumi.Input<
        JsonObject extends TenantSettings[Name] ? Record<string, unknown> : NonNullable<TenantSettings[Name]>
      >
    | undefined;
};

/** The settings as outputs. A setting that is not declared is `undefined`. */
type SettingOutputs = {
  [Name in SettingName]-?: pulumi.Output<
    JsonObject extends TenantSettings[Name] ? Record<string, unknown> | undefined : TenantSettings[Name]
  >;
};

/**
 * The arguments of a {@link Tenant}. The name and the integration are always managed. Other settings are managed only if
 * they are declared; undeclared settings keep their live values.
 */
export interface TenantArgs extends SettingArgs {
  /** Name or id of the integration. A change replaces the tenant: it is archived, and a new one is created. */
  integration: pulumi.Input<string | number>;
  /**
   * Name of the tenant: at most 63 lowercase letters, digits and `-`, with `-` neither first nor last (specification,
   * CreateTenant). The name of an existing tenant may be longer.
   * Default: the name of the resource. A change renames the tenant in place. Two live tenants of an integration cannot be
   * declared with the same name.
   */
  name?: pulumi.Input<string> | undefined;
  /**
   * Release to run: `{ id }`, `{ tag }`, `{ channel: "Latest" | "Default" }`, or the id as a number (specification, Tenant:
   * `integration_release_id`, `integration_release_channel`). A new release on the channel is no drift.
   */
  release?: pulumi.Input<number | ReleaseArgs> | undefined;
  /**
   * What to do if a live tenant of that name already exists when the resource is created. Default `"safe"`.
   * - `"safe"` takes it over if it matches what this resource would create, and is an error otherwise.
   * - `"never"` is an error.
   * - `true` takes it over and applies these settings to it.
   * - An id takes over the tenant with that id and applies these settings to it.
   */
  adopt?: pulumi.Input<"never" | "safe" | true | number> | undefined;
  /**
   * Whether the tenant may be archived while a customer has connected it. Default false. Set it in one `up` before the one
   * that deletes the resource, as Pulumi deletes with the arguments in the state.
   */
  forceArchive?: pulumi.Input<boolean> | undefined;
  /**
   * Pauses the tenant for a while, whatever `paused` says: see {@link OverrideArgs}. All other settings are applied as usual.
   * Default: no override.
   */
  override?: pulumi.Input<OverrideArgs> | undefined;
  /**
   * What a declared config or metadata value is that violates the schema of the release. Default: what the stack's config
   * `integration-platform:schemaViolations` says, and `"error"` without it.
   * - `"error"` refuses it in previews and before anything is written.
   * - `"warn"` warns of it and writes it. The platform may still refuse it.
   * - `"off"` writes it without a word.
   */
  schemaViolations?: pulumi.Input<"error" | "warn" | "off"> | undefined;
}

/**
 * An override, for example in an incident: it pauses tenants before anything else is written. While it is in force, they are
 * not synced, and no rollout moves them. When it ends, each tenant gets the `paused` that it declares. A tenant that declares
 * none is resumed if it ran before the override. Otherwise it stays as it is.
 */
export interface OverrideArgs {
  /** Must be true: an override pauses tenants, and its end restores them. */
  paused: pulumi.Input<true>;
  /** Why, such as the number of the incident. Previews and reports show it. */
  reason: pulumi.Input<string>;
  /**
   * When the override ends by itself, by the platform's clock, such as `2026-11-24T06:00:00Z`. The first `up` after that
   * restores the tenants. Default: it ends when it is removed.
   */
  until?: pulumi.Input<string> | undefined;
}

/** A declared setting that is not written before something has happened. */
export interface AwaitedSetting {
  /** The setting, or the key of one: `["paused"]`, `["configs", "account"]`. */
  path: string[];
  /** Why it cannot be written yet, such as `its connector "crm" has the status "pending"`. */
  reason: string;
  /**
   * What must happen first. `"connected"`: the customer connects the tenant. `"options"`: an `init` sync finds what may be chosen
   * for a dynamic choice, which also needs the connection.
   */
  until: "connected" | "options";
}

/** Selects a release in exactly one of three ways. */
export interface ReleaseArgs {
  /** Id of the release. */
  id?: pulumi.Input<number> | undefined;
  /** Tag of the release. */
  tag?: pulumi.Input<string> | undefined;
  /** `"Default"` follows the integration's default release, `"Latest"` the latest one. */
  channel?: pulumi.Input<"Latest" | "Default"> | undefined;
}

/**
 * A tenant of an integration (specification, Tenant): an installed instance with its own configs, schedule and release.
 * Deleting the resource archives the tenant, unless a customer has connected it and `forceArchive` is not set.
 *
 * @example
 * new Tenant("acme", {
 *   integration: "crm-to-billing",
 *   schedule: "30 5 * * *",
 *   release: { tag: "v1.0.0" },
 *   paused: false,
 *   configs: { region: "eu", api_token: config.requireSecret("acmeToken") },
 *   metadata: { plan: "gold" },
 * });
 */
export class Tenant extends PlatformResource implements SettingOutputs {
  /** Id of the tenant on the platform. */
  declare readonly tenantId: pulumi.Output<number>;
  /** Id of the tenant's integration. */
  declare readonly integrationId: pulumi.Output<number>;
  /** What the tenant had before its override began. Only while it is overridden. */
  declare readonly overridden: pulumi.Output<{ paused: boolean } | undefined>;
  /** The declared settings that wait, and what for. Only while some do. */
  declare readonly waitingFor: pulumi.Output<AwaitedSetting[] | undefined>;
  declare readonly name: pulumi.Output<string>;
  declare readonly schedule: pulumi.Output<string | undefined>;
  declare readonly release: pulumi.Output<ReleaseSelector | undefined>;
  declare readonly paused: pulumi.Output<boolean | undefined>;
  declare readonly configs: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | undefined>;

  constructor(name: string, args: TenantArgs, options: pulumi.CustomResourceOptions = {}) {
    const inputs = {
      integration: args.integration,
      ...settingsAmong({ ...args, release: releaseInput(args.release) }),
      adopt: args.adopt,
      forceArchive: args.forceArchive,
      override: args.override,
      schemaViolations: args.schemaViolations,
    };
    super(
      { type: "Tenant", provider: "tenant" },
      name,
      args,
      {
        ...inputs,
        name: args.name,
        tenantId: undefined,
        integrationId: undefined,
        overridden: undefined,
        waitingFor: undefined,
      },
      () => ({
        name: args.name ?? name,
        logicalName: logicalNameUnless(args.name, name, options),
        ...secretPaths(inputs),
      }),
      { deleteBeforeReplace: true, ...options },
    );
    warnOfLatestInProduction(new.target.providerChoice, args);
    this.tenantId = idAsNumber(this.id, this.tenantId);
    if (args.metadata !== undefined) declareOwnMetadata(this.tenantId);
  }
}

/**
 * The tenant's id as a number. A preview of an update knows the resource's id but none of its outputs, and without this
 * everything that uses the tenant's id would look changed.
 *
 * @param observed the output, for mocks of Pulumi whose resources have ids that are no numbers.
 */
function idAsNumber(id: pulumi.Output<string>, observed: pulumi.Output<number>): pulumi.Output<number> {
  return id.apply((known) => pulumi.output(/^\d+$/.test(known) ? Number(known) : observed));
}

function settingsAmong(args: object): pulumi.Inputs {
  return Object.fromEntries(Object.entries(args).filter(([key]) => settingNames.some((name) => name === key)));
}

function releaseInput(release: TenantArgs["release"]): pulumi.Input<ReleaseArgs> | undefined {
  if (typeof release === "number") return { id: release };
  if (!pulumi.Output.isInstance(release) && !(release instanceof Promise)) return release;
  return pulumi.output(release).apply((known) => (typeof known === "number" ? { id: known } : known));
}

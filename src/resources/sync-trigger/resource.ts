import type * as pulumi from "@pulumi/pulumi";
import { PlatformResource } from "../pulumi/platform-resource.ts";
import { secretPaths } from "../pulumi/secret-paths.ts";
import type { OverrideArgs } from "../tenant/resource.ts";
import type { SyncTriggerState } from "./schema.ts";

/** The arguments of a {@link SyncTrigger}. */
export interface SyncTriggerArgs {
  /** Id of the tenant. Alternatively, set `integrationId` and `userName`. */
  tenantId?: pulumi.Input<number> | undefined;
  /** Id of the integration that a user installed through the in-app marketplace. Requires `userName`. */
  integrationId?: pulumi.Input<number> | undefined;
  /** The user's id in the caller's system, as it was when the user installed the integration. */
  userName?: pulumi.Input<string> | undefined;
  /** `"init"` or `"normal"` (specification, Tenants: sync). */
  mode: pulumi.Input<"init" | "normal">;
  /** Body of the request. Its meaning depends on the integration. */
  payload?: pulumi.Input<Record<string, unknown>> | undefined;
  /** Any values. The sync is requested again when they change, and also when its target, mode or payload changes. */
  triggers?: pulumi.Input<Record<string, unknown>> | undefined;
  /** Whether to wait for the run to end. Default true. */
  wait?: pulumi.Input<boolean> | undefined;
  /** How long to wait for the end of the run, in seconds. Default 1500. */
  timeoutSeconds?: pulumi.Input<number> | undefined;
  /**
   * What to do if the tenant cannot sync because some of its connectors are not connected. Default `"skip"`.
   * - `"skip"` records the sync as skipped. The first `up` that sees the tenant connected requests it.
   * - `"fail"` is an error.
   *
   * If the platform does not report whether the tenant is connected, the sync is requested. With `"skip"`, a rejection is
   * recorded as skipped, with a warning, and the next `up` requests the sync again. Has no effect with `userName`.
   */
  whenUnconnected?: pulumi.Input<"skip" | "fail"> | undefined;
  /** Statuses that mean success, in addition to the built-in ones (succeeded, success, completed, finished, done, ok, ...). */
  succeededStatuses?: pulumi.Input<string[]> | undefined;
  /**
   * Statuses that mean failure, in addition to the built-in ones (failed, error, aborted, canceled, timeout, ...). They take
   * precedence over all others.
   */
  failedStatuses?: pulumi.Input<string[]> | undefined;
  /** Whether a failed or unknown outcome fails the `up`. Default true. If so, the next `up` requests the sync again. */
  failOnError?: pulumi.Input<boolean> | undefined;
  /**
   * The override of the tenant: see {@link OverrideArgs}. While it is in force, no sync is requested. A sync that is due waits,
   * and the first `up` after the end requests it. Default: no override.
   */
  override?: pulumi.Input<OverrideArgs> | undefined;
}

/**
 * A sync of a tenant, with its outcome (specification, Tenants: sync; Trigger). It is requested at the creation of the
 * resource and whenever its triggers change, and again after it failed or was skipped. Deleting the resource does nothing.
 *
 * @example
 * new SyncTrigger("acme-init", { tenantId: acme.tenantId, mode: "init", triggers: { configs: acme.configs } });
 */
export class SyncTrigger extends PlatformResource {
  /** Id of the last sync's trigger; absent while the sync is skipped. */
  declare readonly triggerId: pulumi.Output<string | undefined>;
  /** The last status of the run, as the platform sent it. */
  declare readonly status: pulumi.Output<string | undefined>;
  /**
   * The meaning of the status. `requested`: it was not awaited, or its tenant is paused and its run did not begin within a minute.
   * `unknown`: the wait ended without a status, or with one that is in no list of statuses. `skipped`: the tenant is not connected
   * or is overridden.
   */
  declare readonly outcome: pulumi.Output<SyncTriggerState["outcome"]>;
  /** How long the `up` waited for the run, in seconds. */
  declare readonly secondsWaited: pulumi.Output<number | undefined>;

  constructor(name: string, args: SyncTriggerArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      { type: "SyncTrigger", provider: "syncTrigger" },
      name,
      args,
      {
        tenantId: args.tenantId,
        integrationId: args.integrationId,
        userName: args.userName,
        mode: args.mode,
        payload: args.payload,
        triggers: args.triggers,
        wait: args.wait,
        timeoutSeconds: args.timeoutSeconds,
        whenUnconnected: args.whenUnconnected,
        succeededStatuses: args.succeededStatuses,
        failedStatuses: args.failedStatuses,
        failOnError: args.failOnError,
        override: args.override,
        triggerId: undefined,
        status: undefined,
        outcome: undefined,
        secondsWaited: undefined,
      },
      () => secretPaths({ payload: args.payload, triggers: args.triggers }),
      options,
    );
  }
}

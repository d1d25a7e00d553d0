import type * as pulumi from "@pulumi/pulumi";
import { PlatformResource } from "../platform-resource.ts";
import { secretPaths } from "../secret-paths.ts";
import type { SyncTriggerState } from "./schema.ts";

/** What is declared of a sync: whose, in which mode, and what makes it due again. */
export interface SyncTriggerArgs {
  /** Id of the tenant. Or give `integrationId` and `userName`. */
  tenantId?: pulumi.Input<number> | undefined;
  /** Id of the integration that a user has installed through the in-app marketplace. */
  integrationId?: pulumi.Input<number> | undefined;
  /** The user's id in the caller's system, as it was when the user installed the integration. */
  userName?: pulumi.Input<string> | undefined;
  /** `"init"` or `"normal"` (specification, Tenants: sync). */
  mode: pulumi.Input<"init" | "normal">;
  /** Body of the request; the integration says what it means. */
  payload?: pulumi.Input<Record<string, unknown>> | undefined;
  /** Any values: the sync runs again when they change. It also does when its target, mode or payload changes. */
  triggers?: pulumi.Input<Record<string, unknown>> | undefined;
  /** Whether to wait for the run to end. Default true. */
  wait?: pulumi.Input<boolean> | undefined;
  /** How long to wait, in seconds. Default 1500. */
  timeoutSeconds?: pulumi.Input<number> | undefined;
  /**
   * What to do while the tenant is not connected, or not with all of its connectors, and so cannot sync: `"skip"` (default)
   * records the sync as skipped, to be run by the first `up` that sees the tenant connected; `"fail"` fails. Where the
   * platform does not tell whether the tenant is connected, the sync is asked for: `"skip"` records a refusal as skipped,
   * with a warning, and the next `up` asks again. Not for `userName`.
   */
  whenUnconnected?: pulumi.Input<"skip" | "fail"> | undefined;
  /** Status words that mean success, besides succeeded, success, completed, finished, done, ok and the like. */
  succeededStatuses?: pulumi.Input<string[]> | undefined;
  /** Status words that mean failure, besides failed, error, aborted, canceled, timeout and the like. These outrank all others. */
  failedStatuses?: pulumi.Input<string[]> | undefined;
  /** Whether a run that failed, or whose end is unknown, fails the `up`. Default true; the next `up` then tries again. */
  failOnError?: pulumi.Input<boolean> | undefined;
}

/**
 * A sync that is asked for when something has changed, with its result (specification, Trigger). Runs at creation and
 * whenever its triggers change, never otherwise. Deleting the resource does nothing.
 *
 * @example
 * new SyncTrigger("acme-init", { tenantId: acme.tenantId, mode: "init", triggers: { configs: acme.configs } });
 */
export class SyncTrigger extends PlatformResource {
  /** The handle of the last sync; `undefined` while it is skipped. */
  declare readonly triggerId: pulumi.Output<string | undefined>;
  /** The platform's last word for the run, as it came. */
  declare readonly status: pulumi.Output<string | undefined>;
  /** What the word means: `requested` where nobody waited, `unknown` where it is in no list. */
  declare readonly verdict: pulumi.Output<SyncTriggerState["verdict"]>;
  /** How long the `up` waited for the run, in seconds. */
  declare readonly secondsWaited: pulumi.Output<number | undefined>;

  constructor(name: string, args: SyncTriggerArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      { type: "SyncTrigger", provider: "syncTrigger" },
      name,
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
        ...secretPaths({ payload: args.payload, triggers: args.triggers }),
        triggerId: undefined,
        status: undefined,
        verdict: undefined,
        secondsWaited: undefined,
      },
      options,
    );
  }
}

import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../integration-scope.ts";
import { connectionOf, neverRan } from "./connection.ts";
import { noSchedule } from "./schedule.ts";
import type { TenantInputs } from "./schema.ts";
import { type Desired, observedSettings, unsettled } from "./settings.ts";

/** Whether a new resource makes its tenant, takes over one that is there, or must do neither. */
export type TakeOver = { kind: "make" } | { kind: "take over"; tenant: Tenant } | { kind: "refuse"; failure: string };

/**
 * `adopt: "safe"`, the default, takes over only what this create would have made itself (that is what an `up` leaves
 * behind which was killed): made by the API, unconnected, never run, with the same configs, schedule and release.
 * Names are taken as unique among the live tenants of an integration (specification: silent on that).
 */
export async function takeOver(
  integration: IntegrationScope,
  { adopt = "safe", name }: Pick<TenantInputs, "adopt" | "name">,
  desired: Desired,
  liveOfThatName: readonly Tenant[],
): Promise<TakeOver> {
  if (typeof adopt === "number") {
    const tenant = await integration.tenants.get(adopt);
    if (tenant !== undefined) return { kind: "take over", tenant };
    const where = `integration "${integration.record.name}"`;
    return refuse(
      `adopt: there is no live tenant with id ${adopt} in ${where}. Look at the ids of its tenants in the console`,
    );
  }
  const [tenant, ...others] = liveOfThatName;
  if (tenant === undefined) return { kind: "make" };
  const where = `integration "${integration.record.name}"`;
  if (others.length > 0) {
    const ids = liveOfThatName.map(({ id }) => id).join(", ");
    return refuse(
      `${liveOfThatName.length} live tenants of ${where} are named "${name}" (ids ${ids}); set adopt to the id of one`,
    );
  }
  const known = `a tenant named "${name}" (id ${tenant.id}) is already live in ${where}`;
  if (adopt === "never") return refuse(`${known}, and adopt is "never". Archive it, or declare another name`);
  if (adopt === true) return { kind: "take over", tenant };
  const reasons = await whatSpeaksAgainst(integration, desired, tenant);
  if (reasons.length === 0) return { kind: "take over", tenant };
  return refuse(
    `${known}, and not as this resource would have made it: ${reasons.join("; ")}. ` +
      `To take it over and bring it to these settings, set adopt: true or adopt: ${tenant.id}`,
  );
}

async function whatSpeaksAgainst(integration: IntegrationScope, desired: Desired, tenant: Tenant): Promise<string[]> {
  const observed = { tenant, metadata: {} };
  const settings = await observedSettings(desired, integration.releases, observed);
  // a POST cannot make `schedule: none`: it leaves the integration's default, and a PATCH clears it
  const made = ["release", "configs.", ...(desired.settings.schedule === noSchedule ? [] : ["schedule"])];
  const differing = unsettled(desired, settings, observed).filter((path) =>
    made.some((start) => path.startsWith(start)),
  );
  const undeclared = Object.keys(tenant.configs).filter((key) => !Object.hasOwn(desired.settings.configs ?? {}, key));
  const foreign = undeclared.filter((key) => !Object.hasOwn(desired.schemas.configs.withDefaults({}), key));
  const differences = [...differing, ...foreign.map((key) => `configs.${key}`)];
  const connection = connectionOf(tenant, integration);
  return [
    ...(tenant.source === "api" ? [] : [`its source is "${tenant.source}"`]),
    ...(connection.isConnected ? [`it is connected, as far as the platform tells: ${connection.reason}`] : []),
    ...(tenant.status && !neverRan(tenant) ? ["it has run"] : []),
    ...(differences.length === 0 ? [] : [`it differs in ${differences.join(", ")}`]),
  ];
}

function refuse(failure: string): TakeOver {
  return { kind: "refuse", failure };
}

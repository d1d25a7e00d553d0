import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../integration-scope.ts";
import type { Owner } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { connectionOf, neverRan } from "./connection.ts";
import { givesUpName } from "./names.ts";
import { noSchedule } from "./schedule.ts";
import type { TenantInputs } from "./schema.ts";
import { type Desired, observedSettings, unsettled } from "./settings.ts";

/**
 * Whether a new resource makes its tenant, takes over one that is there, or must do neither. Unless the refusal is final,
 * what the operation does before the create may still clear the way.
 */
export type TakeOver =
  | { kind: "make" }
  | { kind: "take over"; tenant: Tenant }
  | { kind: "refuse"; failure: string; isFinal: boolean };

/** A resource that has no tenant yet. */
export interface NewTenant {
  owner: Owner;
  inputs: Pick<TenantInputs, "adopt" | "name">;
  desired: Desired;
  /** The live tenants of its name. */
  live: readonly Tenant[];
}

/**
 * `adopt: "safe"`, the default, takes over only what this create would have made itself (that is what an `up` leaves
 * behind which was killed): made by the API, unconnected, never run, with the same configs, schedule and release.
 * Names are taken as unique among the live tenants of an integration (specification: silent on that).
 */
export async function takeOver(
  platform: Platform,
  integration: IntegrationScope,
  { owner, inputs, desired, live }: NewTenant,
): Promise<TakeOver> {
  const { ownership } = platform;
  const { name } = inputs;
  const isOwn = ({ id }: Tenant) => ownership.holdersOf(id).includes(owner);
  let { adopt = "safe" } = inputs;
  if (typeof adopt === "number") {
    const tenant = await integration.tenants.get(adopt);
    const rival = tenant && ownership.rivalOf(owner, tenant.id);
    if (rival !== undefined) {
      return refuse(
        `adopt: tenant ${adopt} is declared by ${rival} already; ${owner} cannot take it over. Declare it once`,
        true,
      );
    }
    if (tenant !== undefined && isOwn(tenant)) return refuse(describeReplacement(owner, tenant));
    if (tenant !== undefined) return { kind: "take over", tenant };
    if (!ownership.wasFoundGone(adopt) && (await integration.tenants.archived(adopt))?.name !== name) {
      const where = `integration "${integration.record.name}"`;
      return refuse(
        `adopt: there is no live tenant with id ${adopt} in ${where}. Look at the ids of its tenants in the console`,
        true,
      );
    }
    adopt = "safe"; // it was this resource's, and somebody archived it: it is made anew
  }
  const [tenant, ...others] = live.filter(({ id }) => !givesUpName(platform, owner, id, name));
  if (tenant === undefined) return { kind: "make" };
  const rival = ownership.rivalOf(owner, tenant.id);
  if (rival !== undefined) {
    return refuse(`tenant "${name}" (id ${tenant.id}) is declared by two resources, ${rival} and ${owner}`, true);
  }
  if (isOwn(tenant) || ownership.isReplacedBeforeDelete(owner)) return refuse(describeReplacement(owner, tenant));
  const where = `integration "${integration.record.name}"`;
  if (others.length > 0) {
    const ids = [tenant, ...others].map(({ id }) => id).join(", ");
    return refuse(
      `${others.length + 1} live tenants of ${where} are named "${name}" (ids ${ids}); set adopt to the id of one`,
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

function describeReplacement(owner: Owner, { id, name }: Tenant): string {
  return (
    `the replacement of ${owner} would create before it deletes, and tenant "${name}" (id ${id}) is still live: ` +
    "set the option deleteBeforeReplace: true, without retainOnDelete. If this is no replacement, the state has the tenant " +
    "under another resource name (`pulumi state rename`): rename the resource in the program too, or in the state back"
  );
}

async function whatSpeaksAgainst(integration: IntegrationScope, desired: Desired, tenant: Tenant): Promise<string[]> {
  const observed = { tenant, metadata: {} };
  const settings = await observedSettings(desired, integration.releases, observed);
  // a POST cannot make `schedule: none`: it leaves the integration's default, and a PATCH clears it
  const isScheduleMade = desired.settings.schedule !== noSchedule && tenant.user_schedule !== undefined;
  const made = ["release", "configs.", ...(isScheduleMade ? ["schedule"] : [])];
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

function refuse(failure: string, isFinal = false): TakeOver {
  return { kind: "refuse", failure, isFinal };
}

import type { Tenant } from "../../api/index.ts";
import type { Failure } from "../../inputs/input-schema.ts";
import { formatPath } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { Owner } from "../../operation/ownership.ts";
import { connectionOf, neverRan } from "../../operation/tenant-connection.ts";
import { compare, unlikeCreated, unresolvedPaths } from "./comparison.ts";
import { createdHistory, type Desired } from "./desired.ts";
import { asPosted } from "./judge.ts";
import type { TenantInputs } from "./schema.ts";
import { withoutWaitingChoices } from "./waiting-choices.ts";

/**
 * Whether a new resource creates its tenant, takes over an existing one, or must refuse. If a refusal is not final, other
 * work of the operation may still remove its reason before the create; a final one is a failure of an input.
 */
export type TakeOver =
  | { kind: "make" }
  /** `isOverwritten`: whether the tenant differs from the one that the resource would create. */
  | { kind: "take over"; tenant: Tenant; isOverwritten: boolean }
  | { kind: "refuse"; failure: string; final?: Failure };

/** A resource that has no tenant yet. */
export interface NewTenant {
  owner: Owner;
  inputs: Pick<TenantInputs, "adopt" | "name">;
  desired: Desired;
  /** The live tenants with its name. */
  live: readonly Tenant[];
  /** When this operation sent a POST for it whose answer was lost, by the platform's clock. Absent if it sent none. */
  madeSince?: Date | undefined;
}

/**
 * Decides between creating a tenant and taking over an existing one. With `adopt: "safe"`, the default, a tenant is taken
 * over only if this resource would create the same one: created by the API, unconnected, never run, with the same configs
 * except those that reads hide, and with the schedule and release that it declares, where reads show these. An `up` that was
 * killed leaves such a tenant behind. Names are expected to be
 * unique among the live tenants of an integration; the specification does not say so.
 */
export async function takeOver(
  context: OperationContext,
  integration: IntegrationScope,
  { owner, inputs, desired, live, madeSince }: NewTenant,
): Promise<TakeOver> {
  const { ownership } = context;
  const { name, adopt = "safe" } = inputs;
  const overwrites = async (tenant: Tenant) => (await reasonsAgainst(integration, { desired }, tenant)).length > 0;
  if (typeof adopt === "number") {
    const decision = await takeOverById(context, integration, { owner, name, adopt, live });
    if (decision?.kind === "take over") return { ...decision, isOverwritten: await overwrites(decision.tenant) };
    if (decision !== undefined) return decision;
  }
  const [tenant, ...others] = live.filter(({ id }) => !ownership.givesUpName(owner, id, name));
  if (tenant === undefined) return { kind: "make" };
  const other = ownership.otherOwnerOf(owner, { id: tenant.id, integrationId: integration.id });
  if (other !== undefined) {
    return refuseFinally({
      property: "name",
      reason: `tenant "${name}" (id ${tenant.id}) is declared by two resources, ${other} and ${owner}. Remove one of them`,
    });
  }
  if (ownership.isReplaced(owner, tenant.id) || ownership.isReplacedBeforeDelete(owner))
    return refuse(describeReplacement(owner, tenant));
  const where = `integration "${integration.record.name}"`;
  if (others.length > 0) {
    const ids = shortList([tenant, ...others].map(({ id }) => String(id)));
    return refuse(
      `${others.length + 1} live tenants of ${where} are named "${name}" (ids ${ids}); set adopt to the id of one`,
    );
  }
  const known = `a tenant named "${name}" (id ${tenant.id}) is already live in ${where}`;
  if (adopt === "never") return refuse(`${known}, and adopt is "never". Archive it, or declare another name`);
  if (adopt === true) return { kind: "take over", tenant, isOverwritten: await overwrites(tenant) };
  const reasons = await reasonsAgainst(integration, { desired, madeSince }, tenant);
  if (reasons.length === 0) return { kind: "take over", tenant, isOverwritten: false };
  return refuse(
    `${known} and is not as this resource would have made it: ${reasons.join("; ")}. ` +
      `To take it over and apply these settings to it, set adopt: true or adopt: ${tenant.id}. ` +
      "If you renamed the resource that has it, declare that resource's former name in aliases instead",
  );
}

/**
 * Decides about the tenant whose id the program declares in `adopt`. `undefined` if somebody archived this resource's
 * tenant: then the resource creates another one, as with `adopt: "safe"`.
 */
export async function takeOverById(
  context: OperationContext,
  integration: IntegrationScope,
  { owner, name, adopt, live }: { owner: Owner; name: string; adopt: number; live: readonly Tenant[] },
): Promise<TakeOver | undefined> {
  const { ownership } = context;
  const createAnother = () => {
    context.note(`tenant "${name}": ${adopt}, which it adopts, is archived, so it creates another tenant`);
    return undefined;
  };
  if (ownership.wasFoundGone(adopt)) return createAnother();
  const tenant = await integration.tenants.get(adopt);
  const other = tenant && ownership.otherOwnerOf(owner, { id: tenant.id, integrationId: integration.id });
  if (other !== undefined) {
    return refuseFinally({
      property: "adopt",
      reason: `tenant ${adopt} is declared by ${other} too, so ${owner} cannot take it over. Remove one of the two`,
    });
  }
  if (tenant !== undefined) {
    return ownership.isReplaced(owner, tenant.id)
      ? refuse(describeReplacement(owner, tenant))
      : { kind: "take over", tenant, isOverwritten: true };
  }
  const archived = await integration.tenants.archived(adopt);
  if (ownership.wasFoundGone(adopt) || archived?.name === name) return createAnother();
  return refuseFinally({ property: "adopt", reason: describeMissing(integration, adopt, archived, live) });
}

/** Why the tenant with an id cannot be adopted. */
function describeMissing(
  { record }: IntegrationScope,
  id: number,
  archived: Pick<Tenant, "name"> | undefined,
  [sameName]: readonly Tenant[],
): string {
  const next =
    sameName === undefined
      ? "Correct the id: the console shows it; or remove adopt to create a tenant"
      : `Correct the id: the live tenant named "${sameName.name}" has id ${sameName.id}`;
  return archived === undefined
    ? `there is no live tenant with id ${id} in integration "${record.name}". ${next}`
    : `tenant ${id} ("${archived.name}") is archived, which the API cannot undo. ${next}`;
}

/** What to do after the refusal of a replacement that would create before it deletes. */
export const howToReplace =
  "Set the resource option deleteBeforeReplace: true, which deletes before it creates. If the resource has the option " +
  "retainOnDelete, remove that and run up before you replace it. If this is no replacement, the state has the resource under " +
  "another resource name (`pulumi state rename`): rename the resource in the program too, or rename it back in the state";

function describeReplacement(owner: Owner, { id, name }: Tenant): string {
  return (
    `${owner} cannot be replaced: its tenant "${name}" (id ${id}) would still be live when the new one is created. ` +
    howToReplace
  );
}

/** Whether a tenant was made at a time or later. Both are the platform's, which may round. */
function isMadeSince({ created_date: created }: Tenant, time: Date | undefined): boolean {
  return time !== undefined && typeof created === "string" && Date.parse(created) >= time.getTime() - 1000;
}

/**
 * Why a tenant differs from the one that this resource would create. It is compared as if this operation had created it, so
 * that a value that reads hide is no difference.
 *
 * @param madeSince when this operation sent the POST whose answer was lost. What was made since may show values in forms of its own.
 */
async function reasonsAgainst(
  integration: IntegrationScope,
  { desired: declared, madeSince }: Pick<NewTenant, "desired" | "madeSince">,
  tenant: Tenant,
): Promise<string[]> {
  const desired = withoutWaitingChoices(declared, integration, tenant);
  const found = { integration, id: tenant.id, tenant, metadata: {}, isRead: true, history: createdHistory(desired) };
  const { pending } = await compare(desired, found);
  const observed = asPosted(desired, found, pending, isMadeSince(tenant, madeSince));
  const differences = [...(await unlikeCreated(desired, observed)), ...unresolvedPaths(desired, observed)];
  const connection = connectionOf(tenant, integration);
  return [
    ...(tenant.source === "api" ? [] : [`its source is "${tenant.source}"`]),
    ...(connection.isConnected ? [`it is connected or may be: ${connection.reason}`] : []),
    ...(tenant.status && !neverRan(tenant) ? ["it has run"] : []),
    ...(differences.length === 0 ? [] : [`it differs in ${shortList(differences.map(formatPath))}`]),
  ];
}

function refuse(failure: string): TakeOver {
  return { kind: "refuse", failure };
}

function refuseFinally(final: Failure): TakeOver {
  const { property, reason } = final;
  return { kind: "refuse", failure: property === "name" ? reason : `${property}: ${reason}`, final };
}

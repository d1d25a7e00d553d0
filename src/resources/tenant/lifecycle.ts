import type { Tenant } from "../../api/index.ts";
import type { Failure } from "../../inputs/input-schema.ts";
import { hasUnknown } from "../../json/unknown.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type Owner, type OwnerKind, ownerOf, type TakeOverObstacle } from "../../operation/ownership.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { requireGone } from "../../operation/require-gone.ts";
import { type SomeSettings, settingsOf } from "../../settings/table.ts";
import { tenantIdentity } from "../../settings/tenant-identity.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { archiveTenant } from "./archive.ts";
import { archiveRefusal } from "./archive-refusal.ts";
import { checkDeclaredTenant, checkTenant, declareTenant } from "./check.ts";
import { compare } from "./comparison.ts";
import { createTenant, type NewTenants, postedSettings } from "./create.ts";
import { createdHistory, type DesiredTenant, desiredOf, schemasOf } from "./desired.ts";
import { diffTenant } from "./diff.ts";
import { failureAfterPause, finish } from "./finish.ts";
import { importTenant } from "./import-tenant.ts";
import { runsIt, withFormerRelease } from "./lent.ts";
import { listAgeSecondsMaximum, refuseTakenName } from "./names.ts";
import { observedState } from "./observed-state.ts";
import { noHistory, type ObservedTenant, storedHistory } from "./observed-tenant.ts";
import {
  begunOn,
  noteEndedOverride,
  noteOverride,
  notePausedBeforeOverride,
  overrideNow,
  warnOfEnded,
} from "./override.ts";
import { holdByDiff, isNamed } from "./owner.ts";
import { pauseFirst } from "./pause-first.ts";
import type { TenantInputs, TenantState } from "./schema.ts";
import { takeOver } from "./take-over.ts";
import { withoutWaitingChoices } from "./waiting-choices.ts";

/** The lifecycle of a tenant, whose check has two parts: each new tenant of a fleet must know what the others declare. */
export interface TenantLifecycle extends Lifecycle<TenantInputs, TenantState> {
  /** The first part: registers what the program declares. Returns the failures that rule out the second part. */
  declare(inputs: object, old: object | undefined): Promise<Failure[]>;
  /** The second part, after a first one without failures. */
  checkDeclared(inputs: object, old: object | undefined): Promise<Failure[]>;
}

/**
 * The lifecycle of a tenant. The inputs are documented at `TenantArgs`.
 *
 * @param kind whether the tenants are resources or entries of a fleet. See {@link OperationContext.ownership}.
 * @param newTenants how tenants without a declared release are created, if not on the integration's default release.
 */
export function tenantLifecycle(
  context: OperationContext,
  kind: OwnerKind = "Tenant",
  newTenants?: NewTenants,
): TenantLifecycle {
  const { ownership, metadataOwnership } = context;

  const gone = async (owner: Owner, id: number, integration: IntegrationScope | UnknownNameError) => {
    await requireGone(context, id, integration);
    ownership.release(owner, id);
    return undefined;
  };

  const checkWith = (check: typeof checkTenant): TenantLifecycle["check"] => {
    return (inputs, old) =>
      ownership.duringCheck(async () => {
        const failures = await check(context, kind, inputs, { old, newReleases: newTenants?.releases });
        if (failures.length > 0) return failures;
        await warnOfEnded(context, inputs);
        if (kind === "Tenant") await noteOverride(context, inputs);
        return [];
      });
  };

  return {
    check: checkWith(checkTenant),
    declare: (inputs, old) => ownership.duringCheck(() => declareTenant(context, kind, inputs, old)),
    checkDeclared: checkWith(checkDeclaredTenant),

    diff: (id, state, inputs) =>
      ownership.duringCheck(async () => {
        const owner = holdByDiff(context, kind, Number(id), state, inputs);
        const tenant = { id: Number(id), integrationId: state.integrationId };
        const other = ownership.isDeclared(owner) ? ownership.otherOwnerOf(owner, tenant) : undefined;
        if (other !== undefined) throw declaredTwice(`tenant "${state.name}" (id ${id})`, owner, other);
        if (kind === "Tenant") await noteEndedOverride(context, state, inputs);
        const difference = await diffTenant(context, kind, state, inputs);
        if (!hasUnknown(inputs))
          ownership.noteDiff(owner, { id: tenant.id, isReplaced: difference.replaces !== undefined });
        // the engine deletes a replaced tenant under the name in the state, which an alias may have changed
        if (owner !== ownerOf(kind, state)) {
          if (difference.replaces !== undefined) ownership.release(owner, Number(id));
          context.renamedOwners.set(Number(id), owner);
        }
        return difference;
      }),

    create: async (inputs) => {
      const integration = await integrationScope(context, inputs.integration);
      const owner = ownerOf(kind, inputs);
      const adopts = typeof inputs.adopt === "number" ? inputs.adopt : undefined;
      ownership.declare(owner, { integrationId: integration.id, name: inputs.name, adopts, hasState: false });
      const effect = await overrideNow(context, inputs, undefined);
      const desired = await desiredOf(context, integration, { ...inputs, paused: effect.paused });
      const unlock = context.locks.take(`create ${tenantIdentity({ ...inputs, integration: integration.id })}`);
      if (unlock === undefined) throw declaredTwice(`tenant "${inputs.name}"`);
      const wanted = { inputs, desired, newTenants };
      const { tenant, desired: own } = await createOrTakeOver(context, integration, owner, wanted).finally(unlock);
      ownership.hold(owner, tenant.id);
      // a deletion that comes later needs not ask
      context.createRefusals.set(owner, async () => undefined);
      ownership.endReplacement(owner);
      // what a tenant had before its override must not come from an old list
      const found = effect.isInForce && !tenant.history.isNew ? await reread(tenant) : tenant;
      const { tenant: start, error: notPaused, isWritten } = await pauseFirst(context, found, effect.paused);
      const begun = notPaused === undefined || isWritten ? begunOn(found.tenant, effect) : effect;
      // the read after the pause has left out the metadata that a tenant had before
      const work = { owner, inputs, effect: begun, start: { ...start, isRead: false }, notPaused };
      return { id: String(tenant.id), state: await finish(context, work, own) };
    },

    read: async (id, state) => {
      const owner = ownerOf(kind, state);
      ownership.hold(owner, Number(id));
      if (state.metadata !== undefined) metadataOwnership.hold(owner, Number(id), Object.keys(state.metadata));
      const integration = await orUnknownName(integrationScope(context, state.integrationId));
      if (integration instanceof UnknownNameError) return gone(owner, Number(id), integration);
      const { tenants } = integration;
      const tenant = await tenants.get(Number(id));
      if (tenant === undefined) return gone(owner, Number(id), integration);
      const isMetadataManaged = state.metadata !== undefined;
      const metadata = isMetadataManaged ? await readMetadata(context, tenants, tenant.id) : {};
      if (metadata === undefined) return gone(owner, tenant.id, integration);
      const refusal = archiveRefusal(tenant, integration, state);
      if (refusal !== undefined) context.recordRefusal({ tenantId: tenant.id, reason: refusal });
      const seen = await withFormerRelease(context, integration, tenant, state.release);
      return observedState(context, integration, { tenant: seen.tenant, metadata }, state);
    },

    update: async (id, state, inputs) => {
      const owner = holdByDiff(context, kind, Number(id), state, inputs);
      const scope = await integrationScope(context, inputs.integration);
      const live = await scope.tenants.fetchFresh(Number(id));
      if (live === undefined) {
        throw new Error(
          `tenant "${state.name}" (id ${id}) has been archived outside of Pulumi. Run refresh, then up, to create it again`,
        );
      }
      const { tenant, integration } = await withFormerRelease(context, scope, live, state.release);
      const declaredEffect = await overrideNow(context, inputs, state.overridden);
      const history = storedHistory(settingsOf(state), state);
      const found = { integration, id: tenant.id, tenant, metadata: {}, isRead: true, history };
      const { tenant: start, error: notPaused, isWritten } = await pauseFirst(context, found, declaredEffect.paused);
      const effect = notPaused === undefined || isWritten ? begunOn(tenant, declaredEffect) : declaredEffect;
      if (kind === "Tenant") notePausedBeforeOverride(context, { state, inputs, effect });
      try {
        if (notPaused !== undefined) throw notPaused;
        await refuseTakenName(context, integration, owner, start.tenant, inputs.name);
        const isRead = start.isRead && start.tenant.name === inputs.name; // a new name may have had to wait for minutes
        const seen = await withManagedMetadata(context, { ...start, isRead }, [inputs, state]);
        const wanted = { ...inputs, paused: effect.paused };
        const desired = await desiredOf(context, integration, wanted, settingsOf(state), start.tenant);
        return await finish(context, { owner, inputs, effect, start: seen }, desired);
      } catch (error) {
        const isTried = start !== found || notPaused !== undefined;
        throw failureAfterPause(error, { inputs, effect, start, isTried }, state);
      }
    },

    delete: async (id, state) => {
      const owner = ownerOf(kind, state);
      const declaredOwner = context.renamedOwners.get(Number(id)) ?? owner;
      // a renamed owner that was checked as a new one is replaced, even if its diff has not said so: `replaceOnChanges`
      const released = context.createRefusals.has(declaredOwner) ? [owner, declaredOwner] : [owner];
      for (const one of released) {
        ownership.release(one, Number(id));
        metadataOwnership.release(one, Number(id));
      }
      // during a replacement, the program may still declare a resource that takes the tenant over
      const what = `tenant "${state.name}" (id ${id})`;
      await ownership.untilArchivable(what);
      const archived = { id: Number(id), integrationId: state.integrationId, name: state.name };
      const nextOwner = () =>
        ownership.nextOwnerOf(owner, archived, { declaredOwner, includesUndeclared: isNamed(state) });
      const archive = async () => {
        const next = nextOwner(); // another process may have taken it over since
        if (next === undefined) await archiveTenant(context, archived.id, state);
        return next;
      };
      if (nextOwner() === undefined) {
        if (ownership.isKept(declaredOwner, archived.id)) {
          ownership.hold(declaredOwner, archived.id);
          context.warn(`${what} is not archived: an earlier up left its deletion, and ${declaredOwner} has it again`);
          return;
        }
        const refusal = await replacementRefusal(context, declaredOwner, archived.id);
        if (refusal !== undefined) throw notReplaced(what, refusal);
      }
      const other = nextOwner() ?? (await ownership.duringArchive(owner, archived.id, archive));
      if (other === undefined) return;
      const removed = other === owner ? "a resource of another name in the state" : owner;
      context.warn(`${what} is not archived: ${removed} is removed, and ${other} declares it`);
    },

    import: (id) => importTenant(context, id),
  };
}

async function createOrTakeOver(
  context: OperationContext,
  integration: IntegrationScope,
  owner: Owner,
  { inputs, desired, newTenants }: { inputs: TenantInputs; desired: DesiredTenant; newTenants: NewTenants | undefined },
): Promise<{ tenant: ObservedTenant; desired: DesiredTenant }> {
  const { ownership } = context;
  const named = await integration.tenants.named(inputs.name, listAgeSecondsMaximum);
  // another tenant may be about to give up the name, which is known once the program has declared everything
  if (named.length > 0 && typeof inputs.adopt !== "number") await ownership.untilQuiet();
  // a customer may have connected the tenant since the operation listed the tenants
  const seen = await Promise.all(named.map(({ id }) => integration.tenants.fetchFresh(id)));
  const live = seen.filter((tenant) => tenant?.name === inputs.name).filter((tenant) => tenant !== undefined);
  const decision = await takeOver(context, integration, { owner, inputs, desired, live });
  if (decision.kind === "refuse") throw new Error(decision.failure);
  if (decision.kind === "make") {
    const posted = await postedSettings(context, integration, inputs, { desired, newTenants });
    const { tenant, mayBeChanged } = await createTenant(context, integration, owner, desired, posted);
    const { id } = tenant;
    newTenants?.created?.(id);
    const own = withoutWaitingChoices({ ...desired, schemas: posted.schemas }, integration, tenant);
    const history = createdHistory(own, tenant, mayBeChanged);
    const made = { integration, id, tenant, metadata: {}, isRead: false, history };
    return { tenant: made, desired: own };
  }
  const { id } = decision.tenant;
  // the release that it runs may not be the default one of new tenants
  const schemas = await schemasOf(context, integration, desired.resolved.release, decision.tenant);
  const own = withoutWaitingChoices({ ...desired, schemas }, integration, decision.tenant);
  // isRead is false because this tenant may come from the list at the start of the operation
  const found = { integration, id, tenant: decision.tenant, metadata: {}, isRead: false, history: noHistory };
  // before overwriting anything, wait until it is known that no other resource declares the tenant
  if (typeof inputs.adopt === "number" && (await compare(own, found)).pending.length > 0) await ownership.untilQuiet();
  // an `up` that was killed may have created it
  const isAsCreated =
    !decision.isOverwritten && newTenants?.releases?.some((release) => runsIt(decision.tenant, release));
  if (isAsCreated === true) newTenants?.created?.(id);
  const obstacle = ownership.takeOver(owner, { id, integrationId: integration.id });
  if (obstacle !== undefined) throw notTakenOver(owner, decision.tenant, obstacle);
  context.noteTakeOver({ ...decision, owner, name: inputs.name });
  await refuseTakenName(context, integration, owner, decision.tenant, inputs.name);
  return { tenant: found, desired: own };
}

/** Why the create of an owner would be refused that follows the archiving of its tenant; `undefined` if it would not. */
async function replacementRefusal(
  { ownership, createRefusals }: OperationContext,
  owner: Owner,
  id: number,
): Promise<string | undefined> {
  const refusalOf = createRefusals.get(owner);
  if (refusalOf !== undefined) return refusalOf(id);
  return ownership.isReplacementRefused(id) ? "another process of the provider has warned why" : undefined;
}

/** The error of a take-over of a tenant that another resource has, or is archiving. */
function notTakenOver(owner: Owner, { id, name }: Tenant, { other, isArchiving }: TakeOverObstacle): Error {
  const what = `tenant "${name}" (id ${id})`;
  if (!isArchiving) return declaredTwice(what, owner, other);
  return new Error(
    `${what} cannot be taken over by ${owner}: ${other} is archiving it in this operation. Run up again`,
  );
}

/** The error of a replacement whose create would be refused. */
export function notReplaced(what: string, refusal: string): Error {
  return new Error(`${what} is not archived, because the tenant that replaces it could not be created: ${refusal}`);
}

function declaredTwice(tenant: string, ...owners: readonly Owner[]): Error {
  const by = owners.length > 0 ? `, ${owners.join(" and ")}` : "";
  return new Error(
    `${tenant} is declared by two resources${by}. Remove one of them from the program, then run up again. ` +
      "If the state has it twice, remove one with `pulumi state delete`, which leaves the tenant as it is",
  );
}

/**
 * A tenant with its metadata if it is managed.
 *
 * @param declarations the metadata is read if one of them has some.
 */
async function withManagedMetadata(
  context: OperationContext,
  tenant: ObservedTenant,
  declarations: readonly SomeSettings[],
): Promise<ObservedTenant> {
  const isMetadataManaged = declarations.some(({ metadata }) => metadata !== undefined);
  if (!isMetadataManaged) return tenant;
  return { ...tenant, metadata: (await readMetadata(context, tenant.integration.tenants, tenant.id)) ?? {} };
}

/** The tenant from a list that is read now. */
async function reread(tenant: ObservedTenant): Promise<ObservedTenant> {
  const fresh = await tenant.integration.tenants.fetchFresh(tenant.id);
  return fresh === undefined ? tenant : { ...tenant, tenant: fresh };
}

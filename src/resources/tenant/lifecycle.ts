import { anyValue } from "../../json-schema/index.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { defined } from "../defined.ts";
import { type IntegrationScope, integrationScope } from "../integration-scope.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { readMetadata } from "../metadata-of.ts";
import { type Owner, type OwnerKind, ownerOf } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { archiveTenant } from "./archive.ts";
import { bringAbout, compare } from "./bring-about.ts";
import { checkTenant } from "./check.ts";
import { desiredOf, schemasOf } from "./desired.ts";
import { diffTenant } from "./diff.ts";
import { makeTenant } from "./make.ts";
import { refuseTakenName } from "./names.ts";
import { holdByDiff, isNamed } from "./owner.ts";
import { noSchedule } from "./schedule.ts";
import type { TenantInputs, TenantState } from "./schema.ts";
import {
  areKeysAsDeclared,
  type Desired,
  observedSettings,
  type Settings,
  settingsOf,
  unreadablePaths,
  warnOfAbsentFields,
  withRemovals,
} from "./settings.ts";
import { takeOver } from "./take-over.ts";
import type { TenantView } from "./view.ts";

/**
 * Applies a tenant. What each input means stands at `TenantArgs`.
 *
 * @param kind what the tenants belong to: a resource each, or a fleet. See {@link Platform.ownership}.
 */
export function tenantLifecycle(platform: Platform, kind: OwnerKind = "Tenant"): Lifecycle<TenantInputs, TenantState> {
  const { ownership, metadataOwnership } = platform;

  const gone = (owner: Owner, id: number) => {
    ownership.release(owner, id);
    ownership.findGone(id);
    return undefined;
  };

  return {
    check: (inputs, old) => ownership.duringCheck(() => checkTenant(platform, kind, inputs, old)),

    diff: (id, state, inputs) =>
      ownership.duringCheck(async () => {
        const owner = holdByDiff(platform, kind, Number(id), state, inputs);
        const rival = ownership.declarationOf(owner) && ownership.rivalOf(owner, Number(id));
        if (rival !== undefined) throw declaredTwice(`tenant "${state.name}" (id ${id})`, owner, rival);
        return diffTenant(platform, state, inputs);
      }),

    create: async (inputs) => {
      const integration = await integrationScope(platform, inputs.integration);
      const owner = ownerOf(kind, inputs);
      const adopts = typeof inputs.adopt === "number" ? inputs.adopt : undefined;
      ownership.declare(owner, { integrationId: integration.id, name: inputs.name, adopts, hasState: false });
      const { inMaking } = platform;
      // several live tenants may bear one name: then their ids tell them apart
      const key = typeof inputs.adopt === "number" ? `${inputs.adopt}` : `${integration.id}/${inputs.name}`;
      const desired = await desiredOf(platform, integration, inputs);
      if (inMaking.has(key)) throw declaredTwice(`tenant "${inputs.name}"`);
      inMaking.add(key);
      const view = await makeOrTakeOver(platform, integration, owner, inputs, desired).finally(() =>
        inMaking.delete(key),
      );
      ownership.hold(owner, view.id);
      return { id: String(view.id), state: await finish(platform, owner, view, desired, inputs) };
    },

    read: async (id, state) => {
      const owner = ownerOf(kind, state);
      ownership.hold(owner, Number(id));
      if (state.metadata !== undefined) metadataOwnership.hold(owner, Number(id), Object.keys(state.metadata));
      const integration = await orUnknownName(integrationScope(platform, state.integrationId));
      const isIntegrationGone = integration instanceof UnknownNameError;
      const { tenants } = isIntegrationGone ? { tenants: platform.snapshot.tenantsOf() } : integration;
      const tenant = await tenants.get(Number(id));
      if (tenant === undefined) return gone(owner, Number(id));
      if (isIntegrationGone) throw integration;
      const isMetadataManaged = state.metadata !== undefined;
      const metadata = isMetadataManaged ? await readMetadata(platform, tenants, tenant.id) : {};
      if (metadata === undefined) return gone(owner, tenant.id);
      const settings = settingsOf(state);
      // what is as declared needs no schema to tell whether it means the same
      const schemas = areKeysAsDeclared(settings, { tenant, metadata })
        ? { configs: anyValue, metadata: anyValue }
        : await schemasOf(platform, integration, undefined, tenant);
      const lastWrite = { settings, unreadablePaths: state.unreadablePaths ?? [] };
      const desired = { settings, lastKnown: settings, schemas, lastWrite };
      const observed = await observedSettings(desired, integration.releases, { tenant, metadata });
      warnOfAbsentFields(platform, settings, tenant);
      const { tenantId, integrationId, ...inputs } = stateOf(state, tenant.id, integration, observed);
      const hidden = unreadablePaths(desired, { tenant, metadata });
      // a name that somebody changed by hand is not the resource's
      const { declaredName: declared = state.name } = state;
      const declaredName = declared === observed.name ? undefined : declared;
      return { inputs, state: defined({ ...inputs, tenantId, integrationId, unreadablePaths: hidden, declaredName }) };
    },

    update: async (id, state, inputs) => {
      const owner = holdByDiff(platform, kind, Number(id), state, inputs);
      const integration = await integrationScope(platform, inputs.integration);
      const tenant = await integration.tenants.observe(Number(id));
      if (tenant === undefined) {
        throw new Error(
          `tenant "${state.name}" (id ${id}) has been archived by someone else: refresh, and up makes it anew`,
        );
      }
      await refuseTakenName(platform, integration, owner, tenant, inputs.name);
      const view = await viewOf(platform, integration, tenant, inputs, state);
      const { unreadablePaths: hidden = [] } = state;
      const desired = await desiredOf(platform, integration, inputs, settingsOf(state), tenant, hidden);
      return finish(platform, owner, view, desired, inputs);
    },

    delete: async (id, state) => {
      const owner = ownerOf(kind, state);
      ownership.release(owner, Number(id));
      metadataOwnership.release(owner, Number(id));
      if (state.onRemove === "forget") return;
      await ownership.untilQuiet(); // a replacement deletes while the program declares more, which may take the tenant over
      const other =
        ownership.takerOf(Number(id)) ??
        (isNamed(state) ? ownership.holdersOf(Number(id))[0] : undefined) ??
        ownership.rivalOf(owner, Number(id)) ??
        ownership.claimantOf(owner, { id: Number(id), integrationId: state.integrationId, name: state.name });
      if (other === undefined) {
        await ownership.duringArchive(owner, Number(id), () => archiveTenant(platform, Number(id), state));
        ownership.findGone(Number(id)); // a replacement may declare to adopt it
        return;
      }
      const removed = other === owner ? "a resource of another name in the state" : owner;
      platform.warn(
        `tenant "${state.name}" (id ${id}) is not archived: ${removed} is removed, and ${other} declares it`,
      );
    },
  };
}

async function makeOrTakeOver(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  inputs: TenantInputs,
  desired: Desired,
): Promise<TenantView> {
  const { ownership } = platform;
  const named = await integration.tenants.named(inputs.name);
  // who bears the name may be about to give it up: that is known once the program has declared everything
  if (named.length > 0 && typeof inputs.adopt !== "number") await ownership.untilQuiet();
  // the operation's list is as old as the operation: its customer may have connected the tenant since
  const seen = await Promise.all(named.map(({ id }) => integration.tenants.observe(id)));
  const live = seen.filter((tenant) => tenant?.name === inputs.name).filter((tenant) => tenant !== undefined);
  const decision = await takeOver(platform, integration, { owner, inputs, desired, live });
  if (decision.kind === "refuse") throw new Error(decision.failure);
  if (decision.kind === "make") {
    const tenant = await makeTenant(platform, integration, owner, desired);
    desired.lastKnown = withoutMetadata(desired.settings);
    desired.isNew = true;
    return { integration, id: tenant.id, observed: { tenant, metadata: {} }, isRead: false };
  }
  const { id, name } = decision.tenant;
  // that is as old as the operation's list: what is written is built from a read of its own
  const view = { integration, id, observed: { tenant: decision.tenant, metadata: {} }, isRead: false };
  // nothing is written over before it is known that no other resource declares the tenant
  if (typeof inputs.adopt === "number" && (await compare(view, desired)).paths.length > 0) await ownership.untilQuiet();
  const rival = ownership.rivalOf(owner, id);
  if (rival !== undefined) throw declaredTwice(`tenant "${name}" (id ${id})`, owner, rival);
  const archiver = ownership.archiverOf(id);
  if (archiver !== undefined) {
    throw new Error(
      `tenant "${name}" (id ${id}) cannot be taken over by ${owner}: ${archiver} is archiving it in this operation. Run up again`,
    );
  }
  ownership.take(owner, id);
  await refuseTakenName(platform, integration, owner, decision.tenant, inputs.name);
  return view;
}

function declaredTwice(tenant: string, ...owners: readonly Owner[]): Error {
  const by = owners.length > 0 ? `, ${owners.join(" and ")}` : "";
  return new Error(
    `${tenant} is declared by two resources${by}. One tenant has one: declare it once, then run up again. ` +
      "If the state has it twice, remove one with `pulumi state delete`, which leaves the tenant as it is",
  );
}

/** Does the work, and keeps what was done if not all could be. */
async function finish(
  platform: Platform,
  owner: Owner,
  view: TenantView,
  desired: Desired,
  inputs: TenantInputs,
): Promise<TenantState> {
  try {
    const settings = await bringAboutAlone(platform, owner, view, desired, inputs);
    return withUnreadable(stateOf(inputs, view.id, view.integration, settings), desired, view);
  } catch (error) {
    const settings = withRemovals((await compare(view, desired)).settings, desired, view.observed);
    const state = withUnreadable(stateOf(inputs, view.id, view.integration, settings), desired, view);
    throw new IncompleteError(String(view.id), state, error);
  }
}

function withUnreadable(state: TenantState, desired: Desired, { observed }: TenantView): TenantState {
  return defined({ ...state, unreadablePaths: unreadablePaths(desired, observed) });
}

/**
 * Where metadata are declared, or were, other work on the tenant's metadata waits, and is followed by a read. Keys that
 * another resource has come to declare stay.
 */
async function bringAboutAlone(
  platform: Platform,
  owner: Owner,
  view: TenantView,
  desired: Desired,
  { metadata }: TenantInputs,
): Promise<Settings> {
  if (metadata === undefined && desired.removed.metadata.length === 0) return bringAbout(platform, view, desired);
  const { metadataOwnership } = platform;
  if (metadata !== undefined) {
    metadataOwnership.hold(owner, view.id, Object.keys(metadata));
    metadataOwnership.refuseRival(owner, view.id);
  }
  return metadataOwnership.exclusively(view.id, () => {
    const others = metadataOwnership.keysOfOthers(owner, view.id);
    const removed = desired.removed.metadata.filter((key) => !others.has(key));
    desired.removed = { ...desired.removed, metadata: removed };
    if (others.size > 0) view.isRead = false;
    return bringAbout(platform, view, desired);
  });
}

async function viewOf(
  platform: Platform,
  integration: IntegrationScope,
  tenant: TenantView["observed"]["tenant"],
  ...declarations: Partial<Settings>[]
): Promise<TenantView> {
  const isMetadataManaged = declarations.some(({ metadata }) => metadata !== undefined);
  const metadata = isMetadataManaged ? await readMetadata(platform, integration.tenants, tenant.id) : {};
  return { integration, id: tenant.id, observed: { tenant, metadata: metadata ?? {} }, isRead: true };
}

/** The resource's logical name is left out where it is the tenant's: it must not change with the name that is observed. */
function stateOf(
  { integration, adopt, forceArchive, onRemove, logicalName, secretPaths }: TenantInputs,
  tenantId: number,
  { id: integrationId }: IntegrationScope,
  settings: Settings,
): TenantState {
  return defined({
    integration,
    ...settings,
    adopt,
    forceArchive,
    onRemove,
    logicalName,
    secretPaths,
    tenantId,
    integrationId,
  });
}

/** A POST writes all but the metadata, and cannot clear the schedule that the integration may give by default. */
function withoutMetadata({ metadata: _, ...settings }: Settings): Settings {
  return defined({ ...settings, schedule: settings.schedule === noSchedule ? undefined : settings.schedule });
}

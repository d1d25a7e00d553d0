import { anyValue, valueAt } from "../../json-schema/index.ts";
import { defined } from "../defined.ts";
import { type IntegrationScope, integrationScope } from "../integration-scope.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { readMetadata } from "../metadata-of.ts";
import { claimMetadata } from "../metadata-owner.ts";
import type { Platform } from "../platform.ts";
import { archiveTenant } from "./archive.ts";
import { bringAbout, compare } from "./bring-about.ts";
import { checkTenant } from "./check.ts";
import { desiredOf, schemasOf } from "./desired.ts";
import { diffTenant } from "./diff.ts";
import { makeTenant } from "./make.ts";
import type { TenantInputs, TenantState } from "./schema.ts";
import {
  areKeysAsDeclared,
  type Desired,
  observedSettings,
  type Settings,
  settingsOf,
  unreadablePaths,
  withRemovals,
} from "./settings.ts";
import { takeOver } from "./take-over.ts";
import type { TenantView } from "./view.ts";

/** Brings about a tenant. What each input means stands at `TenantArgs`. */
export function tenantLifecycle(platform: Platform): Lifecycle<TenantInputs, TenantState> {
  return {
    check: (inputs, old) => checkTenant(platform, inputs, old),

    diff: async (id, state, inputs) => {
      platform.claimed.add(Number(id));
      if (valueAt(inputs, ["metadata"]) !== undefined) claimMetadata(platform, Number(id), "Tenant");
      return diffTenant(platform, state, inputs);
    },

    create: async (inputs) => {
      const integration = await integrationScope(platform, inputs.integration);
      const { inMaking } = platform;
      // several live tenants may bear one name: then their ids tell them apart
      const key = typeof inputs.adopt === "number" ? `${inputs.adopt}` : `${integration.id}/${inputs.name}`;
      if (inMaking.has(key)) throw declaredTwice(`tenant "${inputs.name}"`);
      inMaking.add(key);
      const desired = await desiredOf(platform, integration, inputs);
      const view = await makeOrTakeOver(platform, integration, inputs, desired).finally(() => inMaking.delete(key));
      platform.claimed.add(view.id);
      return { id: String(view.id), state: await finish(platform, view, desired, inputs) };
    },

    read: async (id, state) => {
      if (state.onRemove !== "forget") platform.claimed.add(Number(id)); // else another resource may take it over
      const integration = await integrationScope(platform, state.integrationId);
      const tenant = await integration.tenants.get(Number(id));
      if (tenant === undefined) return undefined;
      const isMetadataManaged = state.metadata !== undefined;
      const metadata = isMetadataManaged ? await readMetadata(platform, integration.tenants, tenant.id) : {};
      if (metadata === undefined) return undefined;
      const settings = settingsOf(state);
      // what is as declared needs no schema to tell whether it means the same
      const schemas = areKeysAsDeclared(settings, { tenant, metadata })
        ? { configs: anyValue, metadata: anyValue }
        : await schemasOf(platform, integration, undefined, tenant);
      const lastWrite = { settings, unreadablePaths: state.unreadablePaths ?? [] };
      const desired = { settings, lastKnown: settings, schemas, lastWrite };
      const observed = await observedSettings(desired, integration.releases, { tenant, metadata });
      const { tenantId, integrationId, ...inputs } = stateOf(state, tenant.id, integration, observed);
      const hidden = unreadablePaths(desired, { tenant, metadata });
      return { inputs, state: defined({ ...inputs, tenantId, integrationId, unreadablePaths: hidden }) };
    },

    update: async (id, state, inputs) => {
      const integration = await integrationScope(platform, inputs.integration);
      const tenant = await integration.tenants.observe(Number(id));
      if (tenant === undefined) {
        throw new Error(
          `tenant "${state.name}" (id ${id}) has been archived by someone else: refresh, and up makes it anew`,
        );
      }
      const view = await viewOf(platform, integration, tenant, inputs, state);
      const { unreadablePaths: hidden = [] } = state;
      const desired = await desiredOf(platform, integration, inputs, settingsOf(state), tenant, hidden);
      return finish(platform, view, desired, inputs);
    },

    delete: async (id, state) => {
      if (state.onRemove !== "forget") await archiveTenant(platform, Number(id), state);
    },
  };
}

async function makeOrTakeOver(
  platform: Platform,
  integration: IntegrationScope,
  inputs: TenantInputs,
  desired: Desired,
): Promise<TenantView> {
  const decision = await takeOver(integration, inputs, desired, await integration.tenants.named(inputs.name));
  if (decision.kind === "refuse") throw new Error(decision.failure);
  if (decision.kind === "make") {
    const tenant = await makeTenant(platform, integration, desired);
    desired.lastKnown = withoutMetadata(desired.settings);
    desired.isNew = true;
    return { integration, id: tenant.id, observed: { tenant, metadata: {} }, isRead: false };
  }
  const { id, name } = decision.tenant;
  if (platform.claimed.has(id)) {
    throw declaredTwice(`tenant "${name}" (id ${id})`);
  }
  platform.claimed.add(id);
  return viewOf(platform, integration, decision.tenant, inputs);
}

function declaredTwice(tenant: string): Error {
  return new Error(`${tenant} is declared by two resources. One tenant has one: declare it once, then run up again`);
}

/** Does the work, and keeps what was done if not all could be. */
async function finish(
  platform: Platform,
  view: TenantView,
  desired: Desired,
  inputs: TenantInputs,
): Promise<TenantState> {
  try {
    if (inputs.metadata !== undefined) claimMetadata(platform, view.id, "Tenant");
    const settings = await bringAbout(platform, view, desired);
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

function stateOf(
  { integration, adopt, forceArchive, onRemove, secretPaths }: TenantInputs,
  tenantId: number,
  { id: integrationId }: IntegrationScope,
  settings: Settings,
): TenantState {
  return defined({ integration, ...settings, adopt, forceArchive, onRemove, secretPaths, tenantId, integrationId });
}

/** A POST writes all but the metadata. */
function withoutMetadata({ metadata: _, ...settings }: Settings): Settings {
  return settings;
}

import { isDeepStrictEqual } from "node:util";
import { NotFoundError, ValidationError } from "../../api/index.ts";
import { shapeFailures } from "../../inputs/input-schema.ts";
import { valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { noSchema } from "../../json-schema/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { Owner } from "../../operation/ownership.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { requireGone } from "../../operation/require-gone.ts";
import { tenantById } from "../../operation/tenant-by-id.ts";
import { secretTable } from "../../secrets/secret-table.ts";
import { undiffering } from "../../secrets/walk.ts";
import { HiddenValueError } from "../../settings/declared-keys.ts";
import { metadata } from "../../settings/metadata.ts";
import { referenceFailures, warnOfNewReferences } from "../../settings/reference-failures.ts";
import { errorsAmong, schemaFailures } from "../../settings/schema-failures.ts";
import type { Schemas } from "../../settings/setting.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { applySettings } from "../tenant/apply.ts";
import { settingsToStore } from "../tenant/comparison.ts";
import { type Desired, removedKeys, schemasOf } from "../tenant/desired.ts";
import type { ObservedTenant } from "../tenant/observed-tenant.ts";
import { NotRemovableError } from "../tenant/send.ts";
import { importTenantMetadata } from "./import-tenant-metadata.ts";
import { historyOf, observedState, secretPathsOf, stateOf } from "./observed-state.ts";
import { type TenantMetadataInputs, type TenantMetadataState, tenantMetadataInputsSchema } from "./schema.ts";

/** The lifecycle of the metadata of a tenant that is managed elsewhere. The inputs are documented at `TenantMetadataArgs`. */
export function tenantMetadataLifecycle(
  context: OperationContext,
): Lifecycle<TenantMetadataInputs, TenantMetadataState> {
  const { ownership, metadataOwnership } = context;

  /** Writes the declared keys. Several resources may write keys of one tenant, so the writes and their reads are serialized. */
  const writeOwn = (inputs: TenantMetadataInputs, before: TenantMetadataState | undefined) => {
    const { tenantId, data } = inputs;
    const enter = before === undefined ? metadataOwnership.take : metadataOwnership.hold;
    const keys = Object.keys(data);
    enter(ownerOf(inputs), tenantId, keys);
    metadataOwnership.refuseSecondOwner(ownerOf(inputs), tenantId, keys);
    return metadataOwnership.exclusively(tenantId, () => write(context, inputs, before));
  };

  return {
    check: async (inputs, old) => {
      const failures = shapeFailures(tenantMetadataInputsSchema, inputs);
      const tenantId = valueAt(inputs, ["tenantId"]);
      const hasState = old !== undefined;
      ownership.declare(ownerOf(inputs), { integrationId: 0, name: undefined, hasState });
      const data = valueAt(inputs, ["data"]);
      if (failures.length > 0 || typeof tenantId !== "number") return failures;
      const found = await tenantById(context, tenantId);
      if (found === undefined) {
        return [{ property: "tenantId", reason: `there is no live tenant with id ${tenantId}` }];
      }
      if (isUnknown(data) || typeof data !== "object" || data === null) return [];
      const unresolvable = referenceFailures(context, "data", data);
      if (unresolvable.length > 0) return unresolvable;
      const before = Object(valueAt(old ?? {}, ["data"]));
      await warnOfNewReferences(context, { data }, { data: before });
      const { metadata: schema } = await schemasOf(context, found.integration, undefined, found.tenant);
      const dynamicConfigs = found.tenant.status?.dynamic_configs;
      const { schemaViolations } = context;
      const candidate = { property: "data", schema, declared: data, live: undefined, before, isSameRelease: true };
      const violations = schemaFailures({ ...candidate, dynamicConfigs, schemaViolations });
      return errorsAmong(violations, `metadata of tenant ${tenantId}`, context.warn);
    },

    diff: async (id, state, inputs) => {
      const owner = ownerOf(inputs);
      if (owner !== ownerOf(state)) metadataOwnership.release(ownerOf(state), Number(id));
      const tenantId = valueAt(inputs, ["tenantId"]);
      if (!isUnknown(tenantId) && tenantId !== state.tenantId) {
        metadataOwnership.release(owner, Number(id)); // another resource may declare them in the same program
        return { isChanged: true, replaces: ["tenantId"] };
      }
      const keys = Object.keys(Object(valueAt(inputs, ["data"])));
      metadataOwnership.hold(owner, Number(id), keys);
      // Before the engine deletes a replaced tenant, it asks with an unknown id for the resources that need a replacement, and
      // deletes these first. The keys would be gone even if the tenant's archiving is refused.
      if (isUnknown(tenantId)) return { isChanged: true };
      if (ownership.isDeclared(owner)) metadataOwnership.refuseSecondOwner(owner, Number(id), keys);
      if (hasUnknown(inputs)) return { isChanged: true };
      const now = tenantMetadataInputsSchema.parse(inputs);
      if (now.logicalName !== state.logicalName) return { isChanged: true };
      if (!isDeepStrictEqual(now.secretPaths, state.secretPaths)) return { isChanged: true };
      const schemas = await schemasOfTenant(context, state.tenantId);
      return { isChanged: !metadata.areEquivalent?.(state.data, now.data, schemas) };
    },

    create: async (inputs) => {
      ownership.declare(ownerOf(inputs), { integrationId: 0, name: undefined, hasState: false });
      return { id: String(inputs.tenantId), state: await writeOwn(inputs, undefined) };
    },

    read: async (_id, state) => {
      metadataOwnership.hold(ownerOf(state), state.tenantId, Object.keys(state.data));
      const tenants = context.snapshot.tenantsOf();
      const found = await readMetadata(context, tenants, state.tenantId);
      // some platforms still show the metadata of an archived tenant
      const live = (await tenants.get(state.tenantId)) && found;
      if (live === undefined) {
        await requireGone(context, state.tenantId, undefined);
        return undefined;
      }
      return observedState(context, live, state);
    },

    update: (_, state, inputs) => writeOwn(inputs, state),

    delete: async (_, state) => {
      const others = metadataOwnership.release(ownerOf(state), state.tenantId);
      const own = Object.entries(state.data).filter(([key]) => !others.has(key));
      if (own.length < Object.keys(state.data).length) {
        const kept = Object.keys(state.data).filter((key) => others.has(key));
        context.warn(
          `metadata of tenant ${state.tenantId}: ${shortList(kept)} stays, because another resource declares it`,
        );
      }
      if (own.length === 0) return;
      if ((await observedTenant(context, state.tenantId, state)) === undefined) {
        return requireGone(context, state.tenantId, undefined);
      }
      try {
        await metadataOwnership.exclusively(state.tenantId, () =>
          write(context, { ...state, data: {} }, { ...state, data: Object.fromEntries(own) }),
        );
      } catch (error) {
        // the deletion of the tenant's own resource may have archived it meanwhile, and its metadata with it
        const cause = error instanceof IncompleteError ? error.cause : error;
        const isGone = (await context.snapshot.tenantsOf().fetchFresh(state.tenantId)) === undefined;
        if (isGone || cause instanceof NotFoundError) return; // the lists may still show a tenant for which the platform responds with 404
        // the schema may require a key: then a platform that replaces the metadata refuses those without it
        if (
          cause instanceof NotRemovableError ||
          cause instanceof HiddenValueError ||
          cause instanceof ValidationError
        ) {
          context.warn(`metadata of tenant ${state.tenantId} is not removed: ${cause.message}`);
          return;
        }
        throw error;
      }
    },

    import: (id) => importTenantMetadata(context, id),
  };
}

/** The owner according to inputs or state. A state without a logical name is identified by its tenant. */
function ownerOf(properties: object): Owner {
  const [logicalName, tenantId] = ["logicalName", "tenantId"].map((key) => valueAt(properties, [key]));
  return `TenantMetadata ${String(logicalName ?? `of tenant ${String(tenantId)}`)}`;
}

async function write(
  context: OperationContext,
  inputs: TenantMetadataInputs,
  before: TenantMetadataState | undefined,
): Promise<TenantMetadataState> {
  const tenant = await observedTenant(context, inputs.tenantId, before);
  if (tenant === undefined)
    throw new Error(`cannot write metadata: there is no live tenant with id ${inputs.tenantId}. Correct tenantId`);
  const settings = { metadata: before === undefined ? undiffering(inputs.data, []) : inputs.data };
  const others = context.metadataOwnership.keysOfOthers(ownerOf(inputs), inputs.tenantId);
  const { metadata: removed = [] } = removedKeys({ metadata: before?.data }, settings);
  const desired: Desired = {
    settings,
    resolved: settings,
    removed: { metadata: removed.filter((key) => !others.has(key)) },
    schemas: await schemasOf(context, tenant.integration, undefined, tenant.tenant),
    secrets: secretTable(context, settings),
    secretPaths: secretPathsOf(inputs),
  };
  const applied = await applySettings(context, desired, tenant);
  const { settings: stored, kept } = await settingsToStore(desired, applied);
  const state = stateOf({ ...inputs, data: stored.metadata ?? {} }, kept);
  if (applied.error === undefined) return state;
  throw new IncompleteError(String(inputs.tenantId), state, applied.error);
}

async function observedTenant(
  context: OperationContext,
  tenantId: number,
  before: TenantMetadataState | undefined,
): Promise<ObservedTenant | undefined> {
  const found = await tenantById(context, tenantId);
  if (found === undefined) return undefined;
  const metadata = await readMetadata(context, found.integration.tenants, tenantId);
  if (metadata === undefined) return undefined;
  return { ...found, id: tenantId, metadata, isRead: true, history: historyOf(before) };
}

async function schemasOfTenant(context: OperationContext, tenantId: number): Promise<Schemas> {
  const found = await tenantById(context, tenantId);
  if (found === undefined) return { configs: noSchema, metadata: noSchema };
  return schemasOf(context, found.integration, undefined, found.tenant);
}

import { isDeepStrictEqual } from "node:util";
import { type JsonObject, NotFoundError } from "../../api/index.ts";
import { anyValue, hasUnknown, isUnknown, valueAt } from "../../json-schema/index.ts";
import { type KeyPath, meansTheSame, observedKeys, partOf } from "../declared-keys.ts";
import { defined } from "../defined.ts";
import { shapeFailures } from "../input-schema.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { readMetadata } from "../metadata-of.ts";
import type { Owner } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { schemaFailures } from "../schema-failures.ts";
import { bringAbout, compare, NotRemovableError } from "../tenant/bring-about.ts";
import { removedKeys, schemasOf } from "../tenant/desired.ts";
import { type Desired, unreadablePaths, withRemovals } from "../tenant/settings.ts";
import type { TenantView } from "../tenant/view.ts";
import { tenantById } from "../tenant-by-id.ts";
import { type TenantMetadataInputs, type TenantMetadataState, tenantMetadataInputsSchema } from "./schema.ts";

/** Brings about metadata of a tenant that is managed elsewhere. What each input means stands at `TenantMetadataArgs`. */
export function tenantMetadataLifecycle(platform: Platform): Lifecycle<TenantMetadataInputs, TenantMetadataState> {
  const { ownership, metadataOwnership } = platform;

  /** Two resources may write different keys of one tenant: one after the other, each on what it then reads. */
  const writeOwn = (inputs: TenantMetadataInputs, before: TenantMetadataState | undefined) => {
    const { tenantId, data } = inputs;
    const enter = before === undefined ? metadataOwnership.take : metadataOwnership.hold;
    enter(ownerOf(inputs), tenantId, Object.keys(data));
    metadataOwnership.refuseRival(ownerOf(inputs), tenantId);
    return metadataOwnership.exclusively(tenantId, () => write(platform, inputs, before));
  };

  return {
    check: async (inputs, old) => {
      const failures = shapeFailures(tenantMetadataInputsSchema, inputs);
      const tenantId = valueAt(inputs, ["tenantId"]);
      const hasState = old !== undefined;
      ownership.declare(ownerOf(inputs), { integrationId: 0, name: undefined, hasState });
      const data = valueAt(inputs, ["data"]);
      if (failures.length > 0 || typeof tenantId !== "number") return failures;
      if ((await tenantById(platform, tenantId)) === undefined) {
        return [{ property: "tenantId", reason: `there is no live tenant with id ${tenantId}` }];
      }
      if (isUnknown(data) || typeof data !== "object" || data === null) return [];
      const schema = await schemaOf(platform, tenantId);
      const before = Object(valueAt(old ?? {}, ["data"]));
      return schemaFailures({ property: "data", schema, declared: data, live: undefined, before, isSameRelease: true });
    },

    diff: async (id, state, inputs) => {
      const owner = ownerOf(inputs);
      if (owner !== ownerOf(state)) metadataOwnership.release(ownerOf(state), Number(id));
      const data = valueAt(inputs, ["data"]);
      metadataOwnership.hold(owner, Number(id), Object.keys(Object(data)));
      if (ownership.declarationOf(owner) !== undefined) metadataOwnership.refuseRival(owner, Number(id));
      if (valueAt(inputs, ["tenantId"]) !== state.tenantId) return { isChanged: true, replaces: ["tenantId"] };
      if (hasUnknown(inputs)) return { isChanged: true };
      const now = tenantMetadataInputsSchema.parse(inputs);
      if (now.logicalName !== state.logicalName) return { isChanged: true };
      if (!isDeepStrictEqual(now.secretPaths, state.secretPaths)) return { isChanged: true };
      const schema = await schemaOf(platform, state.tenantId);
      const keys = Object.keys({ ...state.data, ...now.data });
      return {
        isChanged: !keys.every((key) => meansTheSame(schema, key, partOf(state.data, key), partOf(now.data, key))),
      };
    },

    create: async (inputs) => {
      ownership.declare(ownerOf(inputs), { integrationId: 0, name: undefined, hasState: false });
      return { id: String(inputs.tenantId), state: await writeOwn(inputs, undefined) };
    },

    read: async (_, state) => {
      metadataOwnership.hold(ownerOf(state), state.tenantId, Object.keys(state.data));
      const live = await readMetadata(platform, platform.snapshot.tenantsOf(), state.tenantId);
      if (live === undefined) return undefined;
      const schema = await schemaOf(platform, state.tenantId);
      const { unreadablePaths: before = [], ...inputs } = state;
      const hiding = { lastWritten: state.data, unreadable: before.map(([, ...path]) => path) };
      const hidden: string[][] = [];
      const note = (path: KeyPath) => hidden.push(["data", ...path]);
      const data = observedKeys({ declared: state.data, written: state.data, schema, hiding }, live, note);
      return { inputs: { ...inputs, data }, state: stateOf({ ...inputs, data }, hidden) };
    },

    update: (_, state, inputs) => writeOwn(inputs, state),

    delete: async (_, state) => {
      const others = metadataOwnership.release(ownerOf(state), state.tenantId);
      const own = Object.entries(state.data).filter(([key]) => !others.has(key));
      if (own.length < Object.keys(state.data).length) {
        const kept = Object.keys(state.data).filter((key) => others.has(key));
        platform.warn(
          `metadata of tenant ${state.tenantId}: ${kept.join(", ")} stays, as another resource declares it`,
        );
      }
      if (own.length === 0 || (await viewOf(platform, state.tenantId)) === undefined) return;
      try {
        await metadataOwnership.exclusively(state.tenantId, () =>
          write(platform, { ...state, data: {} }, { ...state, data: Object.fromEntries(own) }),
        );
      } catch (error) {
        // archived meanwhile, by the deletion of its own resource: its metadata are nobody's to remove
        const cause = error instanceof IncompleteError ? error.cause : error;
        const isGone = (await platform.snapshot.tenantsOf().observe(state.tenantId)) === undefined;
        if (isGone || cause instanceof NotFoundError) return; // the lists may lag behind the 404
        if (!(cause instanceof NotRemovableError)) throw error;
        platform.warn(
          `metadata of tenant ${state.tenantId} is left as it is: the platform offers no way to remove its keys`,
        );
      }
    },
  };
}

/** By the logical name; of a state that has none, by the tenant. */
function ownerOf(properties: object): Owner {
  const [logicalName, tenantId] = ["logicalName", "tenantId"].map((key) => valueAt(properties, [key]));
  return `TenantMetadata ${String(logicalName ?? `of tenant ${String(tenantId)}`)}`;
}

async function write(
  platform: Platform,
  inputs: TenantMetadataInputs,
  before: TenantMetadataState | undefined,
): Promise<TenantMetadataState> {
  const view = await viewOf(platform, inputs.tenantId);
  if (view === undefined) throw new Error(`there is no live tenant with id ${inputs.tenantId} to give metadata to`);
  const desired = await desiredOf(platform, view, inputs.data, before);
  try {
    const { metadata = {} } = await bringAbout(platform, view, desired);
    return stateOf({ ...inputs, data: metadata }, hiddenPaths(desired, view));
  } catch (error) {
    const { metadata = {} } = withRemovals((await compare(view, desired)).settings, desired, view.observed);
    const state = stateOf({ ...inputs, data: metadata }, hiddenPaths(desired, view));
    throw new IncompleteError(String(inputs.tenantId), state, error);
  }
}

/** A tenant of which nothing is managed but its metadata. */
async function desiredOf(
  platform: Platform,
  view: TenantView,
  data: JsonObject,
  state: TenantMetadataState | undefined,
): Promise<Desired> {
  const { data: before = {}, unreadablePaths: unreadable = [] } = state ?? {};
  const paths = unreadable.map(([, ...path]) => ["metadata", ...path]);
  return {
    settings: {
      // it is not managed here: whatever it is, it is as it should be
      get name() {
        return view.observed.tenant.name;
      },
      metadata: data,
    },
    release: undefined,
    removed: { configs: [], metadata: removedKeys(before, data) },
    lastKnown: { metadata: before },
    lastWrite: state && { settings: { metadata: before }, unreadablePaths: paths },
    schemas: await schemasOf(platform, view.integration, undefined, view.observed.tenant),
  };
}

function hiddenPaths(desired: Desired, { observed }: TenantView): string[][] {
  return (unreadablePaths(desired, observed) ?? []).map(([, ...path]) => ["data", ...path]);
}

function stateOf(inputs: TenantMetadataInputs, hidden: string[][]): TenantMetadataState {
  return defined({ ...inputs, unreadablePaths: hidden.length === 0 ? undefined : hidden });
}

async function viewOf(platform: Platform, tenantId: number): Promise<TenantView | undefined> {
  const place = await tenantById(platform, tenantId);
  if (place === undefined) return undefined;
  const metadata = await readMetadata(platform, place.integration.tenants, tenantId);
  if (metadata === undefined) return undefined;
  return { integration: place.integration, id: tenantId, observed: { tenant: place.tenant, metadata }, isRead: true };
}

async function schemaOf(platform: Platform, tenantId: number) {
  const place = await tenantById(platform, tenantId);
  if (place === undefined) return anyValue;
  return (await schemasOf(platform, place.integration, undefined, place.tenant)).metadata;
}

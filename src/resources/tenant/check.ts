import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Tenant } from "../../api/index.ts";
import type { Failure } from "../../inputs/input-schema.ts";
import { shapeFailures } from "../../inputs/input-schema.ts";
import { valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type Owner, type OwnerKind, ownerOf } from "../../operation/ownership.ts";
import { releaseSchemas } from "../../operation/release-schemas.ts";
import { invalidSettings } from "../../settings/invalid-settings.ts";
import { referenceFailures, warnOfNewReferences } from "../../settings/reference-failures.ts";
import { type ResolvedRelease, releaseToRun } from "../../settings/release.ts";
import { errorsAmong, type SchemaFailure, schemaFailures } from "../../settings/schema-failures.ts";
import { schemaViolationsSchema } from "../../settings/schema-violations.ts";
import {
  keysEntries,
  type ResolvedSettings,
  type SomeSettings,
  settingEntries,
  settingNames,
  settingsFrom,
} from "../../settings/table.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { unresolvedForCreate } from "./create.ts";
import { desiredOf, resolvedSettings, schemasOf } from "./desired.ts";
import { listAgeSecondsMaximum } from "./names.ts";
import { tenantInputsSchema } from "./schema.ts";
import { takeOver, takeOverById } from "./take-over.ts";
import { unchangeableSettings } from "./unchangeable-settings.ts";

/** What a check knows besides the inputs. */
export interface CheckedAgainst {
  /** The inputs of the last `up`; `undefined` for a new resource. */
  old: object | undefined;
  /** The releases on which the tenant may be created if it declares none. Default: the integration's default release. */
  newReleases?: readonly ResolvedRelease[] | undefined;
}

/** The invalid inputs of a tenant. Inputs that are unknown in a preview are skipped. Sends no request per tenant. */
export async function checkTenant(
  context: OperationContext,
  kind: OwnerKind,
  inputs: object,
  against: CheckedAgainst,
): Promise<Failure[]> {
  const failures = await declareTenant(context, kind, inputs, against.old);
  return failures.length > 0 ? failures : checkDeclaredTenant(context, kind, inputs, against);
}

/**
 * The first part of {@link checkTenant}: registers what the program declares of the tenant.
 *
 * @returns the failures that rule out the second part.
 */
export async function declareTenant(
  context: OperationContext,
  kind: OwnerKind,
  inputs: object,
  old: object | undefined,
): Promise<Failure[]> {
  const failures = shapeFailures(tenantInputsSchema, inputs);
  if (failures.length > 0 || isUnknown(valueAt(inputs, ["integration"]))) return failures;
  const declaration = declarationSchema.parse(onlyKnown(inputs));
  const integration = await orUnknownName(integrationScope(context, declaration.integration ?? ""));
  if (integration instanceof UnknownNameError) return [{ property: "integration", reason: integration.message }];
  const duplicate = declare(context, kind, integration.id, declaration, old);
  return duplicate === undefined ? [] : [{ property: "name", reason: duplicate }];
}

/** The second part of {@link checkTenant}, of a tenant whose first part has no failures. */
export async function checkDeclaredTenant(
  context: OperationContext,
  kind: OwnerKind,
  inputs: object,
  { old, newReleases = [] }: CheckedAgainst,
): Promise<Failure[]> {
  if (isUnknown(valueAt(inputs, ["integration"]))) return [];
  const known = knownInputs(inputs);
  const integration = await integrationScope(context, known.integration ?? "");
  const { name = "", logicalName = name } = known;
  const owner = ownerOf(kind, { name: logicalName });
  const isOwn = (id: number) => context.ownership.holdersOf(id).includes(owner);
  const tenant = await existingTenant(integration, known, { old, isOwn });
  if (old !== undefined) await warnOfNamesakes(context, integration, known, old);
  warnOfDoubts(context, known, tenant);
  const { resolved, unresolved } = await resolveSettings(integration, known);
  await warnOfNewReferences(context, keysOf(known), keysOf(old));

  return [
    ...invalidSettings(known, tenant),
    ...unchangeableSettings(context, known, old),
    ...keysEntries.flatMap(([property]) => referenceFailures(context, property, known[property])),
    ...unresolved,
    ...(old === undefined ? await takeOverFailures(context, kind, integration, inputs) : []),
    ...(hasUnknown(valueAt(inputs, ["release"])) || unresolved.length > 0
      ? []
      : await keysFailures(context, integration, inputs, {
          old,
          tenant,
          releases: releasesToCheck(resolved.release, tenant, newReleases),
        })),
  ];
}

const { integration, name, logicalName, adopt } = tenantInputsSchema.shape;
/** What identifies a tenant and its resource. */
const declarationSchema = z.object({ integration, name, logicalName, adopt }).partial();
const knownInputsSchema = tenantInputsSchema.partial();

/** The inputs without unknown parts. */
function knownInputs(inputs: object) {
  return knownInputsSchema.parse(onlyKnown(inputs));
}

function onlyKnown(inputs: object): object {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !hasUnknown(value)));
}

/** The tenant that already exists: the one in the state, or the one to take over. */
async function existingTenant(
  integration: IntegrationScope,
  { adopt, name }: ReturnType<typeof knownInputs>,
  { old, isOwn }: { old: object | undefined; isOwn: (id: number) => boolean },
): Promise<Tenant | undefined> {
  if (old === undefined && typeof adopt === "number") return integration.tenants.get(adopt);
  const lookedFor = old === undefined ? name : valueAt(old, ["name"]);
  const found = typeof lookedFor === "string" ? await integration.tenants.named(lookedFor) : [];
  if (found.length <= 1) return found[0];
  return found.find(({ id }) => id === adopt) ?? found.find(({ id }) => old !== undefined && isOwn(id));
}

/**
 * Warns that another live tenant has the unchanged name of a resource that has its tenant: a create whose response was lost may
 * have made a second one after all.
 */
async function warnOfNamesakes(
  context: OperationContext,
  { record, tenants }: IntegrationScope,
  { adopt, name }: ReturnType<typeof knownInputs>,
  old: object,
): Promise<void> {
  if (name === undefined || name !== valueAt(old, ["name"]) || typeof adopt === "number") return;
  const live = await tenants.named(name);
  if (live.length < 2) return;
  const ids = shortList(live.map(({ id }) => String(id)));
  context.warn(
    `${live.length} live tenants of integration "${record.name}" are named "${name}" (ids ${ids}), and only one of them is this ` +
      "resource's. If a create was interrupted, the other may be its second tenant: archive it in the console. If both are " +
      "wanted, set adopt to the id of this resource's",
  );
}

/** Warns of valid values that the platform may refuse. Many tenants may have the same one, so the warning names none of them. */
function warnOfDoubts({ warn }: Pick<OperationContext, "warn">, known: SomeSettings, tenant: Tenant | undefined): void {
  for (const [property, setting] of settingEntries) {
    const declared = known[property];
    const doubt =
      declared === undefined
        ? undefined
        : setting.doubtOf?.(declared, tenant && setting.live({ tenant, metadata: {} }));
    if (doubt !== undefined) warn(`${property}: ${doubt}`);
  }
}

/** The settings in the form that the API accepts, and failures for settings that name something that does not exist. */
async function resolveSettings({ releases }: IntegrationScope, known: SomeSettings) {
  const resolved: ResolvedSettings = {};
  const unresolved: Failure[] = [];
  for (const property of settingNames) {
    if (known[property] === undefined) continue;
    const one = await orUnknownName(resolvedSettings(releases, settingsFrom([[property, known[property]]])));
    if (one instanceof UnknownNameError) unresolved.push({ property, reason: one.message });
    else Object.assign(resolved, one);
  }
  return { resolved, unresolved };
}

/** Registers the program's declaration. Returns a reason if another resource declares the same new tenant. */
function declare(
  { ownership }: OperationContext,
  kind: OwnerKind,
  integrationId: number,
  { name, logicalName = name, adopt }: z.infer<typeof declarationSchema>,
  old: object | undefined,
): string | undefined {
  if (logicalName === undefined) return undefined;
  const owner = ownerOf(kind, { name: logicalName });
  const adopts = typeof adopt === "number" ? adopt : undefined;
  const other = ownership.declare(owner, { integrationId, name, adopts, hasState: old !== undefined });
  return other && `tenant "${name}" is declared by two resources, ${other} and ${owner}. Remove one of them`;
}

/** Reasons why the create will fail. A reason that other work of this operation may remove is only a warning. */
async function takeOverFailures(
  context: OperationContext,
  kind: OwnerKind,
  integration: IntegrationScope,
  inputs: object,
): Promise<Failure[]> {
  if (hasUnknown(inputs)) return adoptFailures(context, kind, integration, knownInputs(inputs));
  const complete = tenantInputsSchema.parse(inputs);
  const owner = ownerOf(kind, complete);
  context.createRefusals.set(owner, (archivedId) => createRefusal(context, integration, owner, complete, archivedId));
  const all = await integration.tenants.named(complete.name);
  if (all.length === 0 && typeof complete.adopt !== "number") return []; // nothing to take over
  const desired = await orUnknownName(desiredOf(context, integration, complete));
  if (desired instanceof UnknownNameError) return []; // reported by resolveSettings
  const { ownership } = context;
  // another resource may give up its tenant, and in a replacement the engine deletes this resource's own tenant first
  const live = all.filter(({ id }) => !ownership.mayBecomeFree(owner, { id, integrationId: integration.id }));
  const decision = await takeOver(context, integration, { owner, inputs: complete, desired, live });
  if (decision.kind === "take over") context.noteTakeOver({ ...decision, owner, name: complete.name });
  if (decision.kind !== "refuse") return [];
  if (decision.final !== undefined) return [decision.final];
  ownership.refuseReplacement(owner); // another process may archive what it replaces
  const isReplaced = ownership.isReplacedBeforeDelete(owner);
  if (!isReplaced) context.warn(`${owner} cannot be created by up: ${decision.failure}`);
  return [];
}

/** Why the create that follows the archiving of a tenant would be refused; `undefined` if it would not. */
async function createRefusal(
  context: OperationContext,
  integration: IntegrationScope,
  owner: Owner,
  inputs: z.infer<typeof tenantInputsSchema>,
  archivedId: number,
): Promise<string | undefined> {
  const { name, adopt } = inputs;
  const desired = await desiredOf(context, integration, inputs);
  const unresolved = await unresolvedForCreate(desired);
  if (unresolved !== undefined) return unresolved;
  const named = await integration.tenants.named(name, listAgeSecondsMaximum);
  const live = named.filter(({ id }) => id !== archivedId);
  // the tenant to adopt is the one that the replacement archives
  const adopting = adopt === archivedId ? { name } : { name, adopt };
  const decision = await takeOver(context, integration, { owner, inputs: adopting, desired, live });
  return decision.kind === "refuse" ? decision.failure : undefined;
}

/** Why the declared id cannot be taken over, for a new resource whose other inputs a preview does not know yet. */
async function adoptFailures(
  context: OperationContext,
  kind: OwnerKind,
  integration: IntegrationScope,
  { name, logicalName, adopt }: ReturnType<typeof knownInputs>,
): Promise<Failure[]> {
  if (name === undefined || typeof adopt !== "number") return [];
  const owner = ownerOf(kind, { name, logicalName });
  const live = await integration.tenants.named(name);
  const decision = await takeOverById(context, integration, { owner, name, adopt, live });
  if (decision?.kind === "take over") context.noteTakeOver({ ...decision, owner, name });
  return decision?.kind === "refuse" && decision.final !== undefined ? [decision.final] : [];
}

/** The releases that the tenant may be going to run; `undefined` for the one that it runs, or the default one if it is new. */
function releasesToCheck(
  declared: ResolvedRelease | undefined,
  tenant: Tenant | undefined,
  newReleases: readonly ResolvedRelease[],
): readonly (ResolvedRelease | undefined)[] {
  return declared !== undefined || tenant !== undefined || newReleases.length === 0 ? [declared] : newReleases;
}

/** What the tenant and its check have in common for all releases that the tenant may be going to run. */
interface KeysCheck {
  old: object | undefined;
  tenant: Tenant | undefined;
}

/** Violations of the schemas of the releases that the tenant may be going to run: those that all of the schemas have. */
async function keysFailures(
  context: OperationContext,
  integration: IntegrationScope,
  inputs: object,
  { releases, ...check }: KeysCheck & { releases: readonly (ResolvedRelease | undefined)[] },
): Promise<Failure[]> {
  const [first = [], ...others] = await Promise.all(
    releases.map((release) => failuresOn(context, integration, inputs, release, check)),
  );
  const common = first.filter((failure) =>
    others.every((other) => other.some((same) => isDeepStrictEqual(same, failure))),
  );
  const name = valueAt(inputs, ["name"]);
  return errorsAmong(common, isUnknown(name) ? "a tenant" : `tenant "${name}"`, context.warn);
}

async function failuresOn(
  context: OperationContext,
  integration: IntegrationScope,
  inputs: object,
  release: ResolvedRelease | undefined,
  { old, tenant }: KeysCheck,
): Promise<SchemaFailure[]> {
  const { releases, record } = integration;
  const schemas = await schemasOf(context, integration, release, tenant);
  const runs = tenant && (await releaseToRun(releases, record, undefined, tenant));
  const isSameRelease = runs !== undefined && runs.id === (await releaseToRun(releases, record, release, tenant))?.id;
  const runsSchemas = runs && releaseSchemas(context, runs);
  const schemaViolations = schemaViolationsSchema.safeParse(valueAt(inputs, ["schemaViolations"])).data;
  return keysEntries.flatMap(([property, { schemaOf, live, createFields, write }]) => {
    if (isUnknown(valueAt(inputs, [property]))) return [];
    const declared = objectAt(inputs, property);
    // required metadata is not enforced: a POST cannot set it, and reading it would cost one request per tenant
    if (declared === undefined && createFields === undefined) return [];
    const liveKeys = tenant && write.endpoint === "tenant" ? live({ tenant, metadata: {} }) : undefined;
    const isNew = old === undefined && tenant === undefined;
    const before = objectAt(old ?? {}, property);
    return schemaFailures({
      property,
      schema: schemaOf(schemas),
      declared: declared ?? {},
      live: isNew ? {} : liveKeys,
      isNew,
      runs: runsSchemas && schemaOf(runsSchemas),
      before: write.endpoint === "metadata" ? before : undefined,
      removed: Object.keys(before ?? {}).filter((key) => !Object.hasOwn(declared ?? {}, key)),
      isSameRelease,
      dynamicConfigs: tenant?.status?.dynamic_configs,
      schemaViolations: schemaViolations ?? context.schemaViolations,
    });
  });
}

/** The free-form settings among inputs. */
function keysOf(inputs: object = {}): object {
  return Object.fromEntries(keysEntries.map(([property]) => [property, valueAt(inputs, [property])]));
}

function objectAt(inputs: object, name: string): object | undefined {
  const value = valueAt(inputs, [name]);
  return typeof value === "object" && value !== null ? value : undefined;
}

import type { Tenant } from "../../api/index.ts";
import { hasUnknown, isUnknown, valueAt } from "../../json-schema/index.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { shapeFailures } from "../input-schema.ts";
import { type IntegrationScope, integrationScope } from "../integration-scope.ts";
import type { Failure } from "../lifecycle.ts";
import { type OwnerKind, ownerOf } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { schemaFailures } from "../schema-failures.ts";
import { desiredOf, schemasOf } from "./desired.ts";
import { nameProblem } from "./name.ts";
import { type ResolvedRelease, releaseToRun, resolveRelease } from "./release.ts";
import { scheduleProblem } from "./schedule.ts";
import { tenantInputsSchema } from "./schema.ts";
import { takeOver } from "./take-over.ts";

/** What of a tenant's inputs cannot be brought about, as far as they are known. Does no request for a single tenant. */
export async function checkTenant(
  platform: Platform,
  kind: OwnerKind,
  inputs: object,
  old: object | undefined,
): Promise<Failure[]> {
  const failures = shapeFailures(tenantInputsSchema, inputs);
  const nameOrId = valueAt(inputs, ["integration"]);
  if (failures.length > 0 || isUnknown(nameOrId)) return failures;
  const known = knownInputs(inputs);

  const integration = await orUnknownName(integrationScope(platform, known.integration ?? ""));
  if (integration instanceof UnknownNameError) return [{ property: "integration", reason: integration.message }];
  const twin = declare(platform, kind, integration.id, known, old);
  if (twin !== undefined) return [{ property: "name", reason: twin }];
  const tenant = await existingTenant(integration, known, old);
  const release = known.release && (await orUnknownName(resolveRelease(integration.releases, known.release)));

  return [
    ...textFailure("name", known.name, tenant?.name, nameProblem),
    ...textFailure("schedule", known.schedule, tenant?.user_schedule, scheduleProblem),
    ...(release instanceof UnknownNameError ? [{ property: "release", reason: release.message }] : []),
    ...(old === undefined && !hasUnknown(inputs) ? await takeOverFailures(platform, kind, integration, inputs) : []),
    ...(isUnknown(valueAt(inputs, ["release"])) || release instanceof UnknownNameError
      ? []
      : await objectFailures(platform, integration, inputs, old, release, tenant)),
  ];
}

const knownInputsSchema = tenantInputsSchema.partial();

/** The inputs that are wholly known. */
function knownInputs(inputs: object) {
  const known = Object.entries(inputs).filter(([, value]) => !hasUnknown(value));
  return knownInputsSchema.parse(Object.fromEntries(known));
}

/** The tenant that is there already: the resource's own, or the one to take over. */
async function existingTenant(
  integration: IntegrationScope,
  { adopt, name }: ReturnType<typeof knownInputs>,
  old: object | undefined,
): Promise<Tenant | undefined> {
  if (old === undefined && typeof adopt === "number") return integration.tenants.get(adopt);
  const lookedFor = old === undefined ? name : valueAt(old, ["name"]);
  const found = typeof lookedFor === "string" ? await integration.tenants.named(lookedFor) : [];
  return found.length > 1 ? found.find(({ id }) => id === adopt) : found[0];
}

/** Texts that a tenant has already are kept, however odd. */
function textFailure(
  property: string,
  wanted: string | undefined,
  live: string | null | undefined,
  problemOf: (text: string) => string | undefined,
): Failure[] {
  if (wanted === undefined || wanted === live) return [];
  const reason = problemOf(wanted);
  return reason === undefined ? [] : [{ property, reason }];
}

/** Enters what the program declares. Returns what is wrong where another resource declares the same new tenant. */
function declare(
  { ownership }: Platform,
  kind: OwnerKind,
  integrationId: number,
  { name, logicalName = name, adopt }: ReturnType<typeof knownInputs>,
  old: object | undefined,
): string | undefined {
  if (logicalName === undefined) return undefined;
  const owner = ownerOf(kind, { name: logicalName });
  const adopts = typeof adopt === "number" ? adopt : undefined;
  ownership.declare(owner, { integrationId, name, adopts, hasState: old !== undefined });
  const twin = ownership.twinOf(owner);
  return twin && `tenant "${name}" is declared by two resources, ${twin} and ${owner}. One tenant has one resource`;
}

/** What will refuse the create. What the operation itself may clear away before is only warned of. */
async function takeOverFailures(
  platform: Platform,
  kind: OwnerKind,
  integration: IntegrationScope,
  inputs: object,
): Promise<Failure[]> {
  const complete = tenantInputsSchema.parse(inputs);
  const desired = await orUnknownName(desiredOf(platform, integration, complete));
  if (desired instanceof UnknownNameError) return []; // told already
  const { ownership } = platform;
  const owner = ownerOf(kind, complete);
  const all = await integration.tenants.named(complete.name);
  // what another resource holds may leave, and what this one holds is deleted first where the engine replaces it
  const live = all.filter(({ id }) => ownership.holdersOf(id).length === 0 || ownership.rivalOf(owner, id));
  const decision = await takeOver(platform, integration, { owner, inputs: complete, desired, live });
  if (decision.kind !== "refuse") return [];
  if (decision.isFinal) return [{ property: "name", reason: decision.failure }];
  const isReplaced = ownership.isReplacedBeforeDelete(owner);
  if (!isReplaced) platform.warn(`${owner}: up will refuse to create it: ${decision.failure}`);
  return [];
}

async function objectFailures(
  platform: Platform,
  integration: IntegrationScope,
  inputs: object,
  old: object | undefined,
  release: ResolvedRelease | undefined,
  tenant: Tenant | undefined,
): Promise<Failure[]> {
  const { releases, record } = integration;
  const schemas = await schemasOf(platform, integration, release, tenant);
  const runs = tenant && (await releaseToRun(releases, record, undefined, tenant));
  const isSameRelease = runs !== undefined && runs.id === (await releaseToRun(releases, record, release, tenant))?.id;
  const isNew = old === undefined && tenant === undefined;
  const { configs, metadata } = { configs: objectAt(inputs, "configs"), metadata: objectAt(inputs, "metadata") };
  const removed = Object.keys(objectAt(old ?? {}, "configs") ?? {}).filter((key) => !Object.hasOwn(configs ?? {}, key));
  return [
    ...(isUnknown(valueAt(inputs, ["configs"]))
      ? []
      : schemaFailures({
          property: "configs",
          schema: schemas.configs,
          declared: configs ?? {},
          live: isNew ? {} : tenant?.configs,
          removed,
          isSameRelease,
        })),
    ...(metadata === undefined
      ? []
      : schemaFailures({
          property: "metadata",
          schema: schemas.metadata,
          declared: metadata,
          live: isNew ? {} : undefined, // to read it would cost a request per tenant
          before: objectAt(old ?? {}, "metadata"),
          isSameRelease,
        })),
  ];
}

function objectAt(inputs: object, name: string): object | undefined {
  const value = valueAt(inputs, [name]);
  return typeof value === "object" && value !== null ? value : undefined;
}

import { fleetRolloutInputsSchema, fleetRolloutStateSchema } from "../../src/resources/fleet-rollout/schema.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../../src/resources/sync-trigger/schema.ts";
import { waitingForSchema } from "../../src/resources/tenant/observed-tenant.ts";
import {
  fleetEntrySchema,
  tenantFleetInputsSchema,
  tenantFleetStateSchema,
} from "../../src/resources/tenant-fleet/schema.ts";
import { overriddenSchema, overrideSchema } from "../../src/settings/override.ts";
import { releaseWays } from "../../src/settings/release.ts";
import { schemaViolationsSchema } from "../../src/settings/schema-violations.ts";
import type { Documentation, DocumentedProperty } from "./documentation.ts";
import { type EnumSpec, type ObjectSpec, type TypeSpec, typeNamed } from "./package-spec.ts";
import { isRequired, listOf, only, propertySpecs, type Shape } from "./resources.ts";
import { enumValuesOf } from "./zod-types.ts";

const { limits, sync, rollout } = tenantFleetInputsSchema.shape;
const target = rollout.unwrap().shape;
const { waves, gate, freeze, onFailure } = fleetRolloutInputsSchema.shape;
const { phase, history } = fleetRolloutStateSchema.shape;
const entryState = tenantFleetStateSchema.shape.tenants.valueType;

// A platform may select a release by a channel of its own, which the state then holds.
const release = { channel: { oneOf: [{ type: "string" }, typeNamed("ReleaseChannel")] } };

/** The types that the resources use. */
export function typeSpecs(documentation: Documentation): Record<string, ObjectSpec | EnumSpec> {
  const documented = (...names: readonly string[]) =>
    new Map(names.flatMap((name) => [...documentation.typeOf(name).properties]));
  const described = (name: string) => documentation.typeOf(name).description;
  const syncOutputs = documented("SyncTriggerArgs", "SyncTrigger");
  const fleetTenant = documented("FleetTenantArgs");
  return {
    Release: objectSpec(described("ReleaseArgs"), releaseWays, documented("ReleaseArgs"), release),
    Override: objectSpec(described("OverrideArgs"), overrideSchema.shape, documented("OverrideArgs")),
    Overridden: objectSpec(
      "What a tenant had before its override began.",
      overriddenSchema.shape,
      new Map([["paused", { description: "Whether the tenant was paused." }]]),
    ),
    AwaitedSetting: objectSpec(described("AwaitedSetting"), waitingForSchema.shape, documented("AwaitedSetting"), {
      until: { type: "string" },
    }),
    FleetTenant: objectSpec(described("FleetTenantArgs"), fleetEntrySchema.shape, fleetTenant, {
      release: typeNamed("Release"),
      sync: typeNamed("FleetSync"),
      override: typeNamed("Override"),
    }),
    ObservedFleetTenant: objectSpec(
      "A tenant of a fleet as last observed.",
      entryState.shape,
      new Map([...fleetTenant, ...only(documented("Tenant"), "tenantId", "overridden", "waitingFor")]),
      {
        release: typeNamed("Release"),
        sync: typeNamed("ObservedFleetSync"),
        override: typeNamed("Override"),
        overridden: typeNamed("Overridden"),
        waitingFor: listOf("AwaitedSetting"),
      },
    ),
    FleetSync: objectSpec(described("FleetSyncArgs"), sync.unwrap().shape, syncOutputs),
    ObservedFleetSync: objectSpec(
      "The sync of a fleet's tenant, with the outcome of the last one.",
      entryState.shape.sync.unwrap().shape,
      syncOutputs,
    ),
    FleetLimits: objectSpec(described("FleetLimitsArgs"), limits.unwrap().shape, documented("FleetLimitsArgs")),
    FleetTarget: objectSpec(described("FleetTargetArgs"), target, documented("FleetTargetArgs"), {
      release: typeNamed("TargetRelease"),
    }),
    TargetRelease: objectSpec(
      "A release: exactly one of its tag and its id.",
      target.release.shape,
      documented("ReleaseArgs"),
    ),
    Wave: objectSpec(described("WaveArgs"), waves.element.shape, documented("WaveArgs"), {
      approval: { type: "string" },
    }),
    Gate: objectSpec(described("GateArgs"), gate.unwrap().shape, documented("GateArgs"), {
      sync: typeNamed("SyncMode"),
      whenUnconnected: typeNamed("SkipOrLeave"),
      whenPaused: typeNamed("SkipOrLeave"),
    }),
    Freeze: objectSpec(described("FreezeArgs"), freeze.unwrap().element.shape, documented("FreezeArgs")),
    PastRollout: objectSpec("A rollout that has ended.", history.element.shape, documented("PastRollout"), {
      outcome: typeNamed("RolloutOutcome"),
    }),
    SkipOrLeave: enumSpec(enumValuesOf(gate.unwrap().shape.whenPaused.unwrap()), {
      description:
        'What is done with a tenant that cannot sync: `"skip"` moves it without a proof, `"leave"` does not move it.',
    }),
    OnFailure: enumSpec(enumValuesOf(onFailure.unwrap()), documented("FleetRolloutArgs").get("onFailure")),
    RolloutPhase: enumSpec(enumValuesOf(phase), documented("FleetRollout").get("phase")),
    RolloutOutcome: enumSpec(enumValuesOf(history.element.shape.outcome), documented("PastRollout").get("outcome")),
    SyncMode: enumSpec(enumValuesOf(syncTriggerInputsSchema.shape.mode), syncOutputs.get("mode")),
    WhenUnconnected: enumSpec(
      enumValuesOf(syncTriggerInputsSchema.shape.whenUnconnected.unwrap()),
      syncOutputs.get("whenUnconnected"),
    ),
    SyncOutcome: enumSpec(enumValuesOf(syncTriggerStateSchema.shape.outcome), syncOutputs.get("outcome")),
    ReleaseChannel: enumSpec(
      enumValuesOf(releaseWays.channel.unwrap()),
      documentation.typeOf("ReleaseArgs").properties.get("channel"),
    ),
    SchemaViolations: enumSpec(
      schemaViolationsSchema.options,
      documentation.typeOf("TenantArgs").properties.get("schemaViolations"),
    ),
  };
}

/** An enum of strings. Its description is that of the property which has its values. */
export function enumSpec(
  values: readonly string[],
  property: Pick<DocumentedProperty, "description"> | undefined,
): EnumSpec {
  if (property === undefined) throw new Error(`The enum of ${values.join(", ")} has no documentation.`);
  return { type: "string", description: property.description, enum: values.map((value) => ({ value })) };
}

function objectSpec(
  description: string,
  shape: Shape,
  documents: ReadonlyMap<string, Pick<DocumentedProperty, "description">>,
  types?: Readonly<Record<string, TypeSpec>>,
): ObjectSpec {
  const properties = propertySpecs(shape, documents, types);
  const required = Object.keys(properties).filter((key) => isRequired(shape, key));
  return { type: "object", description, properties, ...(required.length > 0 && { required }) };
}

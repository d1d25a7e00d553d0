import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { buildInputsSchema, buildStateSchema } from "../../src/resources/build/schema.ts";
import { fleetRolloutInputsSchema, fleetRolloutStateSchema } from "../../src/resources/fleet-rollout/schema.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../../src/resources/sync-trigger/schema.ts";
import { tenantInputsSchema, tenantStateSchema } from "../../src/resources/tenant/schema.ts";
import { tenantFleetInputsSchema, tenantFleetStateSchema } from "../../src/resources/tenant-fleet/schema.ts";
import { tenantMetadataInputsSchema, tenantMetadataStateSchema } from "../../src/resources/tenant-metadata/schema.ts";
import type { Documentation, DocumentedProperty } from "./documentation.ts";
import {
  freeForm,
  type PropertySpec,
  type PropertySpecs,
  type ResourceSpec,
  type TypeSpec,
  typeNamed,
} from "./package-spec.ts";
import { typeOfZod } from "./zod-types.ts";

export type Shape = Readonly<Record<string, z.ZodType>>;

/** What the zod schemas and the docstrings do not say about a resource. */
interface ResourceSource {
  readonly inputs: Shape;
  readonly state: Shape;
  /** The inputs whose change replaces the resource. */
  readonly replacing: readonly string[];
  /** The inputs that are objects of the schema's types. */
  readonly inputTypes?: Readonly<Record<string, TypeSpec>>;
  /** The same for the outputs. Default: those of the inputs. */
  readonly outputTypes?: Readonly<Record<string, TypeSpec>>;
  /** The type that documents the inputs which a program of this package does not give, as its class finds them. */
  readonly moreArguments?: string;
  /** Whether the state also has what only the lifecycle uses. Its outputs are then those of the class. */
  readonly hasInternalState?: boolean;
}

const fleetTypes = {
  limits: typeNamed("FleetLimits"),
  sync: typeNamed("FleetSync"),
  rollout: typeNamed("FleetTarget"),
  override: typeNamed("Override"),
};
// A type of its own would be another for outputs than for inputs in most languages, and no program could pass a plan on.
const plan = freeForm;
const strategyTypes = { waves: listOf("Wave"), gate: typeNamed("Gate"), freeze: listOf("Freeze") };

/** The resources of the package by the name of their class. */
export const resourceSources = {
  Tenant: {
    inputs: tenantInputsSchema.shape,
    state: tenantStateSchema.shape,
    replacing: ["integration"],
    inputTypes: { release: typeNamed("Release"), override: typeNamed("Override") },
    outputTypes: {
      release: typeNamed("Release"),
      override: typeNamed("Override"),
      overridden: typeNamed("Overridden"),
      waitingFor: listOf("AwaitedSetting"),
    },
  },
  TenantFleet: {
    inputs: tenantFleetInputsSchema.shape,
    state: tenantFleetStateSchema.shape,
    replacing: ["integration"],
    inputTypes: { ...fleetTypes, tenants: mapOf("FleetTenant") },
    outputTypes: { ...fleetTypes, tenants: mapOf("ObservedFleetTenant"), rolloutPlan: plan },
  },
  TenantMetadata: {
    inputs: tenantMetadataInputsSchema.shape,
    state: tenantMetadataStateSchema.shape,
    replacing: ["tenantId"],
  },
  Build: {
    inputs: buildInputsSchema.shape,
    state: buildStateSchema.shape,
    replacing: ["integrationId", "tag", "branch"],
  },
  SyncTrigger: {
    inputs: syncTriggerInputsSchema.shape,
    state: syncTriggerStateSchema.shape,
    replacing: [],
    inputTypes: { override: typeNamed("Override") },
  },
  FleetRollout: {
    inputs: fleetRolloutInputsSchema.shape,
    state: fleetRolloutStateSchema.shape,
    replacing: ["integrationId"],
    inputTypes: { ...strategyTypes, plan },
    outputTypes: { ...strategyTypes, history: listOf("PastRollout") },
    moreArguments: "RolledOutFleetArgs",
    hasInternalState: true,
  },
} satisfies Record<string, ResourceSource>;

/** Properties of inputs and states that only the lifecycles use. */
export const internalProperties: readonly string[] = [
  ...["secretPaths", "logicalName", "declaredName"],
  ...["unreadablePaths", "shownAs", "latest"],
];

/** The schema of a resource. */
export function resourceSpec(name: string, source: ResourceSource, documentation: Documentation): ResourceSpec {
  const args = documentation.typeOf(`${name}Args`);
  const resource = documentation.typeOf(name);
  // A program may give a Tenant's release as a number, which the class translates. The provider takes the setting's own form.
  const settings = documentation.typeOf("TenantSettings").properties;
  const declared = new Map([
    ...args.properties,
    ...(source.moreArguments === undefined ? [] : documentation.typeOf(source.moreArguments).properties),
  ]);
  const inputDocuments = new Map([...declared, ...only(settings, name === "Tenant" ? "release" : "")]);
  const inputProperties = propertySpecs(source.inputs, inputDocuments, source.inputTypes);
  const isOutput = (key: string) =>
    source.hasInternalState !== true || Object.hasOwn(source.inputs, key) || resource.properties.has(key);
  const outputs = propertySpecs(
    Object.fromEntries(Object.entries(source.state).filter(([key]) => isOutput(key))),
    new Map([...inputDocuments, ...described(resource.properties)]),
    source.outputTypes ?? source.inputTypes,
  );
  return {
    description: `${resource.description}${moreThanTheName(args.description)}\n\n${documentOf(name)}`,
    inputProperties: Object.fromEntries(
      Object.entries(inputProperties).map(([key, property]) => [
        key,
        source.replacing.includes(key) ? { ...property, willReplaceOnChanges: true } : property,
      ]),
    ),
    requiredInputs: Object.keys(inputProperties).filter(
      (key) => isRequired(source.inputs, key) && declared.get(key)?.isOptional === false,
    ),
    properties: outputs,
    required: Object.keys(outputs).filter(
      (key) => isAlwaysDefined(resource.properties.get(key)) ?? isRequired(source.state, key),
    ),
    aliases: [{ type: `pulumi-nodejs:dynamic/integration-platform:${name}` }],
  };
}

/**
 * The properties of an object with their types and descriptions.
 *
 * @throws Error naming a property without a docstring.
 */
export function propertySpecs(
  shape: Shape,
  documents: ReadonlyMap<string, Pick<DocumentedProperty, "description">>,
  types: Readonly<Record<string, TypeSpec>> = {},
): PropertySpecs {
  const entries = Object.entries(shape).filter(([key]) => !internalProperties.includes(key));
  return Object.fromEntries(
    entries.map(([key, schema]): [string, PropertySpec] => {
      const description = documents.get(key)?.description ?? "";
      if (description === "") throw new Error(`The property ${key} has no docstring.`);
      return [key, { ...(types[key] ?? typeOfZod(key, schema)), description }];
    }),
  );
}

/** Whether an object of this shape always has the property. */
export function isRequired(shape: Shape, key: string): boolean {
  return shape[key]?.isOptional() === false;
}

/** Whether the class has the output without `undefined`; `undefined` if the class does not have it. */
function isAlwaysDefined(output: DocumentedProperty | undefined): boolean | undefined {
  return output && !/\| undefined>$/.test(output.typeText);
}

function mapOf(type: string): TypeSpec {
  return { type: "object", additionalProperties: typeNamed(type) };
}

/** A list of one of the schema's types. */
export function listOf(type: string): TypeSpec {
  return { type: "array", items: typeNamed(type) };
}

function described(properties: ReadonlyMap<string, DocumentedProperty>) {
  return [...properties].filter(([, { description }]) => description !== "");
}

/** The property of this name. */
export function only(properties: ReadonlyMap<string, DocumentedProperty>, ...names: readonly string[]) {
  return [...properties].filter(([key]) => names.includes(key));
}

/** The docstring of the arguments without its first sentence, which names the resource. */
function moreThanTheName(description: string): string {
  const [, ...more] = description.split(/(?<=\.) /);
  return more.length === 0 ? "" : `\n\n${more.join(" ")}`;
}

/** The examples of a resource, and how to import it, in the form of Pulumi's documents. */
function documentOf(name: string): string {
  return readFileSync(join(import.meta.dirname, "documents", `${name}.md`), "utf8").trim();
}

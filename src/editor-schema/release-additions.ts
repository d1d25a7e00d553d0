import { digest } from "../json/digest.ts";
import type { JsonObject } from "../json/json-value.ts";
import { shortList } from "../json/short-list.ts";
import { describedSchema } from "../json-schema/described-schema.ts";
import { compileValidator, UnusableSchemaError } from "../json-schema/validator.ts";
import { adaptedSchema } from "./adapted-schema.ts";
import { definitions } from "./definitions.ts";
import { definition, type JsonSchema } from "./json-schema.ts";

/** What the releases of a platform add to the schema of a stack: schemas that these must match too. */
export interface ReleaseAdditions {
  /** The defaults of the tenants outside of fleets. */
  defaults: readonly JsonSchema[];
  /** The tenants outside of fleets. */
  tenants: readonly JsonSchema[];
  /** The fleets by key: their defaults and their tenants. */
  fleets: Readonly<Record<string, FleetAdditions>>;
  /** Other fleets, by the name or the id of their integration. */
  otherFleets: readonly (FleetAdditions & { integration: readonly (string | number)[] })[];
  definitions: Readonly<Record<string, JsonSchema | boolean>>;
}

export type FleetAdditions = Pick<ReleaseAdditions, "defaults" | "tenants">;

/** An integration that a stack uses, with all of its releases. */
export interface IntegrationToDescribe {
  id: number;
  name: string;
  releases: readonly ReleaseToDescribe[];
}

export interface ReleaseToDescribe {
  id: number;
  tag: string | undefined;
  /** The channels that select it now. */
  channels: readonly ("Latest" | "Default")[];
  /** In the form that the release has it, as `metadata`. */
  configs: JsonObject | undefined;
  metadata: JsonObject | undefined;
}

/** What tenants get from their defaults. */
export interface Inherited {
  integration?: string | number | undefined;
  release?: ReleaseWays | undefined;
  adopt?: string | number | boolean | undefined;
  /** Whether groups set one of these. Then nothing is known of a tenant in groups. */
  isChangedByGroups?: boolean | undefined;
}

/** How a release is selected. */
export interface ReleaseWays {
  id?: number | undefined;
  tag?: string | undefined;
  channel?: string | undefined;
}

/** A fleet, and what its tenants get from it. */
export interface FleetToDescribe {
  key: string;
  integration: string | number;
  release: ReleaseWays | undefined;
  adopt?: Inherited["adopt"];
  isChangedByGroups?: boolean | undefined;
}

/**
 * The schemas of the releases as additions to the schema of a stack: an editor completes and checks the configs and metadata of
 * a tenant by its integration and its release. As in `up`, nothing is checked for a tenant that declares no release, or
 * that takes over an existing tenant.
 *
 * @param onSkipped called for each schema that cannot be used.
 */
export function releaseAdditions(
  integrations: readonly IntegrationToDescribe[],
  stack: { defaults: Inherited; fleets: readonly FleetToDescribe[] },
  onSkipped: (message: string) => void,
): ReleaseAdditions {
  const used = new Map<string, JsonSchema | boolean>();
  const groups = integrations.flatMap((integration) => groupsOf(integration, used, onSkipped));
  const isOf = (name: string | number) => (group: Group) =>
    [group.integration.id, group.integration.name].includes(name);
  const inFleet = (own: readonly Group[], { release, adopt, isChangedByGroups }: Inherited) => ({
    defaults: own.map((group) => rule([releaseIs(group, undefined), isNew(adopt)], group)),
    tenants: own.map((group) =>
      rule([releaseIs(group, release), isNew(adopt), ...unlessInGroups(isChangedByGroups)], group),
    ),
  });
  const fleets = stack.fleets.map((fleet) => [fleet.key, inFleet(groups.filter(isOf(fleet.integration)), fleet)]);
  const { integration, release, adopt, isChangedByGroups } = stack.defaults;
  return {
    defaults: groups.map((group) =>
      rule([integrationIs(group, undefined), releaseIs(group, undefined), isNew(undefined)], group),
    ),
    tenants: groups.map((group) =>
      rule(
        [
          integrationIs(group, integration),
          releaseIs(group, release),
          isNew(adopt),
          ...unlessInGroups(isChangedByGroups),
        ],
        group,
      ),
    ),
    fleets: Object.fromEntries(fleets),
    otherFleets: integrations.map(({ id, name }) => ({
      integration: [name, id],
      ...inFleet(groups.filter(isOf(id)), {}),
    })),
    definitions: Object.fromEntries(used),
  };
}

/** The releases of an integration with the same schema of configs or of metadata. */
interface Group {
  integration: IntegrationToDescribe;
  releases: readonly ReleaseToDescribe[];
  property: "configs" | "metadata";
  /** Of the schema. */
  definition: string;
}

function groupsOf(
  integration: IntegrationToDescribe,
  used: Map<string, JsonSchema | boolean>,
  onSkipped: (message: string) => void,
): Group[] {
  return (["configs", "metadata"] as const).flatMap((property) => {
    const byDefinition = Map.groupBy(integration.releases, ({ [property]: schema }) =>
      schema === undefined ? undefined : `${property}-${digest(schema).slice(0, 12)}`,
    );
    return [...byDefinition].flatMap(([name, releases]): Group[] => {
      const schema = releases[0]?.[property];
      if (name === undefined || schema === undefined) return [];
      const adapted = adaptedSchema(describedSchema(schema), `#/$defs/${name}`);
      try {
        compileValidator({ ...definition(name), $defs: toJson({ ...definitions, [name]: adapted }) });
      } catch (error) {
        if (!(error instanceof UnusableSchemaError)) throw error;
        const ids = shortList(releases.map(({ id }) => String(id)));
        onSkipped(`the schema of ${property} of release ${ids} (${integration.name}) is left out: ${error.message}`);
        return [];
      }
      used.set(name, adapted);
      return [{ integration, releases, property, definition: name }];
    });
  });
}

function rule(conditions: readonly JsonSchema[], { property, definition: name }: Group): JsonSchema {
  return {
    if: { allOf: conditions },
    then: { properties: { [property]: definition(name) } },
  };
}

/** A tenant that is not taken over. One that exists already may have had for long what does not fit. */
function isNew(inherited: Inherited["adopt"]): JsonSchema {
  const isTakenOver = inherited === true || typeof inherited === "number";
  return isTakenOver ? { required: ["adopt"], properties: { adopt: { type: "string" } } } : isNotTakenOver;
}

function unlessInGroups(isChangedByGroups = false): JsonSchema[] {
  return isChangedByGroups ? [{ not: { required: ["groups"] } }] : [];
}

/** A tenant, or a fleet, that does not say itself that it takes over what exists. */
export const isNotTakenOver: JsonSchema = {
  not: { required: ["adopt"], properties: { adopt: { type: ["boolean", "integer"] } } },
};

function integrationIs({ integration: { id, name } }: Group, inherited: string | number | undefined): JsonSchema {
  const isInherited = inherited === id || inherited === name;
  return {
    properties: { integration: { enum: [name, id] } },
    ...(isInherited ? {} : { required: ["integration"] }),
  };
}

function releaseIs({ releases }: Group, inherited: ReleaseWays | undefined): JsonSchema {
  const ways: Record<keyof ReleaseWays, (string | number)[]> = {
    id: releases.map(({ id }) => id),
    tag: releases.flatMap(({ tag = [] }) => tag),
    channel: releases.flatMap(({ channels }) => channels),
  };
  const selectors = Object.entries(ways).flatMap(([way, values]) =>
    values.length === 0 ? [] : [{ properties: { [way]: { enum: [...new Set(values)] } }, required: [way] }],
  );
  const { id, tag, channel } = inherited ?? {};
  const isInherited = releases.some(
    (release) => release.id === id || (tag !== undefined && release.tag === tag) || isAmong(channel, release.channels),
  );
  return {
    properties: { release: { anyOf: selectors } },
    ...(isInherited ? {} : { required: ["release"] }),
  };
}

function isAmong(channel: string | undefined, channels: readonly string[]): boolean {
  return channel !== undefined && channels.includes(channel);
}

function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

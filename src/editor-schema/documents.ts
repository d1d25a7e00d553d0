import { profileSchema } from "../platform-profile/profile.ts";
import { namespace } from "../stack/config/config-values.ts";
import { stackSchema } from "../stack/declarations/schema.ts";
import { definitions } from "./definitions.ts";
import { stackDocumentation, stackFileDocumentation } from "./documentation.ts";
import {
  byKey,
  definition,
  documentedObject,
  type JsonSchema,
  jsonSchemaOf,
  oneOrMore,
  orSecret,
} from "./json-schema.ts";
import { type FleetAdditions, isNotTakenOver, type ReleaseAdditions } from "./release-additions.ts";

const draft = "http://json-schema.org/draft-07/schema#";

const nothing: ReleaseAdditions = { defaults: [], tenants: [], fleets: {}, otherFleets: [], definitions: {} };

/** The JSON Schema of a stack's file, `Pulumi.<stack>.yaml`. */
export function stackDocument(additions: ReleaseAdditions = nothing): JsonSchema {
  const own = {
    baseUrl: orSecret({ type: "string" }),
    apiKey: orSecret({ type: "string" }),
    tenantDefaults: nullable(all(definition("tenantDefaults"), additions.defaults)),
    groups: byKey(definition("group")),
    tenants: byKey(all(definition("tenant"), additions.tenants)),
    fleets: fleetsOf(additions),
    builds: byKey(definition("build")),
    overrides: oneOrMore(definition("override")),
    webhookReceiver: definition("webhookReceiver"),
  };
  const { properties } = documentedObject(stackSchema, stackDocumentation, own);
  const namespaced = Object.entries(Object(properties)).map(([key, schema]) => [`${namespace}:${key}`, schema]);
  return withDefinitions(
    {
      $schema: draft,
      description: "The file of a stack, Pulumi.<stack>.yaml.",
      type: ["object", "null"],
      properties: {
        ...stackFileDocumentation,
        config: {
          ...stackFileDocumentation.config,
          type: ["object", "null"],
          properties: Object.fromEntries(namespaced),
          patternProperties: { [`^(?!${namespace}:)`]: { description: "A key of another namespace." } },
          additionalProperties: false,
        },
      },
      // A place for anchors.
      patternProperties: { "^x-": {} },
      additionalProperties: false,
    },
    { ...definitions, ...additions.definitions },
  );
}

/** The JSON Schema of the profile of a platform. */
export function profileDocument(): JsonSchema {
  return { $schema: draft, description: "What is known about a platform.", ...jsonSchemaOf(profileSchema) };
}

/** The JSON Schema of a file of tenants by key. */
export function tenantsDocument(): JsonSchema {
  return withDefinitions(
    {
      $schema: draft,
      description: "A file that the `tenantsFrom` of a fleet names: tenants by key.",
      ...byKey(definition("fileTenant")),
    },
    definitions,
  );
}

/** The JSON Schema of a file of one tenant, in a folder that `tenantsFrom` names. The name of the file is the tenant's key. */
export function tenantDocument(): JsonSchema {
  return withDefinitions(
    {
      $schema: draft,
      description: "A file in a folder that the `tenantsFrom` of a fleet names: one tenant.",
      anyOf: [definition("fileTenant"), { type: "null" }],
    },
    definitions,
  );
}

function fleetsOf({ fleets, otherFleets }: ReleaseAdditions): JsonSchema {
  const known = Object.entries(fleets).map(([key, additions]) => [key, all(definition("fleet"), [inFleet(additions)])]);
  const others = otherFleets.map(({ integration, ...additions }) => ({
    if: { properties: { integration: { enum: integration } }, required: ["integration"], ...isNotTakenOver },
    then: inFleet(additions),
  }));
  const byName = byKey(all(definition("fleet"), others));
  return known.length === 0 ? byName : { ...byName, properties: Object.fromEntries(known) };
}

function inFleet({ defaults, tenants }: FleetAdditions): JsonSchema {
  if (defaults.length === 0) return {};
  return {
    properties: { defaults: { allOf: defaults }, tenants: { additionalProperties: { allOf: tenants } } },
  };
}

function all(schema: JsonSchema, more: readonly JsonSchema[]): JsonSchema {
  return more.length === 0 ? schema : { allOf: [schema, ...more] };
}

function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** The document with the definitions that it uses, directly or through others. */
function withDefinitions(document: JsonSchema, all: ReleaseAdditions["definitions"]): JsonSchema {
  const used = new Set<string>();
  const visit = (schema: unknown) => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"/]+)/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit(document);
  return { ...document, $defs: Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name))) };
}

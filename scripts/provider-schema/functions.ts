import ts from "typescript";
import type { Documentation, DocumentedType } from "./documentation.ts";
import { propertiesOf } from "./documentation.ts";
import {
  type EnumSpec,
  type FunctionSpec,
  freeForm,
  type ObjectSpec,
  type PropertySpec,
  type TypeSpec,
  typeNamed,
} from "./package-spec.ts";
import { enumSpec } from "./types.ts";

/** The lookups, which are the functions of the package. */
export const functionNames = [
  "getIntegration",
  "getIntegrations",
  "getRelease",
  "getReleases",
  "getRunLog",
  "getTenant",
  "getTenantMetadata",
  "getTenantRelease",
  "getTenants",
  "getTriggerStatus",
] as const;

/** The types of the items in the lists that lookups return, by the property that holds the list. */
const itemTypes: Readonly<Record<string, { name: string; documentedAt: string }>> = {
  connectors: { name: "Connector", documentedAt: "ConnectorResult" },
  integrations: { name: "ListedIntegration", documentedAt: "GetIntegrationResult" },
  releases: { name: "ListedRelease", documentedAt: "GetReleaseResult" },
  tenants: { name: "ListedTenant", documentedAt: "GetTenantResult" },
};

/** The names of the enums, by their values. */
const enumTypes: Readonly<Record<string, string>> = {
  "Default,Latest": "ReleaseChannel",
  "failed,succeeded,unknown": "TriggerOutcome",
};

/** The schemas of the lookups, and of the types that only they use. */
export function functionSpecs(
  documentation: Documentation,
  checker: ts.TypeChecker,
): { functions: Record<string, FunctionSpec>; types: Record<string, ObjectSpec | EnumSpec> } {
  const types: Record<string, ObjectSpec | EnumSpec> = {};

  function objectSpec(name: string, properties: DocumentedType["properties"]): ObjectSpec {
    const entries = [...properties].map(([key, { description, type }]): [string, PropertySpec] => {
      if (description === "") throw new Error(`The property ${key} of ${name} has no docstring.`);
      return [key, { ...typeSpec(key, type), description }];
    });
    const required = [...properties].filter(([, { isOptional }]) => !isOptional).map(([key]) => key);
    return { type: "object", properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) };
  }

  function typeSpec(key: string, optional: ts.Type): TypeSpec {
    const type = checker.getNonNullableType(optional);
    if (type.flags & ts.TypeFlags.String) return { type: "string" };
    // All numbers of the lookups are ids.
    if (type.flags & ts.TypeFlags.Number) return { type: "integer" };
    if (type.flags & ts.TypeFlags.Boolean) return { type: "boolean" };
    if (type.isUnion()) return unionSpec(key, type.types);
    const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (item !== undefined && checker.isArrayType(type)) return { type: "array", items: itemSpec(key, item) };
    if (checker.getIndexTypeOfType(type, ts.IndexKind.String) !== undefined) return freeForm;
    throw new Error(`${key}: no Pulumi type for ${checker.typeToString(type)}`);
  }

  function itemSpec(key: string, item: ts.Type): TypeSpec {
    const itemType = itemTypes[key];
    if (itemType === undefined) return typeSpec(key, item);
    const { name, documentedAt } = itemType;
    const { description } = documentation.typeOf(documentedAt);
    types[name] ??= { description, ...objectSpec(name, propertiesOf(item, checker)) };
    return typeNamed(name);
  }

  function unionSpec(key: string, members: readonly ts.Type[]): TypeSpec {
    const words = members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
    if (words.length < members.length) {
      return { oneOf: members.map((member) => typeSpec(key, member)) };
    }
    const name = enumTypes[words.sort().join(",")];
    if (name === undefined) throw new Error(`${key}: the enum of ${words.join(", ")} needs a name in enumTypes`);
    return typeNamed(name);
  }

  const functions = functionNames.map((name): [string, FunctionSpec] => {
    const { description, arguments: args, result } = documentation.functionOf(name);
    return [
      name,
      {
        description,
        ...(args !== undefined && { inputs: objectSpec(name, args.properties) }),
        outputs: objectSpec(name, result.properties),
      },
    ];
  });
  const { outcome } = Object.fromEntries(documentation.functionOf("getTriggerStatus").result.properties);
  types.TriggerOutcome = enumSpec(["succeeded", "failed", "unknown"], outcome);
  return { functions: Object.fromEntries(functions), types };
}

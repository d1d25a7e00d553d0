/** A Pulumi package schema (https://www.pulumi.com/docs/iac/extending-pulumi/schema/), as far as ours uses it. */
export interface PackageSpec {
  readonly name: string;
  readonly version: string;
  readonly config: { readonly variables: PropertySpecs };
  readonly provider: ObjectSpec & { readonly inputProperties: PropertySpecs };
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
  readonly [metadata: string]: unknown;
}

export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

export interface PropertySpec extends TypeSpec {
  readonly description: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
}

export type PropertySpecs = Readonly<Record<string, PropertySpec>>;

export interface ObjectSpec {
  readonly type?: "object";
  readonly description?: string;
  readonly properties?: PropertySpecs;
  readonly required?: readonly string[];
}

export interface EnumSpec {
  readonly type: "string";
  readonly description: string;
  readonly enum: readonly { readonly value: string }[];
}

export interface ResourceSpec extends ObjectSpec {
  readonly inputProperties: PropertySpecs;
  readonly requiredInputs: readonly string[];
  readonly aliases: readonly { readonly type: string }[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs?: ObjectSpec;
  readonly outputs: ObjectSpec;
}

/** A value that the schema knows nothing about. */
export const anything: TypeSpec = { $ref: "pulumi.json#/Any" };
/** An object whose keys the platform or a release defines. */
export const freeForm: TypeSpec = { type: "object", additionalProperties: anything };

/** The token of a type, resource or function of the package. */
export function tokenOf(name: string): string {
  return `integration-platform:index:${name}`;
}

/** A reference to one of the schema's types. */
export function typeNamed(name: string): TypeSpec {
  return { $ref: `#/types/${tokenOf(name)}` };
}

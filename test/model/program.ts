/** The resource types of the package, as the engine's URNs name them. */
export const resourceTypes = [
  "Build",
  "Tenant",
  "TenantFleet",
  "TenantMetadata",
  "SyncTrigger",
  "FleetRollout",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** The value of an input in a program: a plain value, a secret, or an output of another resource. */
export type Argument = unknown;

/** A secret of a program. */
export interface Secret {
  readonly $secret: unknown;
}

/** An output of a resource that the program declares earlier. */
export interface Reference {
  /** `Tenant acme`. */
  readonly $of: string;
  /** Without it, the resource itself, as a `FleetRollout` takes its fleet. */
  readonly property?: string;
}

/** A resource as a program declares it. */
export interface Declared {
  readonly type: ResourceType;
  readonly name: string;
  readonly args: Readonly<Record<string, Argument>>;
  /** Former names of the resource. */
  readonly aliases?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly retainOnDelete?: boolean;
}

/** All resources of a program, in order. */
export type Program = readonly Declared[];

/** Identifies a resource of a program: `Tenant acme`. */
export function resourceKey({ type, name }: Pick<Declared, "type" | "name">): string {
  return `${type} ${name}`;
}

/** A command of the engine. */
export interface Command {
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  /** Whether it refreshes first (`--refresh`). Default false. */
  readonly refresh?: boolean;
  /** Whether an `up` shows a preview first. Default false. */
  readonly preview?: boolean;
  /** Resources to replace even without a change (`--replace`), as `Tenant acme`. */
  readonly replace?: readonly string[];
  /** The only resources to process (`--target`). */
  readonly target?: readonly string[];
}

export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && value !== null && "$secret" in value;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "$of" in value;
}

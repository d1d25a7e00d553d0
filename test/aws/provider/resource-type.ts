import type { z } from "zod";

/** A resource that was created. */
export interface CreatedResource {
  readonly id: string;
  /** What AWS adds to the inputs, such as ARNs and URLs. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** How the provider manages resources of one type. */
export interface ResourceType {
  /** The property that gets the resource's name with a random suffix if the program sets none. */
  readonly autonamed?: string | undefined;
  /** The properties whose change replaces the resource. */
  readonly replacedBy: readonly string[];
  /** True if a replacement is created before the resource is deleted. Resources with names of their own cannot. */
  readonly isCreatedBeforeDeletion: boolean;
  create(inputs: unknown): Promise<CreatedResource>;
  exists(id: string, state: unknown): Promise<boolean>;
  update(id: string, inputs: unknown): Promise<void>;
  delete(id: string, state: unknown): Promise<void>;
}

interface ResourceTypeDefinition<Inputs> {
  readonly inputs: z.ZodType<Inputs>;
  readonly autonamed?: string;
  readonly replacedBy?: readonly string[];
  /** Default false. */
  readonly isCreatedBeforeDeletion?: boolean;
  create(inputs: Inputs): Promise<CreatedResource>;
  /** Throws an error with a name such as `NotFound` if the resource does not exist. */
  read(id: string, state: Inputs): Promise<unknown>;
  /** Never changes outputs. A type without it must name all its inputs in `replacedBy`. */
  update?(id: string, inputs: Inputs): Promise<unknown>;
  delete(id: string, state: Inputs): Promise<unknown>;
}

/** Defines a type of resource. Its functions get parsed inputs. */
export function resourceType<Inputs>({
  inputs: schema,
  replacedBy = [],
  isCreatedBeforeDeletion = false,
  autonamed,
  ...definition
}: ResourceTypeDefinition<Inputs>): ResourceType {
  return {
    autonamed,
    replacedBy,
    isCreatedBeforeDeletion,
    create: (inputs) => definition.create(schema.parse(inputs)),
    exists: async (id, state) => {
      try {
        await definition.read(id, schema.parse(state));
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    update: async (id, inputs) => {
      if (definition.update === undefined) {
        throw new Error(`the type of ${id} has no update; add one, or use replacedBy`);
      }
      await definition.update(id, schema.parse(inputs));
    },
    delete: async (id, state) => {
      try {
        await definition.delete(id, schema.parse(state));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

/** An error for a resource that does not exist, as the AWS SDK would throw it. */
export function notFound(what: string): Error {
  return Object.assign(new Error(`${what} does not exist`), { name: "ResourceNotFound" });
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && /NotFound|NoSuchEntity|NonExistent|DoesNotExist/.test(error.name);
}

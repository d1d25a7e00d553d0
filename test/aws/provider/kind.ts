import type { z } from "zod";

/** What exists of a resource: what the engine remembers of it. */
export interface Made {
  readonly id: string;
  /** What AWS adds to the inputs: ARNs, URLs. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** How a type of resource is kept in AWS. */
export interface Kind {
  /** The property that gets the resource's name with a random ending where it is not given. */
  readonly autonamed?: string | undefined;
  /** Properties whose change makes another resource. */
  readonly replacedBy: readonly string[];
  create(inputs: unknown): Promise<Made>;
  /** Whether it is still there. */
  exists(id: string, state: unknown): Promise<boolean>;
  update(id: string, inputs: unknown): Promise<void>;
  delete(id: string, state: unknown): Promise<void>;
}

interface TypedKind<Inputs> {
  readonly inputs: z.ZodType<Inputs>;
  readonly autonamed?: string;
  readonly replacedBy?: readonly string[];
  create(inputs: Inputs): Promise<Made>;
  /** Throws where it is gone. */
  look(id: string, state: Inputs): Promise<unknown>;
  /** Default: cannot be; then `replacedBy` must name all inputs. Never changes outputs. */
  update?(id: string, inputs: Inputs): Promise<unknown>;
  delete(id: string, state: Inputs): Promise<unknown>;
}

/** A kind whose inputs are parsed before anything is done with them. */
export function kind<Inputs>({ inputs: schema, replacedBy = [], autonamed, ...typed }: TypedKind<Inputs>): Kind {
  return {
    autonamed,
    replacedBy,
    create: (inputs) => typed.create(schema.parse(inputs)),
    exists: async (id, state) => {
      try {
        await typed.look(id, schema.parse(state));
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    },
    update: async (id, inputs) => {
      if (typed.update === undefined) throw new Error(`${id} cannot be changed`);
      await typed.update(id, schema.parse(inputs));
    },
    delete: async (id, state) => {
      try {
        await typed.delete(id, schema.parse(state));
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && /NotFound|NoSuchEntity|NonExistent|DoesNotExist/.test(error.name);
}

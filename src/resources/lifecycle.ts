import type { Failure } from "../inputs/input-schema.ts";

/**
 * The operations of a resource. They correspond to Pulumi's provider methods but do not depend on Pulumi: a lifecycle takes
 * typed inputs, applies them to the platform and returns the observed state.
 *
 * @typeParam Read the inputs that a read returns.
 */
export interface Lifecycle<Inputs, State, Read extends Inputs | undefined = Inputs> {
  /**
   * Validates the inputs. In a preview, parts of them may be {@link unknownValue}. Never writes.
   *
   * @param inputs the program's inputs, of any shape.
   * @param old the inputs of the last `up`; `undefined` for a new resource.
   */
  check(inputs: object, old: object | undefined): Promise<Failure[]>;
  /** Compares the last observed state with the inputs. They have been checked and may have unknown parts. */
  diff(id: string, state: State, inputs: object): Promise<Difference>;
  /** Creates the resource or takes it over. Throws {@link IncompleteError} if it fails after something was created. */
  create(inputs: Inputs): Promise<{ id: string; state: State }>;
  /**
   * Reads the resource; `undefined` only if it certainly no longer exists. If `inputs` is undefined, those of the last `up`
   * stay, as a read shows nothing that could differ from them.
   */
  read(id: string, state: State): Promise<{ inputs: Read; state: State } | undefined>;
  /** Applies the inputs to the resource. Throws {@link IncompleteError} if only a part was applied. */
  update(id: string, state: State, inputs: Inputs): Promise<State>;
  /** Deletes the resource. Does nothing if it no longer exists. */
  delete(id: string, state: State): Promise<void>;
  /**
   * Reads what exists on the platform under an id that a user wrote, to manage it from now on. Never writes. What looks like
   * a secret is not among the inputs, with a warning.
   *
   * @returns `undefined` if it does not exist or is archived.
   * @throws Error in plain words if the id has a wrong form, or if resources of this kind cannot be imported.
   */
  import?(id: string): Promise<Imported<Inputs, State> | undefined>;
}

/** What an import has read. A `read` returns the same, and a `diff` of the two shows no change. */
export interface Imported<Inputs, State> {
  /** The id that `create` would have returned. The user may have written another form of it. */
  id: string;
  inputs: Inputs;
  state: State;
}

/** The result of a diff. */
export interface Difference {
  isChanged: boolean;
  /** Changed inputs that require a replacement. */
  replaces?: string[];
  /** Whether a replacement deletes the resource before it creates the new one. Default true. */
  isDeletedFirst?: boolean;
  /** Whether work is left to do even if no input has changed. */
  isUnfinished?: boolean;
}

/** The work was done in part. Its state must be stored, so that the next `up` does the rest. */
export class IncompleteError<State> extends Error {
  override readonly name = "IncompleteError";
  readonly id: string;
  /** The state after the partial work. */
  readonly state: State;

  constructor(id: string, state: State, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.id = id;
    this.state = state;
  }
}

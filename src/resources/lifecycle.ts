/**
 * What every resource of this package does, in Pulumi's words and without Pulumi: a lifecycle takes typed inputs, brings
 * the platform to them and returns what it then observed.
 */
export interface Lifecycle<Inputs, State> {
  /**
   * Whether the inputs can be brought about, as far as they are known: in a preview, parts of them may be
   * {@link unknownValue}. Never writes.
   *
   * @param inputs what the program says; any shape.
   * @param old the inputs of the last `up`; `undefined` for a new resource.
   */
  check(inputs: object, old: object | undefined): Promise<Failure[]>;
  /** How the resource, as last observed, differs from the inputs, which have been checked and may have unknown parts. */
  diff(id: string, state: State, inputs: object): Promise<Difference>;
  /** Makes the resource, or takes over what is there. Throws {@link IncompleteError} once there is something to keep. */
  create(inputs: Inputs): Promise<{ id: string; state: State }>;
  /** The resource as it is on the platform; `undefined` only where it is certainly gone. */
  read(id: string, state: State): Promise<{ inputs: Inputs; state: State } | undefined>;
  /** Brings the resource to the inputs. Throws {@link IncompleteError} where some of it was done. */
  update(id: string, state: State, inputs: Inputs): Promise<State>;
  /** Removes the resource; one that is gone already is done. */
  delete(id: string, state: State): Promise<void>;
}

/** An input that cannot be brought about. */
export interface Failure {
  /** Path of the input: `configs.region`. */
  property: string;
  /** What is wrong and what would be right. Never contains the value of a config. */
  reason: string;
}

export interface Difference {
  isChanged: boolean;
  /** Inputs whose change needs another resource in place of this one. */
  replaces?: string[];
  /** Whether something is left to do even if no input has changed. */
  isUnfinished?: boolean;
}

/** Some of the work was done and must be kept; the next `up` does the rest. */
export class IncompleteError<State> extends Error {
  override name = "IncompleteError";
  readonly id: string;
  /** What was observed of the resource. */
  readonly state: State;

  constructor(id: string, state: State, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.id = id;
    this.state = state;
  }
}

import pLimit from "p-limit";
import type { ProviderChoice } from "../../../src/resources/pulumi/type-token.ts";
import type { Command, ResourceType } from "../program.ts";
import { PartlyDone, type Provider } from "./provider.ts";
import { withoutMarks } from "./secrets.ts";
import type { EngineState, Properties, StoredResource } from "./state.ts";

/** One run of the engine with one provider process. */
export interface Operation {
  readonly state: EngineState;
  readonly isPreview: boolean;
  readonly command: Command;
  readonly steps: Steps;
  readonly providerName: ProviderChoice;
  providerOf(type: ResourceType): Provider;
}

const parallel = 8;

/** The work in parallel with the program. After a failure, running steps end and no others begin. */
export class Steps {
  readonly errors: string[] = [];
  readonly #limit = pLimit(parallel);
  readonly #running = new Set<Promise<void>>();

  get hasFailed(): boolean {
    return this.errors.length > 0;
  }

  start(what: string, work: () => Promise<void>, { isStoppedByFailure = true } = {}): Promise<void> {
    const step = this.#limit(async () => {
      if (isStoppedByFailure && this.hasFailed) return;
      try {
        await work();
      } catch (error) {
        this.fail(what, error);
      }
    });
    this.#running.add(step);
    return step.finally(() => this.#running.delete(step));
  }

  fail(what: string, error: unknown): void {
    this.errors.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** Resolves when a step has ended, or immediately if none runs. */
  async one(): Promise<boolean> {
    if (this.#running.size === 0) return false;
    await Promise.race(this.#running);
    return true;
  }

  async all(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/**
 * Calls create or update and stores the result, also that of a partial failure.
 *
 * @param inputsOfFailure The inputs that the engine keeps after a partial failure: for an update, the old inputs.
 */
export async function store(
  { state }: Operation,
  key: string,
  resource: Omit<StoredResource, "outputs" | "initErrors">,
  work: () => Promise<{ id?: string; outputs: Properties }>,
  inputsOfFailure = resource.inputs,
): Promise<void> {
  const { inputs } = resource;
  const put = (id: string, outputs: Properties, initErrors: readonly string[]) =>
    state.set(key, { ...resource, inputs: initErrors.length > 0 ? inputsOfFailure : inputs, id, outputs, initErrors });
  try {
    const { id = resource.id, outputs } = await work();
    put(id, outputs, []);
  } catch (error) {
    if (error instanceof PartlyDone) put(error.id, error.outputs, error.reasons);
    throw error;
  }
}

/** Whether two sets of inputs are equal to the engine, which compares secrets by value. */
export function areSameInputs(left: Properties, right: Properties): boolean {
  return changedKeys(left, right).length === 0;
}

export function changedKeys(left: Properties, right: Properties): string[] {
  const [before, after] = [withoutMarks(left), withoutMarks(right)];
  return Object.keys({ ...before, ...after }).filter((key) => canonical(before[key]) !== canonical(after[key]));
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}

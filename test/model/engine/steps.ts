import type { DiffResult } from "@pulumi/pulumi/dynamic/index.js";
import pLimit from "p-limit";
import type { Command, ResourceType } from "../program.ts";
import { fromProvider, markedLike, withoutMarks } from "./secrets.ts";
import type { EngineState, Properties, StoredResource } from "./state.ts";

/** The provider that the engine calls. */
export interface Provider {
  check(
    olds: Record<string, unknown>,
    news: Record<string, unknown>,
  ): Promise<{ failures?: { property: string; reason: string }[] }>;
  diff(id: string, olds: Record<string, unknown>, news: Record<string, unknown>): Promise<DiffResult>;
  create(news: Record<string, unknown>): Promise<{ id: string; outs?: object }>;
  read(id: string, state: Record<string, unknown>): Promise<{ id?: string; props?: object; inputs?: object }>;
  update(id: string, olds: Record<string, unknown>, news: Record<string, unknown>): Promise<{ outs?: object }>;
  delete(id: string, state: Record<string, unknown>): Promise<void>;
}

/** One run of the engine with one provider process. */
export interface Operation {
  readonly state: EngineState;
  readonly isPreview: boolean;
  readonly command: Command;
  readonly steps: Steps;
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
  work: () => Promise<{ id?: string; outs?: object }>,
  inputsOfFailure = resource.inputs,
): Promise<void> {
  const { inputs } = resource;
  const put = (id: string, outs: object, initErrors: readonly string[]) => {
    const outputs = { ...markedLike(fromProvider(outs), inputs), __provider: inputs.__provider };
    state.set(key, { ...resource, inputs: initErrors.length > 0 ? inputsOfFailure : inputs, id, outputs, initErrors });
  };
  try {
    const { id = resource.id, outs = {} } = await work();
    put(id, outs, []);
  } catch (error) {
    const { id, properties = {}, reasons = [] } = Object(error);
    if (typeof id === "string") put(id, properties, reasons);
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

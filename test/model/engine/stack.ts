import { nativeProvidersOf } from "../../../src/plugin/resource-calls.ts";
import { secrets } from "../../../src/provider/connect.ts";
import type { Connection } from "../../../src/provider/connection.ts";
import { providersOf } from "../../../src/provider/providers.ts";
import type { ProviderChoice } from "../../../src/resources/pulumi/type-token.ts";
import { type ProcessTrace, traced } from "../call.ts";
import { type Command, type Program, type ResourceType, resourceTypes } from "../program.ts";
import { deleteAll } from "./delete.ts";
import { dynamicProvider } from "./dynamic.ts";
import { memberOf } from "./inputs-of.ts";
import { nativeProvider } from "./native.ts";
import type { Provider } from "./provider.ts";
import { refreshAll } from "./refresh.ts";
import { register } from "./register.ts";
import type { EngineState } from "./state.ts";
import { type Operation, Steps } from "./steps.ts";

/** The result of a command. */
export interface Outcome {
  /** The error messages of failed resources. */
  readonly errors: readonly string[];
  /** The calls of each provider process. */
  readonly processes: readonly ProcessTrace[];
}

/** A stack of a simulated engine, which calls the provider in this process as recorded traces of the engine show. */
export interface Stack {
  state: EngineState;
  run(program: Program, command: Command): Promise<Outcome>;
}

/**
 * @param connect Called once for each provider process, which ends with the engine's operation.
 * @param beforeWrite Called before each create and update.
 * @param providerName The provider of all resources. With the native one, the engine reads each resource before it changes it.
 */
export function createStack(
  connect: () => Connection,
  beforeWrite = async (): Promise<void> => {},
  providerName: ProviderChoice = "dynamic",
): Stack {
  const opening: Opening = { connect, beforeWrite, providerName };
  const stack: Stack = {
    state: new Map(),
    run: async (program, command) => {
      const hasPreview = command.kind === "preview" || (command.kind === "up" && command.preview === true);
      const preview = hasPreview ? await operate(opening, new Map(stack.state), program, command, true) : undefined;
      if (preview !== undefined && (command.kind === "preview" || preview.errors.length > 0)) return preview;
      const done = await operate(opening, stack.state, program, command, false);
      return { ...done, processes: [...(preview?.processes ?? []), ...done.processes] };
    },
  };
  return stack;
}

interface Opening {
  readonly connect: () => Connection;
  readonly beforeWrite: () => Promise<void>;
  readonly providerName: ProviderChoice;
}

async function operate(
  opening: Opening,
  state: EngineState,
  program: Program,
  command: Command,
  isPreview: boolean,
): Promise<Outcome> {
  const trace: ProcessTrace = [];
  const operation = openOperation(opening, trace, { state, isPreview, command });
  const isRefreshed = command.kind === "refresh" || command.refresh === true || opening.providerName === "native";
  if (isRefreshed) await refreshAll(operation);
  if (operation.steps.errors.length === 0) {
    if (command.kind === "destroy") await deleteAll(operation, new Set(state.keys()));
    if (command.kind === "up" || command.kind === "preview") await register(operation, program);
  }
  return { errors: operation.steps.errors, processes: trace.length === 0 ? [] : [trace] };
}

function openOperation(
  { connect, beforeWrite, providerName }: Opening,
  trace: ProcessTrace,
  { state, isPreview, command }: Pick<Operation, "state" | "isPreview" | "command">,
): Operation {
  let connection: Connection | undefined;
  let calls = 0;
  const connected = () => {
    connection ??= connect();
    return connection;
  };
  const dynamic = providersOf(connected);
  const native = nativeProvidersOf(connected, secrets);
  const write = (event: ProcessTrace[number]) => trace.push(event);
  const next = () => calls++;
  const open = (type: ResourceType): Provider =>
    providerName === "native"
      ? nativeProvider(type, native[type])
      : dynamicProvider(traced(type, dynamic[memberOf[type]], write, next));
  const ofType = new Map(resourceTypes.map((type) => [type, open(type)] as const));
  return {
    state,
    isPreview,
    command,
    steps: new Steps(),
    providerName,
    providerOf: (type) => {
      const provider = ofType.get(type);
      if (provider === undefined) throw new Error(`there is no provider of ${type}`);
      return {
        ...provider,
        create: async (...resource) => {
          await beforeWrite();
          return provider.create(...resource);
        },
        update: async (...resource) => {
          await beforeWrite();
          return provider.update(...resource);
        },
      };
    },
  };
}

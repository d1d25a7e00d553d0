import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import resourceServices from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import resourceMessages from "@pulumi/pulumi/proto/resource_pb.js";
import { disconnect, resetOptions } from "@pulumi/pulumi/runtime/settings.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { parse } from "yaml";
import type { ProjectOptions, StackProject } from "../engine/harness/create-project.ts";
import { parseState } from "../engine/harness/engine-output.ts";
import { makeProjectFolder } from "../engine/harness/project-folder.ts";
import { programOn, providerUnderTest, stackYamlOn } from "../engine/harness/provider-under-test.ts";
import { beginOperation, type State, withEdits, withoutResource, withRenamed } from "./operation.ts";
import { fromStruct, inClear, toStruct, withoutSecrets } from "./properties.ts";

let operationCount = 0;

/** Runs work with a state of Pulumi's library of its own, as an inline program of the Automation API has it. */
const { withLocalStorage }: { withLocalStorage<T>(work: () => Promise<T>): Promise<T> } = createRequire(
  import.meta.url,
)("@pulumi/pulumi/runtime/state.js");

/**
 * Makes a project as `createProject` does, whose commands run in this process: the program, the providers, and an engine that
 * plays what Pulumi's does with the resources. An `up` takes milliseconds. A story is told on it if it asserts what is
 * written to the platform and to the state, and not what the engine itself does or prints.
 *
 * It knows no secrets of the stack's file, no providers that the program makes, no `import` and no `ignoreChanges`.
 * A file's tests must not run concurrently: the program and the providers read the environment of this process.
 */
export async function createInProcessProject({
  stackYaml,
  stack = "test",
  env = {},
  provider = providerUnderTest,
  program,
  ...source
}: ProjectOptions): Promise<StackProject> {
  if (Object.keys(source).length > 0) throw new Error(`not known in process: ${Object.keys(source)}`);
  const { root, directory } = await makeProjectFolder({ program, provider });
  const onProvider = (text: string) => (program === undefined ? stackYamlOn(provider, text) : text);
  const stackFile = join(directory, `Pulumi.${stack}.yaml`);
  await writeFile(stackFile, onProvider(stackYaml));
  const { name: project, options } = parse(await readFile(join(directory, "Pulumi.yaml"), "utf8"));
  const isAlwaysRefreshed = options?.refresh === "always";
  let state: State = { resources: new Map(), replaced: [] };

  const operate = async (command: Command, isPreview: boolean, flags: Flags, more: NodeJS.ProcessEnv = {}) => {
    const config = await configOf(stackFile);
    await using open = new AsyncDisposableStack();
    open.use(withEnvironment({ ...quick, ...env, ...more, PULUMI_NODEJS_ROOT_DIRECTORY: directory }));
    const lines: Line[] = [];
    const urnOf = (type: string, name: string, parent: string) => urnIn(stack, project, type, name, parent);
    const server = new Server();
    const port = await portOf(server);
    const operation = beginOperation(state, {
      log: (severity, message, urn) => lines.push({ severity, message, urn }),
      engineAddress: `127.0.0.1:${port}`,
      config,
      urnOf,
      isPreview,
      ...flags,
    });
    serve(server, operation, lines);
    const isRefreshed = command === "refresh" || (flags.isRefreshed ?? isAlwaysRefreshed);
    await operation.refresh(isRefreshed ? "all" : "read first");
    if (command === "up" && !operation.hasFailed()) {
      const file = await programFile(directory, program !== undefined);
      const address = `127.0.0.1:${port}`;
      const running = withLocalStorage(async () => {
        resetOptions(project, stack, 16, address, address, isPreview, "organization");
        pulumi.runtime.setAllConfig(Object.fromEntries(config));
        await runProgram(file, (message) => operation.fail("", message));
      });
      await Promise.race([running, failureOf(operation)]);
      await operation.settled();
    }
    if (command !== "refresh" && !operation.hasFailed()) await operation.removeRest();
    if (!isPreview) state = operation.state();
    const steps = command === "refresh" ? operation.refreshSteps : operation.steps;
    return { lines, steps, hasFailed: operation.hasFailed() };
  };

  const run: StackProject["run"] = async (args, { env: more } = {}) => {
    if (args.join(" ") === "stack output --json") {
      const stackState = [...state.resources.values()].find(({ type }) => type === "pulumi:pulumi:Stack");
      return { code: 0, stdout: JSON.stringify(inClear(stackState?.outputs ?? {})), stderr: "" };
    }
    const [group, stateCommand, urn = "", name = ""] = args;
    if (group === "stack" && stateCommand === "import") {
      state = withEdits(state, parseState(await readFile(name, "utf8")).resources);
      return { code: 0, stdout: "", stderr: "" };
    }
    if (group === "state") {
      if (stateCommand === "delete") state = withoutResource(state, urn);
      else if (stateCommand === "rename") state = withRenamed(state, urn, name);
      else throw new Error(`the in-process engine does not know ${args.join(" ")}`);
      return { code: 0, stdout: "", stderr: "" };
    }
    const { command, isPreviewOnly, isPreviewed, mustBeSame, ...flags } = flagsOf(args);
    const previewed = isPreviewed || isPreviewOnly ? await operate(command, true, flags, more) : undefined;
    const isDone = isPreviewOnly || previewed?.hasFailed;
    const done = isDone ? undefined : await operate(command, false, flags, more);
    const last = done ?? previewed;
    const isChanged = mustBeSame && last?.steps.some(({ op }) => op !== "same");
    const text = [previewed, done].flatMap((one) => (one === undefined ? [] : [shown(one.lines)])).join("\n");
    return {
      code: last?.hasFailed || isChanged ? 1 : 0,
      stdout: isChanged ? `${text}\nerror: changes were expected not to be made: ${stepsOf(last?.steps)}` : text,
      stderr: "",
    };
  };
  const mustRun: StackProject["mustRun"] = async (args, options) => {
    const outcome = await run(args, options);
    if (outcome.code === 0) return outcome;
    throw new Error(`${args.join(" ")} ended with ${outcome.code}.\n${outcome.stdout}`);
  };
  return {
    directory,
    stack,
    put: async (path, text) => {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), path.endsWith(".ts") ? programOn(provider, text) : text);
    },
    run,
    mustRun,
    up: (args = [], options) => run(["up", "--yes", "--skip-preview", ...args], options),
    refresh: (args = [], options) => run(["refresh", "--yes", "--skip-preview", ...args], options),
    destroy: (args = [], options) => run(["destroy", "--yes", "--skip-preview", ...args], options),
    preview: async (args = []) => {
      const { command, isPreviewOnly: _, isPreviewed: __, mustBeSame, ...flags } = flagsOf(["preview", ...args]);
      const { steps, lines, hasFailed } = await operate(command, true, flags);
      if (hasFailed || (mustBeSame && steps.some(({ op }) => op !== "same"))) throw new Error(shown(lines));
      const counts = Map.groupBy(steps, ({ op }) => op);
      return {
        steps,
        changeSummary: Object.fromEntries([...counts].map(([op, { length }]) => [op, length])),
        diagnostics: lines.map(({ severity, message }) => ({ severity, message })),
      };
    },
    exportState: async () => {
      const resources = [...state.resources.values(), ...state.replaced.map((one) => ({ ...one, delete: true }))].map(
        ({ inputs, outputs, initErrors, ...one }) => ({
          ...one,
          inputs: Object(withoutSecrets(inputs)),
          outputs: Object(withoutSecrets(outputs)),
          ...(initErrors.length > 0 && { initErrors }),
        }),
      );
      return { text: JSON.stringify({ deployment: { resources } }), resources };
    },
    writeStackYaml: (text) => writeFile(stackFile, onProvider(text)),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** So that what is never to come is not waited for as long as by a user. */
const quick = { INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: "2" };

type Command = "up" | "refresh" | "destroy";
interface Flags {
  /** Default: as the project's options say. */
  isRefreshed: boolean | undefined;
  replaced: ReadonlySet<string>;
  targets?: ReadonlySet<string>;
}
interface Line {
  severity: "info" | "warning" | "error";
  message: string;
  urn: string;
}

/** What the arguments of a command of Pulumi mean. One that the in-process engine does not know is refused. */
function flagsOf([command = "", ...args]: readonly string[]) {
  const values = (name: string) => args.flatMap((arg, index) => (args[index - 1] === name ? [arg] : []));
  const known = ["--yes", "--skip-preview", "--refresh", "--refresh=false", "--expect-no-changes", "--json"];
  const withValue = ["--replace", "--target"];
  const unknown = args.filter(
    (arg, index) => ![...known, ...withValue].includes(arg) && !withValue.includes(args[index - 1] ?? ""),
  );
  const isPreviewOnly = command === "preview";
  if (unknown.length > 0) throw new Error(`the in-process engine does not know ${unknown.join(" ")}`);
  if (!["up", "preview", "refresh", "destroy"].includes(command)) throw new Error(`it does not know ${command}`);
  const targets = values("--target");
  return {
    command: isPreviewOnly ? "up" : (command as Command),
    isPreviewOnly,
    isPreviewed: !args.includes("--skip-preview"),
    isRefreshed: args.includes("--refresh") || (args.includes("--refresh=false") ? false : undefined),
    mustBeSame: args.includes("--expect-no-changes"),
    replaced: new Set(values("--replace")),
    ...(targets.length > 0 && { targets: new Set(targets) }),
  } as const;
}

function urnIn(stack: string, project: string, type: string, name: string, parent: string): string {
  const parentType = parent.split("::")[2] ?? "";
  const isInside = parentType !== "" && parentType !== "pulumi:pulumi:Stack";
  return `urn:pulumi:${stack}::${project}::${isInside ? `${parentType}$` : ""}${type}::${name}`;
}

/** The stack's config as the engine gives it to the program: strings, of which those for maps and lists are JSON. */
async function configOf(stackFile: string): Promise<Map<string, string>> {
  const { config }: { config?: Record<string, unknown> } =
    parse(await readFile(stackFile, "utf8"), { merge: true }) ?? {};
  const entries = Object.entries(config ?? {}).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return new Map(entries);
}

function withEnvironment(variables: NodeJS.ProcessEnv): Disposable {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  return {
    [Symbol.dispose]: () => {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
    },
  };
}

/** Each operation imports its program anew, and the modules of this package only once. */
async function programFile(directory: string, isOwn: boolean): Promise<string> {
  operationCount += 1;
  const source = join(import.meta.dirname, "../../src");
  if (!isOwn) return `${join(source, "program.ts")}?operation=${operationCount}`;
  const file = join(directory, `program-${operationCount}.ts`);
  const text = (await readFile(join(directory, "program.ts"), "utf8"))
    .replaceAll('"pulumi-integration-platform/native"', JSON.stringify(join(source, "native/index.ts")))
    .replaceAll('"pulumi-integration-platform"', JSON.stringify(join(source, "index.ts")));
  await writeFile(file, text);
  return file;
}

/** Never settles if the program fails: Pulumi's library would let its error go by as an unhandled rejection, several times. */
async function runProgram(path: string, fail: (message: string) => void): Promise<void> {
  await pulumi.runtime.runInPulumiStack(async () => {
    try {
      const { default: outputs, ...named } = await import(/* @vite-ignore */ path);
      return { ...outputs, ...named };
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
      return new Promise(() => {});
    }
  });
  await disconnect();
}

async function failureOf({ hasFailed }: { hasFailed(): boolean }): Promise<void> {
  while (!hasFailed()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    ),
  );
}

const severities = new Map<number, Line["severity"]>([
  [engineMessages.LogSeverity.INFO, "info"],
  [engineMessages.LogSeverity.WARNING, "warning"],
  [engineMessages.LogSeverity.ERROR, "error"],
]);

/** Lets the program reach the engine, as Pulumi's library for Node.js does. */
function serve(server: Server, operation: ReturnType<typeof beginOperation>, lines: Line[]): void {
  let root = "";
  const log: handleUnaryCall<engineMessages.LogRequest, empty.Empty> = ({ request }, respond) => {
    const severity = severities.get(request.getSeverity());
    if (severity === "error") operation.fail(request.getUrn(), request.getMessage());
    else if (severity !== undefined) lines.push({ severity, message: request.getMessage(), urn: request.getUrn() });
    respond(null, new empty.Empty());
  };
  const setRootResource: handleUnaryCall<
    engineMessages.SetRootResourceRequest,
    engineMessages.SetRootResourceResponse
  > = ({ request }, respond) => {
    root = request.getUrn();
    respond(null, new engineMessages.SetRootResourceResponse());
  };
  const getRootResource: handleUnaryCall<unknown, engineMessages.GetRootResourceResponse> = (_, respond) =>
    respond(null, new engineMessages.GetRootResourceResponse().setUrn(root));
  server.addService(engineServices.EngineService, { log, setRootResource, getRootResource });

  const features = new Set(["secrets", "resourceReferences"]);
  const supportsFeature: handleUnaryCall<
    resourceMessages.SupportsFeatureRequest,
    resourceMessages.SupportsFeatureResponse
  > = ({ request }, respond) =>
    respond(null, new resourceMessages.SupportsFeatureResponse().setHassupport(features.has(request.getId())));
  const registerResource: handleUnaryCall<
    resourceMessages.RegisterResourceRequest,
    resourceMessages.RegisterResourceResponse
  > = async ({ request }, respond) => {
    const { urn, id, outputs } = await operation.register(request);
    respond(null, new resourceMessages.RegisterResourceResponse().setUrn(urn).setId(id).setObject(toStruct(outputs)));
  };
  const registerResourceOutputs: handleUnaryCall<resourceMessages.RegisterResourceOutputsRequest, empty.Empty> = (
    { request },
    respond,
  ) => {
    operation.registerOutputs(request.getUrn(), fromStruct(request.getOutputs()));
    respond(null, new empty.Empty());
  };
  const invoke: handleUnaryCall<resourceMessages.ResourceInvokeRequest, resourceMessages.ResourceInvokeResponse> = (
    { request },
    respond,
  ) => {
    if (request.getTok() !== "pulumi:pulumi:readStackResourceOutputs")
      throw new Error(`${request.getTok()} is not known`);
    const outputs = [...operation.state().resources].map(([urn, { type, outputs }]) => [urn, { type, outputs }]);
    respond(
      null,
      new resourceMessages.ResourceInvokeResponse().setReturn(toStruct({ outputs: Object.fromEntries(outputs) })),
    );
  };
  server.addService(resourceServices.ResourceMonitorService, {
    invoke,
    supportsFeature,
    registerResource,
    registerResourceOutputs,
  });
}

/** What the operation says, about as the engine prints it. */
function shown(lines: readonly Line[]): string {
  const text = lines.map(({ severity, message }) => {
    const marked = severity === "info" ? message : `${severity}: ${message}`;
    return marked.replaceAll(/^/gm, "    ");
  });
  return ["Diagnostics:", ...text, ""].join("\n");
}

function stepsOf(steps: readonly { op: string; urn: string }[] = []): string {
  return steps
    .filter(({ op }) => op !== "same")
    .map(({ op, urn }) => `${op} ${urn}`)
    .join(", ");
}

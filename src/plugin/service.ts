import { isDeepStrictEqual } from "node:util";
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type {
  MethodDefinition,
  ServerUnaryCall,
  ServiceDefinition,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { CancelledError } from "../api/errors.ts";
import { hasUnknown } from "../json/unknown.ts";
import { parseUrn } from "../operation/urn.ts";
import { withGarbageCollection } from "../provider/with-garbage-collection.ts";
import type { PluginLog } from "./engine-log.ts";
import { addressProblem, checkProviderConfig, type ProviderConfig, providerConfig } from "./provider-config.ts";
import { toServiceError } from "./status.ts";
import { DiffResponse_DiffChanges, ResourceProvider } from "./wire/protocol_pb.ts";
import { readStruct, writeStruct } from "./wire/struct.ts";

/** What the plugin tells the engine about itself. */
export interface PluginFacts {
  version: string;
  /** The address on which the engine listens; empty if it is not known. */
  engineAddress: string;
  /** The schema of the package, as JSON. */
  schema: () => string;
}

const none = new Uint8Array();
const rpc = ResourceProvider.method;

/** An engine that tells a provider its URN (3.154) and refreshes before an update (3.173), as far as the project supports it. */
const oldestEngine = "3.200.0";

/**
 * The service `pulumirpc.ResourceProvider` of one plugin process. It serves one provider resource of one operation of the
 * engine. Methods that are not here answer that they are not implemented, which the engine understands.
 */
export function createService(log: PluginLog, { version, engineAddress, schema }: PluginFacts) {
  let config: ProviderConfig | undefined;
  const cancellation = new AbortController();
  let isUsable = false;
  let calls: Promise<ReturnType<typeof import("./resource-calls.ts").createResourceCalls>> | undefined;
  const resourceCalls = () => {
    calls ??= import("./resource-calls.ts").then(({ createResourceCalls }) =>
      createResourceCalls({
        config: () => {
          if (config === undefined) throw new Error("the provider is not configured");
          return config;
        },
        log,
        engineAddress,
        signal: cancellation.signal,
      }),
    );
    return calls;
  };
  const onResource = async ({ urn }: { urn: string }) => (await resourceCalls()).providerOf(parseUrn(urn).type);
  const begin = () => {
    if (cancellation.signal.aborted) throw new CancelledError();
  };

  const methods = {
    Handshake: method(rpc.handshake, (request) => {
      isUsable = request.configureWithUrn && request.supportsRefreshBeforeUpdate;
      return { acceptSecrets: true, supportsAutonamingConfiguration: true };
    }),
    GetPluginInfo: method(rpc.getPluginInfo, () => ({ version })),
    GetSchema: method(rpc.getSchema, () => ({ schema: schema() })),
    CheckConfig: method(rpc.checkConfig, ({ urn, olds = none, news = none }) => {
      const [before, now] = [readStruct(olds), readStruct(news)];
      const { name } = parseUrn(urn);
      const checked = checkProviderConfig({ name, olds: before.value, news: now.value });
      if (checked.warning !== undefined) log.send("warning", checked.warning);
      const secretPaths = [...now.secretPaths, ["apiKey"]]; // also where a program or the stack gives it as plain text
      return { inputs: writeStruct(checked.inputs, secretPaths), failures: checked.failures };
    }),
    DiffConfig: method(rpc.diffConfig, ({ urn, olds, oldInputs = olds, news }) => {
      const [before, now] = [readStruct(oldInputs ?? none), readStruct(news ?? none)];
      // the engine also asks this about a resource that the program moves here from another provider
      const given = providerConfig(parseUrn(urn).name, now.value);
      const problem = hasUnknown(now.value) ? undefined : addressProblem(given, before.value.baseUrl);
      if (problem !== undefined) throw new Error(problem);
      const isChanged = !isDeepStrictEqual(before.value, now.value);
      // never a replacement: it would replace, and so archive, everything that the provider has
      return { changes: isChanged ? DiffResponse_DiffChanges.DIFF_SOME : DiffResponse_DiffChanges.DIFF_NONE };
    }),
    Configure: method(rpc.configure, ({ args, name }) => {
      if (!isUsable) throw new Error(`this provider needs Pulumi ${oldestEngine} or later. Upgrade the Pulumi CLI`);
      const { value } = readStruct(args ?? none);
      config = providerConfig(name ?? "default", value);
      const problem = addressProblem(config, value.baseUrl);
      if (problem !== undefined) throw new Error(problem);
      return { acceptSecrets: true, supportsPreview: true, supportsAutonamingConfiguration: true };
    }),
    Check: method(rpc.check, async (request) => (await onResource(request)).check(request)),
    Diff: method(rpc.diff, async (request) => (await onResource(request)).diff(request)),
    Create: method(rpc.create, async (request) => {
      begin();
      return (await onResource(request)).create(request);
    }),
    Read: method(rpc.read, async (request) => (await onResource(request)).read(request)),
    Update: method(rpc.update, async (request) => {
      begin();
      return (await onResource(request)).update(request);
    }),
    Delete: method(rpc.delete, async (request) => {
      begin();
      return (await onResource(request)).delete(request);
    }),
    Invoke: method(rpc.invoke, async (request) => (await resourceCalls()).invoke(request)),
    Cancel: method(rpc.cancel, () => {
      cancellation.abort();
      return {};
    }),
  };

  const entries = Object.entries(methods);
  const definition: ServiceDefinition = Object.fromEntries(entries.map(([name]) => [name, definitionOf(name)]));
  const implementation: UntypedServiceImplementation = Object.fromEntries(
    entries.map(([name, answer]) => [
      name,
      async (call: ServerUnaryCall<Buffer, Buffer>, respond: sendUnaryData<Buffer>) => {
        try {
          const response = await withGarbageCollection(() => answer(call.request, log));
          await log.sent();
          respond(null, response);
        } catch (error) {
          await log.sent();
          respond(toServiceError(error), null);
        }
      },
    ]),
  );
  return { definition, implementation };
}

/** A method of the service, from the bytes of its request to those of its response. */
function method<Input extends DescMessage, Output extends DescMessage>(
  { input, output }: DescMethodUnary<Input, Output>,
  answer: (request: MessageShape<Input>) => MessageInitShape<Output> | Promise<MessageInitShape<Output>>,
) {
  return async (bytes: Buffer, log: PluginLog): Promise<Buffer> => {
    const request = fromBinary(input, bytes);
    const urn = "urn" in request && typeof request.urn === "string" ? request.urn : "";
    const response = await log.forResource(urn, async () => answer(request));
    return Buffer.from(toBinary(output, create(output, response)));
  };
}

function definitionOf(name: string): MethodDefinition<Buffer, Buffer> {
  return {
    path: `/${ResourceProvider.typeName}/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
}

function asIs(message: Buffer): Buffer {
  return message;
}

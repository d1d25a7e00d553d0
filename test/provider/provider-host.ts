import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import type { Message } from "google-protobuf";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { providerUnderTest } from "../engine/harness/provider-under-test.ts";
import { hostKinds, type Member, type Properties, urnOf } from "./host-kinds.ts";
import { endsWithParent, watchOver } from "./running-hosts.ts";

/**
 * The process that hosts the provider under test, called as the engine calls it: the official host of dynamic providers, or
 * this package's plugin.
 */
export interface ProviderHost extends AsyncDisposable {
  configure(config?: Record<string, string>): Promise<void>;
  check(
    news: Properties,
    olds?: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  /** `changes`: 0 lets the engine compare (only the dynamic host), 1 is none, 2 is some. */
  diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: number; replaces: string[]; isDeletedFirst: boolean }>;
  create(inputs: Properties): Promise<{ id: string; properties: Properties }>;
  read(
    id: string,
    properties: Properties,
  ): Promise<{ id: string; properties: Properties; inputs: Properties | undefined }>;
  update(id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(id: string, properties: Properties): Promise<void>;
  /** The host's output to the user's terminal. */
  output(): string;
  /** Closes the host's standard input, as an engine does when it ends. */
  letGo(): void;
  /** Resolves once the process has ended by itself. */
  ended: Promise<unknown>;
}

export interface HostOptions {
  /** Of the process, besides PATH. */
  environment?: Record<string, string>;
  /** Which resource the properties belong to. Default: `tenant`. */
  member?: Member;
  /** The stack in the URNs. Default: `test`. */
  stack?: string;
  /** The engine's address. Default: an address of its own, where nothing listens. Hosts of one operation have the same one. */
  engineAddress?: string;
}

/** Each test starts several hosts: they find what others have compiled, and load two large libraries only when used. */
const quickStart = {
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  NODE_OPTIONS: `--require=${fileURLToPath(new URL("../../engine/program-start/load-when-used.cjs", import.meta.url))}`,
};

/** Starts a host in the folder of the program, as `main: src/program.ts` has it. It is not configured yet. */
export async function startHost({
  environment = {},
  member = "tenant",
  stack = "test",
  engineAddress = unusedAddress(),
}: HostOptions = {}): Promise<ProviderHost> {
  const kind = hostKinds[providerUnderTest];
  const child = spawn(process.execPath, [`--import=${endsWithParent}`, kind.script, engineAddress], {
    cwd: fileURLToPath(new URL("../../src/", import.meta.url)),
    env: { PATH: process.env.PATH, ...quickStart, ...environment },
    stdio: ["pipe", "pipe", "pipe"], // the engine holds its end of each until it ends
  });
  watchOver(child);
  const ended = once(child, "exit");
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const lines = createInterface(child.stdout);
  const [port] = await Promise.race([
    once(lines, "line"),
    ended.then(() => Promise.reject(new Error(`the host ended before it listened: ${output}`))),
  ]);
  lines.on("line", (line) => {
    output += `${line}\n`;
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const handshake = kind.handshake(engineAddress);
  if (handshake !== undefined) {
    await unary(client, "Handshake", handshake, provider.ProviderHandshakeResponse.deserializeBinary);
  }
  const wire = (properties: Properties) => kind.toWire(properties, member);
  const own = (properties: { toJavaScript(): Properties } | undefined) =>
    kind.fromWire(properties?.toJavaScript() ?? {});
  const urn = ({ name }: Properties) => urnOf(member, typeof name === "string" ? name : "unnamed", stack);

  return {
    configure: async (config = {}) => {
      const request = kind.configureRequest(config);
      if (handshake !== undefined) {
        const check = new provider.CheckRequest().setUrn(request.getUrn() ?? "").setNews(request.getArgs());
        const checked = await unary(client, "CheckConfig", check, provider.CheckResponse.deserializeBinary);
        if (checked.getFailuresList().length === 0) request.setArgs(checked.getInputs());
      }
      await unary(client, "Configure", request, provider.ConfigureResponse.deserializeBinary);
    },
    check: async (news, olds) => {
      const before = olds === undefined ? new struct.Struct() : wire(olds);
      const request = new provider.CheckRequest().setUrn(urn(news)).setOlds(before).setNews(wire(news));
      const answer = await unary(client, "Check", request, provider.CheckResponse.deserializeBinary);
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: own(answer.getInputs()), failures };
    },
    diff: async (id, olds, news) => {
      const request = new provider.DiffRequest()
        .setId(id)
        .setUrn(urn(news))
        .setOlds(wire(olds))
        .setOldInputs(wire(inputsAmong(olds)))
        .setNews(wire(news));
      const answer = await unary(client, "Diff", request, provider.DiffResponse.deserializeBinary);
      return {
        changes: answer.getChanges(),
        replaces: answer.getReplacesList(),
        isDeletedFirst: answer.getDeletebeforereplace(),
      };
    },
    create: async (inputs) => {
      const request = new provider.CreateRequest().setUrn(urn(inputs)).setProperties(wire(inputs));
      const answer = await unary(client, "Create", request, provider.CreateResponse.deserializeBinary);
      return { id: answer.getId(), properties: own(answer.getProperties()) };
    },
    read: async (id, properties) => {
      const request = new provider.ReadRequest()
        .setId(id)
        .setUrn(urn(properties))
        .setProperties(wire(properties))
        .setInputs(wire(inputsAmong(properties)));
      const answer = await unary(client, "Read", request, provider.ReadResponse.deserializeBinary);
      const inputs = answer.hasInputs() ? own(answer.getInputs()) : undefined;
      return { id: answer.getId(), properties: own(answer.getProperties()), inputs };
    },
    update: async (id, olds, news) => {
      const request = new provider.UpdateRequest()
        .setId(id)
        .setUrn(urn(news))
        .setOlds(wire(olds))
        .setOldInputs(wire(inputsAmong(olds)))
        .setNews(wire(news));
      return own((await unary(client, "Update", request, provider.UpdateResponse.deserializeBinary)).getProperties());
    },
    delete: async (id, properties) => {
      const request = new provider.DeleteRequest()
        .setId(id)
        .setUrn(urn(properties))
        .setProperties(wire(properties))
        .setOldInputs(wire(inputsAmong(properties)));
      await unary(client, "Delete", request, empty.Empty.deserializeBinary);
    },
    output: () => output,
    letGo: () => child.stdin.destroy(),
    ended,
    async [Symbol.asyncDispose]() {
      client.close();
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The inputs that a state keeps. The engine has them beside the state. */
function inputsAmong({ tenantId = null, integrationId: _, platform: __, ...inputs }: Properties): Properties {
  const isInput = inputs.data !== undefined || inputs.mode !== undefined;
  return isInput ? { ...inputs, tenantId } : inputs;
}

/** Another address for each host, as each engine has its own. Nothing listens on port 1. */
export function unusedAddress(): string {
  return `127.${[...randomBytes(3)].join(".")}:1`;
}

function unary<Answer>(
  client: Client,
  method: string,
  request: Message,
  deserialize: (bytes: Uint8Array) => Answer,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  client.makeUnaryRequest(
    `/pulumirpc.ResourceProvider/${method}`,
    (message: Message) => Buffer.from(message.serializeBinary()),
    deserialize,
    request,
    new Metadata(),
    (error: ServiceError | null, answer?: Answer) => {
      if (answer === undefined) reject(error ?? new Error(`${method} was answered with nothing`));
      else resolve(answer);
    },
  );
  return promise;
}

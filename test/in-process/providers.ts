import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import status from "@pulumi/pulumi/proto/status_pb.js";
import type { Message } from "google-protobuf";
import { createSecretRegistry } from "../../src/api/index.ts";
import { createService } from "../../src/plugin/service.ts";
import { type Connection, openConnection } from "../../src/provider/connection.ts";
import { providersOf } from "../../src/provider/providers.ts";
import { fromStruct, inClear, markedLike, type Properties, toStruct } from "./properties.ts";

type Severity = "info" | "warning" | "error";

/** What the providers of one operation need of its engine. */
export interface ProviderOptions {
  log: (severity: Severity, message: string, urn: string) => void;
  /** Another one for each operation. */
  engineAddress: string;
  /** The stack's config. */
  config: ReadonlyMap<string, string>;
}

/** What the engine asks of a provider, whose process ends with the operation. */
export interface Provider {
  check(urn: string, olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }>;
  diff(old: Stored, news: Properties): Promise<{ isChanged?: boolean; replaces: string[]; isDeletedFirst: boolean }>;
  create(urn: string, inputs: Properties, isPreview: boolean): Promise<Pick<Stored, "id" | "outputs" | "isReadFirst">>;
  /** Gives nothing if the resource is gone. */
  read(old: Stored): Promise<Pick<Stored, "inputs" | "outputs"> | undefined>;
  update(old: Stored, news: Properties, isPreview: boolean): Promise<Properties>;
  delete(old: Stored): Promise<void>;
}

/** What a provider gets of a resource of the state. */
export interface Stored {
  urn: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
  /** Whether the provider wants the resource to be read before it is compared. */
  isReadFirst?: boolean;
}

/** A resource that was created or changed in part. */
export class PartOfIt extends Error {
  readonly id: string;
  readonly outputs: Properties;
  readonly reasons: string[];

  constructor(message: string, { id, outputs, reasons }: { id: string; outputs: Properties; reasons: string[] }) {
    super(message);
    this.id = id;
    this.outputs = outputs;
    this.reasons = reasons;
  }
}

const dynamicPrefix = "pulumi-nodejs:dynamic/integration-platform:";
const nativePrefix = "integration-platform:index:";

/** The providers of one operation, by the types of their resources. Each is opened when it is needed first. */
export function openProviders(options: ProviderOptions): (type: string) => Provider {
  let dynamic: ReturnType<typeof dynamicProviders> | undefined;
  let native: Provider | undefined;
  return (type) => {
    if (type.startsWith(dynamicPrefix)) {
      dynamic ??= dynamicProviders(options);
      return dynamic(type.slice(dynamicPrefix.length));
    }
    if (!type.startsWith(nativePrefix)) throw new Error(`the in-process engine has no provider of ${type}`);
    native ??= nativeProvider(options);
    return native;
  };
}

/** This package's dynamic providers, called as the official host calls them. */
function dynamicProviders({ log, engineAddress, config }: ProviderOptions): (type: string) => Provider {
  const secrets = createSecretRegistry();
  let connection: Connection | undefined;
  const providers = providersOf(() => {
    connection ??= openConnection({
      setting: (key) => config.get(`integration-platform:${key}`),
      log: { send: (severity, message) => log(severity, message, ""), sent: () => Promise.resolve() },
      provider: "dynamic",
      engineAddress,
      secrets,
    });
    return connection;
  });
  const byType = new Map<string, ReturnType<typeof providersOf>[keyof ReturnType<typeof providersOf>]>(
    Object.entries(providers).map(([member, one]) => [member.replace(/^./, (first) => first.toUpperCase()), one]),
  );

  return (type) => {
    const hosted = byType.get(type);
    if (hosted === undefined) throw new Error(`there is no dynamic provider of ${type}`);
    /** What the host does with each answer: the provider's text stays with the resource. */
    const answered = (answer: object | undefined, { __provider }: Properties, ...marked: Properties[]): Properties => {
      const sent = fromStruct(toStruct(Object.assign(answer ?? {}, { __provider }) as Properties));
      return marked.reduce(markedLike, sent);
    };
    const inPart = async <T>(work: Promise<T>, inputs: Properties): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (!isInitFailure(error)) throw error;
        const { message, id, properties, reasons } = error;
        throw new PartOfIt(message, { id, outputs: answered(properties, properties, inputs), reasons });
      }
    };
    return {
      check: async (_, olds, news) => {
        const { inputs = {}, failures = [] } = await hosted.check(inClear(olds), inClear(news));
        return { inputs: answered(inputs, inClear(news), news), failures: failures.map(({ reason }) => reason) };
      },
      diff: async ({ id, outputs }, news) => {
        const {
          changes,
          replaces = [],
          deleteBeforeReplace = false,
        } = await hosted.diff(id, inClear(outputs), inClear(news));
        return { ...(changes !== undefined && { isChanged: changes }), replaces, isDeletedFirst: deleteBeforeReplace };
      },
      create: async (_, inputs, isPreview) => {
        if (isPreview) return { id: "", outputs: inputs };
        const { id, outs } = await inPart(hosted.create(inClear(inputs)), inputs);
        return { id, outputs: answered(outs, inClear(inputs), inputs) };
      },
      read: async ({ id, inputs, outputs }) => {
        const found = await inPart(hosted.read(id, inClear(outputs)), inputs);
        if (!found.id) return undefined;
        const props = answered(found.props, inClear(outputs), outputs);
        const isNew = found.inputs !== undefined;
        return { inputs: isNew ? answered(found.inputs, inClear(outputs), inputs) : inputs, outputs: props };
      },
      update: async ({ id, outputs }, news, isPreview) => {
        if (isPreview) return news;
        const { outs } = await inPart(hosted.update(id, inClear(outputs), inClear(news)), news);
        return answered(outs, inClear(news), news);
      },
      delete: ({ id, outputs }) => hosted.delete(id, inClear(outputs)),
    };
  };
}

function isInitFailure(error: unknown): error is Error & { id: string; properties: Properties; reasons: string[] } {
  return error instanceof Error && "id" in error && Boolean(error.id);
}

/** This package's plugin: its service gets the bytes that the engine would send. */
function nativeProvider({ log, engineAddress, config }: ProviderOptions): Provider {
  let urn = "";
  const { implementation } = createService(
    {
      send: (severity, message) => log(severity, message, urn),
      sent: () => Promise.resolve(),
      forResource: async (resource, work) => {
        urn = resource;
        return work();
      },
    },
    { version: "0.1.0", engineAddress, schema: () => "{}" },
  );
  const call = <Answer>(method: string, request: Message, read: (bytes: Uint8Array) => Answer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const answer: unknown = implementation[method];
      if (typeof answer !== "function") throw new Error(`the plugin has no ${method}`);
      answer(
        { request: Buffer.from(request.serializeBinary()) },
        (error: ServiceError | null, bytes: Buffer | null) => {
          if (error === null && bytes !== null) resolve(read(bytes));
          else reject(error === null ? new Error(`${method} was answered with nothing`) : ofServiceError(error));
        },
      );
    });

  const configured = (async () => {
    const handshake = new provider.ProviderHandshakeRequest()
      .setEngineAddress(engineAddress)
      .setConfigureWithUrn(true)
      .setSupportsRefreshBeforeUpdate(true)
      .setInvokeWithPreview(true);
    await call("Handshake", handshake, provider.ProviderHandshakeResponse.deserializeBinary);
    const own = [...config].flatMap(([key, value]) => {
      const [space, name = ""] = key.split(":");
      return space === "integration-platform" && providerSettings.has(name) ? [[name, value]] : [];
    });
    const configure = new provider.ConfigureRequest()
      .setArgs(toStruct(Object.fromEntries(own)))
      .setAcceptsecrets(true)
      .setAcceptresources(true)
      .setSendsOldInputs(true)
      .setSendsOldInputsToDelete(true)
      .setName("default_0_1_0")
      .setType("pulumi:providers:integration-platform")
      .setUrn("urn:pulumi:test::throw-away::pulumi:providers:integration-platform::default_0_1_0");
    await call("Configure", configure, provider.ConfigureResponse.deserializeBinary);
  })();
  configured.catch(() => {}); // each call throws it

  return {
    check: async (urn, olds, news) => {
      await configured;
      const { name, type } = partsOf(urn);
      const request = new provider.CheckRequest()
        .setUrn(urn)
        .setName(name)
        .setType(type)
        .setOlds(toStruct(olds))
        .setNews(toStruct(news));
      const answer = await call("Check", request, provider.CheckResponse.deserializeBinary);
      const failures = answer.getFailuresList().map((failure) => failure.getReason());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    diff: async ({ urn, id, inputs, outputs }, news) => {
      await configured;
      const request = new provider.DiffRequest()
        .setId(id)
        .setUrn(urn)
        .setOlds(toStruct(outputs))
        .setOldInputs(toStruct(inputs))
        .setNews(toStruct(news));
      const answer = await call("Diff", request, provider.DiffResponse.deserializeBinary);
      return {
        isChanged: answer.getChanges() === provider.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: answer.getReplacesList(),
        isDeletedFirst: answer.getDeletebeforereplace(),
      };
    },
    create: async (urn, inputs, isPreview) => {
      await configured;
      const { name, type } = partsOf(urn);
      const request = new provider.CreateRequest()
        .setUrn(urn)
        .setName(name)
        .setType(type)
        .setProperties(toStruct(inputs))
        .setPreview(isPreview);
      const answer = await call("Create", request, provider.CreateResponse.deserializeBinary);
      return {
        id: answer.getId(),
        outputs: fromStruct(answer.getProperties()),
        isReadFirst: answer.getRefreshBeforeUpdate(),
      };
    },
    read: async ({ urn, id, inputs, outputs }) => {
      await configured;
      const request = new provider.ReadRequest()
        .setId(id)
        .setUrn(urn)
        .setProperties(toStruct(outputs))
        .setInputs(toStruct(inputs));
      const answer = await call("Read", request, provider.ReadResponse.deserializeBinary);
      if (answer.getId() === "") return undefined;
      return {
        inputs: answer.hasInputs() ? fromStruct(answer.getInputs()) : inputs,
        outputs: fromStruct(answer.getProperties()),
      };
    },
    update: async ({ urn, id, inputs, outputs }, news, isPreview) => {
      await configured;
      const request = new provider.UpdateRequest()
        .setId(id)
        .setUrn(urn)
        .setOlds(toStruct(outputs))
        .setOldInputs(toStruct(inputs))
        .setNews(toStruct(news))
        .setPreview(isPreview);
      const answer = await call("Update", request, provider.UpdateResponse.deserializeBinary);
      return fromStruct(answer.getProperties());
    },
    delete: async ({ urn, id, inputs, outputs }) => {
      await configured;
      const request = new provider.DeleteRequest()
        .setId(id)
        .setUrn(urn)
        .setProperties(toStruct(outputs))
        .setOldInputs(toStruct(inputs));
      await call("Delete", request, (bytes) => bytes);
    },
  };
}

const schemaFile = join(import.meta.dirname, "../../src/plugin/schema.json");

/** Those of the package's schema. The engine gives a default provider no others. */
const providerSettings = new Set(Object.keys(JSON.parse(readFileSync(schemaFile, "utf8")).provider.inputProperties));

function partsOf(urn: string): { type: string; name: string } {
  const [, , qualified = "", ...name] = urn.split("::");
  return { type: qualified.split("$").at(-1) ?? "", name: name.join("::") };
}

function ofServiceError(error: ServiceError): Error {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  if (!(bytes instanceof Uint8Array)) return new Error(error.details);
  const [detail] = status.Status.deserializeBinary(bytes).getDetailsList();
  const failure = provider.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return new PartOfIt(error.details, {
    id: failure.getId(),
    outputs: fromStruct(failure.getProperties()),
    reasons: failure.getReasonsList(),
  });
}

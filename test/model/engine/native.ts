import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { nativeProvider as createProvider } from "../../../src/plugin/native-provider.ts";
import { PartialFailure } from "../../../src/plugin/status.ts";
import * as protocol from "../../../src/plugin/wire/protocol_pb.ts";
import { readStruct, writeStruct } from "../../../src/plugin/wire/struct.ts";
import { withMarks } from "../../../src/provider/secret-marks.ts";
import { typeToken } from "../../../src/resources/pulumi/type-token.ts";
import type { ResourceType } from "../program.ts";
import { PartlyDone, type Provider, requireNone, type Stored } from "./provider.ts";
import { fromProvider, pathsOfSecrets, withoutMarks } from "./secrets.ts";
import type { Properties } from "./state.ts";

/** Calls a provider of the plugin with encoded messages. It gets the marks of secrets, and marks its responses itself. */
export function nativeProvider(type: ResourceType, methods: ReturnType<typeof createProvider>): Provider {
  const token = typeToken("native", type);
  const named = (name: string) => ({ urn: `urn:pulumi:model::model::${token}::${name}` });
  const existing = ({ name, id, inputs }: Stored) => ({ ...named(name), id, oldInputs: struct(inputs) });
  return {
    check: async (name, olds, news) => {
      const request = { ...named(name), name, olds: struct(olds), news: struct(news) };
      const response = await methods.check(received(protocol.CheckRequestSchema, request));
      const { inputs, failures } = received(protocol.CheckResponseSchema, response);
      requireNone(failures);
      return { ...properties(inputs), ...news }; // what is added is known, also where other inputs are not
    },
    diff: async (stored, news) => {
      const request = { ...existing(stored), olds: struct(stored.outputs), news: struct(news) };
      const response = await methods.diff(received(protocol.DiffRequestSchema, request));
      const { changes, replaces } = received(protocol.DiffResponseSchema, response);
      return { changes: changes === protocol.DiffResponse_DiffChanges.DIFF_SOME, replaces };
    },
    create: (name, news) =>
      done(async () => {
        const request = { ...named(name), properties: struct(news) };
        const response = await methods.create(received(protocol.CreateRequestSchema, request));
        const { id, properties: outputs } = received(protocol.CreateResponseSchema, response);
        return { id, outputs: properties(outputs) };
      }),
    read: async (stored) => {
      const { oldInputs, ...names } = existing(stored);
      const request = { ...names, properties: struct(stored.outputs), inputs: oldInputs };
      const response = await methods.read(received(protocol.ReadRequestSchema, request));
      const { id, properties: outputs, inputs } = received(protocol.ReadResponseSchema, response);
      return id === "" ? undefined : { id, outputs: properties(outputs), inputs: properties(inputs) };
    },
    update: (stored, news) =>
      done(async () => {
        const request = { ...existing(stored), olds: struct(stored.outputs), news: struct(news) };
        const response = await methods.update(received(protocol.UpdateRequestSchema, request));
        return { outputs: properties(received(protocol.UpdateResponseSchema, response).properties) };
      }),
    delete: async (stored) => {
      const request = { ...existing(stored), properties: struct(stored.outputs) };
      await methods.delete(received(protocol.DeleteRequestSchema, request));
    },
  };
}

/** A message as it arrives: with the defaults of what was not sent. */
function received<Schema extends DescMessage>(schema: Schema, sent: MessageInitShape<Schema>) {
  return fromBinary(schema, toBinary(schema, create(schema, sent)));
}

function struct(marked: Properties): Uint8Array {
  return writeStruct(withoutMarks(marked), pathsOfSecrets(marked));
}

function properties(bytes: Uint8Array = new Uint8Array()): Properties {
  const { value, secretPaths } = readStruct(bytes);
  return fromProvider(withMarks(value, secretPaths));
}

async function done<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const { id, properties: outputs, reasons } = received(protocol.ErrorResourceInitFailedSchema, error.details);
    throw new PartlyDone(error, { id, outputs: properties(outputs), reasons });
  }
}

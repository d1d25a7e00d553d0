import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { CheckRequest_AutonamingOptions_Mode as Mode, ResourceProvider } from "../../src/plugin/wire/protocol_pb.ts";

/** What a request is made of. */
export interface Parts {
  readonly urn: string;
  readonly id: string;
  readonly before: Uint8Array;
  readonly now: Uint8Array;
  readonly word: string;
  readonly isIt: boolean;
}

export interface Method {
  /** The bytes of a request. */
  request(parts: Parts): Uint8Array;
  /** Throws if the bytes are not the method's response. */
  readResponse(bytes: Uint8Array): unknown;
}

function method<Input extends DescMessage, Output extends DescMessage>(
  { input, output }: DescMethodUnary<Input, Output>,
  requestOf: (parts: Parts) => MessageInitShape<Input>,
): Method {
  return {
    request: (parts) => toBinary(input, create(input, requestOf(parts))),
    readResponse: (bytes) => fromBinary(output, bytes),
  };
}

const rpc = ResourceProvider.method;
const modes = Object.values(Mode);

/** Every method of the plugin, by its name in the protocol. */
export const methods: Readonly<Record<string, Method>> = {
  Handshake: method(rpc.handshake, ({ isIt }) => ({ configureWithUrn: isIt })),
  GetPluginInfo: method(rpc.getPluginInfo, () => ({})),
  GetSchema: method(rpc.getSchema, () => ({})),
  CheckConfig: method(rpc.checkConfig, ({ urn, before, now }) => ({ urn, olds: before, news: now })),
  DiffConfig: method(rpc.diffConfig, ({ urn, before, now }) => ({ urn, olds: before, oldInputs: before, news: now })),
  Configure: method(rpc.configure, ({ word, now }) => ({ name: word, args: now })),
  Check: method(rpc.check, ({ urn, before, now, word, isIt }) => {
    const autonaming = isIt
      ? { proposedName: word, mode: modes[word.length % modes.length] ?? Mode.PROPOSE }
      : undefined;
    return { urn, olds: before, news: now, autonaming };
  }),
  Diff: method(rpc.diff, ({ urn, id, before, now }) => ({ urn, id, olds: before, oldInputs: before, news: now })),
  Create: method(rpc.create, ({ urn, now, isIt }) => ({ urn, properties: now, preview: isIt })),
  Read: method(rpc.read, ({ urn, id, before, now, isIt }) => {
    return { urn, id, properties: isIt ? before : undefined, inputs: isIt ? now : undefined };
  }),
  Update: method(rpc.update, ({ urn, id, before, now, isIt }) => {
    return { urn, id, olds: before, oldInputs: before, news: now, preview: isIt };
  }),
  Delete: method(rpc.delete, ({ urn, id, before }) => ({ urn, id, properties: before, oldInputs: before })),
  Invoke: method(rpc.invoke, ({ word, now }) => ({ tok: `integration-platform:index:${word}`, args: now })),
  Cancel: method(rpc.cancel, () => ({})),
};

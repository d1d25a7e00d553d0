import { decode, encode, type Message } from "../../src/plugin/wire/message.ts";
import * as protocol from "../../src/plugin/wire/protocol.ts";

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

function reads(message: Message): Method["readResponse"] {
  return (bytes) => decode(message, bytes);
}

/** Every method of the plugin, by its name in the protocol. */
export const methods: Readonly<Record<string, Method>> = {
  Handshake: {
    request: ({ word, isIt }) =>
      encode(protocol.providerHandshakeRequest, { engineAddress: word, rootDirectory: word, configureWithUrn: isIt }),
    readResponse: reads(protocol.providerHandshakeResponse),
  },
  GetPluginInfo: { request: () => encode(protocol.empty, {}), readResponse: reads(protocol.pluginInfo) },
  GetSchema: {
    request: ({ word }) => encode(protocol.getSchemaRequest, { version: 1, subpackageName: word }),
    readResponse: reads(protocol.getSchemaResponse),
  },
  CheckConfig: {
    request: ({ urn, before, now }) => encode(protocol.checkRequest, { urn, olds: before, news: now }),
    readResponse: reads(protocol.checkResponse),
  },
  DiffConfig: {
    request: ({ urn, before, now }) =>
      encode(protocol.diffRequest, { urn, olds: before, oldInputs: before, news: now }),
    readResponse: reads(protocol.diffResponse),
  },
  Configure: {
    request: ({ word, now }) => encode(protocol.configureRequest, { name: word, args: now }),
    readResponse: reads(protocol.configureResponse),
  },
  Check: {
    request: ({ urn, before, now, word, isIt }) => {
      const autonaming = isIt ? { proposedName: word, mode: word.length } : undefined;
      return encode(protocol.checkRequest, { urn, olds: before, news: now, autonaming });
    },
    readResponse: reads(protocol.checkResponse),
  },
  Diff: {
    request: ({ urn, id, before, now }) =>
      encode(protocol.diffRequest, { urn, id, olds: before, oldInputs: before, news: now }),
    readResponse: reads(protocol.diffResponse),
  },
  Create: {
    request: ({ urn, now, isIt }) => encode(protocol.createRequest, { urn, properties: now, preview: isIt }),
    readResponse: reads(protocol.createResponse),
  },
  Read: {
    request: ({ urn, id, before, now, isIt }) =>
      encode(protocol.readRequest, { urn, id, properties: isIt ? before : undefined, inputs: isIt ? now : undefined }),
    readResponse: reads(protocol.readResponse),
  },
  Update: {
    request: ({ urn, id, before, now, isIt }) =>
      encode(protocol.updateRequest, { urn, id, olds: before, oldInputs: before, news: now, preview: isIt }),
    readResponse: reads(protocol.updateResponse),
  },
  Delete: {
    request: ({ urn, id, before }) =>
      encode(protocol.deleteRequest, { urn, id, properties: before, oldInputs: before }),
    readResponse: reads(protocol.empty),
  },
  Invoke: {
    request: ({ word, now }) =>
      encode(protocol.invokeRequest, { tok: `integration-platform:index:${word}`, args: now }),
    readResponse: reads(protocol.invokeResponse),
  },
  Cancel: { request: () => encode(protocol.empty, {}), readResponse: reads(protocol.empty) },
};

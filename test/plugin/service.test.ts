import type { sendUnaryData } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { createService } from "../../src/plugin/service.ts";
import { decode, type Encodable, encode, type Message } from "../../src/plugin/wire/message.ts";
import * as protocol from "../../src/plugin/wire/protocol.ts";
import { readStruct, writeStruct } from "../../src/plugin/wire/struct.ts";

const log = {
  send: () => {},
  sent: async () => {},
  forResource: <T>(_urn: string, work: () => Promise<T>) => work(),
};
const explicit = "urn:pulumi:s::p::pulumi:providers:integration-platform::eu";
const settings = { baseUrl: "https://platform.example.com", apiKey: "key" };
const currentEngine = { configureWithUrn: true, supportsRefreshBeforeUpdate: true };

/** Calls a method as gRPC does: bytes in, bytes or an error out. */
function open() {
  const { implementation } = createService(log, { version: "1.2.3", engineAddress: "", schema: () => "{}" });
  return async <Request extends Message, Response extends Message>(
    name: string,
    [request, response]: [Request, Response],
    value: Encodable<Request>,
  ) => {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const respond: sendUnaryData<Buffer> = (error, answer) => (answer ? resolve(answer) : reject(error));
      Reflect.apply(Object(implementation[name]), undefined, [
        { request: Buffer.from(encode(request, value)) },
        respond,
      ]);
    });
    return decode(response, bytes);
  };
}

const handshake: [typeof protocol.providerHandshakeRequest, typeof protocol.providerHandshakeResponse] = [
  protocol.providerHandshakeRequest,
  protocol.providerHandshakeResponse,
];
const configure: [typeof protocol.configureRequest, typeof protocol.configureResponse] = [
  protocol.configureRequest,
  protocol.configureResponse,
];
const diff: [typeof protocol.diffRequest, typeof protocol.diffResponse] = [protocol.diffRequest, protocol.diffResponse];

test("the handshake announces secrets and autonaming, and no references or outputs", async () => {
  const call = open();
  expect(await call("Handshake", handshake, currentEngine)).toMatchObject({
    acceptSecrets: true,
    acceptResources: false,
    acceptOutputs: false,
    supportsAutonamingConfiguration: true,
  });
});

test("an engine that is too old is told so, with the version that it needs", async () => {
  for (const engine of [undefined, {}, { configureWithUrn: true }]) {
    const call = open();
    if (engine) await call("Handshake", handshake, engine);
    await expect(call("Configure", configure, { args: writeStruct(settings) })).rejects.toThrow(
      "this provider needs Pulumi 3.200.0 or later. Upgrade the Pulumi CLI",
    );
  }
});

test("a provider whose settings changed is updated, and never replaced with all that it has", async () => {
  const call = open();
  const olds = writeStruct(settings);
  const same = await call("DiffConfig", diff, { urn: explicit, olds, oldInputs: olds, news: olds });
  expect(same.changes).toBe(protocol.diffChanges.none);
  for (const changed of [{ baseUrl: "https://other.example.com" }, { apiKey: "other" }, { connectedStatuses: "[]" }]) {
    const news = writeStruct({ ...settings, ...changed });
    const answer = await call("DiffConfig", diff, { urn: explicit, olds, oldInputs: olds, news });
    expect(answer).toMatchObject({ changes: protocol.diffChanges.some, replaces: [], hasDetailedDiff: false });
  }
});

test("the inputs of a default provider hold nothing of the stack's other config", async () => {
  const call = open();
  const answer = await call("CheckConfig", [protocol.checkRequest, protocol.checkResponse], {
    urn: "urn:pulumi:s::p::pulumi:providers:integration-platform::default_1_2_3",
    news: writeStruct({ ...settings, tenants: "{}", version: "1.2.3" }),
  });
  expect(readStruct(answer.inputs ?? new Uint8Array()).value).toEqual({ ...settings, version: "1.2.3" });
});

test("a resource type or a function that does not exist is named", async () => {
  const call = open();
  await call("Handshake", handshake, currentEngine);
  await call("Configure", configure, { args: writeStruct(settings), name: "eu" });
  const urn = "urn:pulumi:s::p::integration-platform:index:Tennant::acme";
  await expect(
    call("Check", [protocol.checkRequest, protocol.checkResponse], { urn, news: writeStruct({}) }),
  ).rejects.toThrow("there is no resource type integration-platform:index:Tennant. There are: Tenant, ");
});

test("after Cancel nothing new begins", async () => {
  const call = open();
  await call("Handshake", handshake, currentEngine);
  await call("Configure", configure, { args: writeStruct(settings), name: "eu" });
  await call("Cancel", [protocol.empty, protocol.empty], {});
  const urn = "urn:pulumi:s::p::integration-platform:index:Tenant::acme";
  const request = { urn, properties: writeStruct({ integration: 101 }) };
  await expect(call("Create", [protocol.createRequest, protocol.createResponse], request)).rejects.toThrow(
    "the operation was cancelled",
  );
});

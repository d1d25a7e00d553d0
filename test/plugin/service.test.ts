import { setTimeout as sleep } from "node:timers/promises";
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Client, credentials, Metadata, Server, ServerCredentials, type sendUnaryData } from "@grpc/grpc-js";
import { expect, onTestFinished, test, vi } from "vitest";
import type { PluginLog } from "../../src/plugin/engine-log.ts";
import { createService } from "../../src/plugin/service.ts";
import {
  DiffResponse_DiffChanges,
  ErrorResourceInitFailedSchema,
  ResourceProvider,
} from "../../src/plugin/wire/protocol_pb.ts";
import { StatusSchema } from "../../src/plugin/wire/status_pb.ts";
import { readStruct, writeStruct } from "../../src/plugin/wire/struct.ts";
import { failureOf } from "../failure-of.ts";
import { stage } from "../resources/stage.ts";

const log: PluginLog = {
  send: () => {},
  sent: async () => {},
  forResource: (_urn, work) => work(),
};
const rpc = ResourceProvider.method;
const explicit = "urn:pulumi:s::p::pulumi:providers:integration-platform::eu";
const settings = { baseUrl: "https://platform.example.com", apiKey: "key" };
const currentEngine = { configureWithUrn: true, supportsRefreshBeforeUpdate: true };

const facts = { version: "1.2.3", engineAddress: "", schema: () => "{}" };

/** Calls a method as gRPC does: bytes in, bytes or an error out. */
function open(told: PluginLog = log) {
  const { implementation } = createService(told, facts);
  return async <Input extends DescMessage, Output extends DescMessage>(
    { name, input, output }: DescMethodUnary<Input, Output>,
    value: MessageInitShape<Input>,
  ) => {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const respond: sendUnaryData<Buffer> = (error, answer) => (answer ? resolve(answer) : reject(error));
      Reflect.apply(Object(implementation[name]), undefined, [
        { request: Buffer.from(toBinary(input, create(input, value))) },
        respond,
      ]);
    });
    return fromBinary(output, bytes);
  };
}

/** As {@link open}, through a server and a client of gRPC. */
async function serve() {
  const { definition, implementation } = createService(log, facts);
  const server = new Server();
  server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const asIs = (bytes: Buffer) => bytes;
  return {
    call: async <Input extends DescMessage, Output extends DescMessage>(
      { name, input, output }: DescMethodUnary<Input, Output>,
      value: MessageInitShape<Input>,
    ) => {
      const bytes = Buffer.from(toBinary(input, create(input, value)));
      const answer = await new Promise<Buffer>((resolve, reject) => {
        const path = `/pulumirpc.ResourceProvider/${name}`;
        const deadline = Date.now() + 10_000;
        client.makeUnaryRequest(path, asIs, asIs, bytes, { deadline }, (error, answered) =>
          answered ? resolve(answered) : reject(error),
        );
      });
      return fromBinary(output, answer);
    },
    [Symbol.dispose]: () => {
      client.close();
      server.forceShutdown();
    },
  };
}

test("the handshake announces secrets and autonaming, and no references or outputs", async () => {
  const call = open();
  expect(await call(rpc.handshake, currentEngine)).toMatchObject({
    acceptSecrets: true,
    acceptResources: false,
    acceptOutputs: false,
    supportsAutonamingConfiguration: true,
  });
});

test("an engine that is too old is told so, with the version that it needs", async () => {
  for (const engine of [undefined, {}, { configureWithUrn: true }]) {
    const call = open();
    if (engine) await call(rpc.handshake, engine);
    await expect(call(rpc.configure, { args: writeStruct(settings) })).rejects.toThrow(
      "this provider needs Pulumi 3.200.0 or later. Upgrade the Pulumi CLI",
    );
  }
});

test("a provider whose settings changed is updated, and never replaced with all that it has", async () => {
  const call = open();
  const olds = writeStruct(settings);
  const same = await call(rpc.diffConfig, { urn: explicit, olds, oldInputs: olds, news: olds });
  expect(same.changes).toBe(DiffResponse_DiffChanges.DIFF_NONE);
  for (const changed of [{ baseUrl: `${settings.baseUrl}/` }, { apiKey: "other" }, { connectedStatuses: "[]" }]) {
    const news = writeStruct({ ...settings, ...changed });
    const answer = await call(rpc.diffConfig, { urn: explicit, olds, oldInputs: olds, news });
    expect(answer).toMatchObject({ changes: DiffResponse_DiffChanges.DIFF_SOME, replaces: [], hasDetailedDiff: false });
  }
});

test("a resource of another platform's provider is refused, and not updated by its id there", async () => {
  const call = open();
  const olds = writeStruct({ ...settings, baseUrl: "https://other.example.com" });
  await expect(
    call(rpc.diffConfig, { urn: explicit, olds, oldInputs: olds, news: writeStruct(settings) }),
  ).rejects.toThrow("made on another platform (https://other.example.com) than https://platform.example.com");
});

test("the inputs of a default provider hold nothing of the stack's other config", async () => {
  const call = open();
  const answer = await call(rpc.checkConfig, {
    urn: "urn:pulumi:s::p::pulumi:providers:integration-platform::default_1_2_3",
    news: writeStruct({ ...settings, tenants: "{}", version: "1.2.3" }),
  });
  expect(readStruct(answer.inputs ?? new Uint8Array()).value).toEqual({ ...settings, version: "1.2.3" });
});

test("an address of the stack's config that the environment overrides is reported, and one of a program's provider holds", async () => {
  vi.stubEnv("INTEGRATION_PLATFORM_BASE_URL", "https://environment.example.com/");
  onTestFinished(() => void vi.unstubAllEnvs());
  const told: string[] = [];
  const call = open({ ...log, send: (severity, message) => told.push(`${severity}: ${message}`) });
  const addressOf = async (name: string, baseUrl: string) => {
    const urn = `urn:pulumi:s::p::pulumi:providers:integration-platform::${name}`;
    const { inputs } = await call(rpc.checkConfig, { urn, news: writeStruct({ ...settings, baseUrl }) });
    return readStruct(inputs ?? new Uint8Array()).value.baseUrl;
  };

  expect(await addressOf("eu", settings.baseUrl)).toBe(settings.baseUrl);
  expect(await addressOf("default", "https://environment.example.com")).toBe("https://environment.example.com/");
  expect(told).toEqual([]);
  expect(await addressOf("default_1_2_3", settings.baseUrl)).toBe("https://environment.example.com/");
  expect(told).toEqual([
    "warning: INTEGRATION_PLATFORM_BASE_URL (https://environment.example.com) wins over " +
      "integration-platform:baseUrl of the stack's config (https://platform.example.com)",
  ]);
});

test("the API key of a provider is a secret in the state, also where a program or the stack gives it as plain text", async () => {
  const call = open();
  for (const name of ["eu", "default_1_2_3"]) {
    const answer = await call(rpc.checkConfig, {
      urn: `urn:pulumi:s::p::pulumi:providers:integration-platform::${name}`,
      news: writeStruct(settings),
    });
    expect(readStruct(answer.inputs ?? new Uint8Array()).secretPaths).toEqual([["apiKey"]]);
  }
});

test("the keys of tenants that are one secret as a whole are a secret in a preview too", async () => {
  const call = open();
  await call(rpc.handshake, currentEngine);
  await call(rpc.configure, { args: writeStruct(settings), name: "eu" });
  const urn = "urn:pulumi:s::p::integration-platform:index:TenantFleet::all";
  const rollout = { release: { id: 501 } };
  const properties = writeStruct({ integration: 101, name: "all", tenants: { acme: {} }, rollout }, [["tenants"]]);
  const answer = await call(rpc.create, {
    urn,
    properties,
    preview: true,
  });
  expect(readStruct(answer.properties ?? new Uint8Array()).secretPaths.toSorted()).toEqual([
    ["rolloutPlan"],
    ["tenantIds"],
    ["tenants"],
  ]);
});

test("an error of a function does not quote a secret argument", async () => {
  await using on = await stage();
  const call = open();
  await call(rpc.handshake, currentEngine);
  const { url: baseUrl, apiKey } = on.emulator;
  await call(rpc.configure, { args: writeStruct({ baseUrl, apiKey }), name: "eu" });
  const args = writeStruct({ integration: 101, name: "the-secret-customer" }, [["name"]]);
  const error = await call(rpc.invoke, { tok: "integration-platform:index:getTenant", args }).catch(String);
  expect(error).toContain("[secret]");
  expect(error).not.toContain("the-secret-customer");
});

test("a resource type that does not exist is told with those that do", async () => {
  const call = open();
  await call(rpc.handshake, currentEngine);
  await call(rpc.configure, { args: writeStruct(settings), name: "eu" });
  const urn = "urn:pulumi:s::p::integration-platform:index:Tennant::acme";
  await expect(call(rpc.check, { urn, news: writeStruct({}) })).rejects.toThrow(
    "there is no resource type integration-platform:index:Tennant. There are: Tenant, ",
  );
});

test("a function that does not exist is told with those that do", async () => {
  const call = open();
  await call(rpc.handshake, currentEngine);
  await call(rpc.configure, { args: writeStruct(settings), name: "eu" });
  await expect(call(rpc.invoke, { tok: "integration-platform:index:getTennant" })).rejects.toThrow(
    "there is no function integration-platform:index:getTennant. There are: getIntegration, ",
  );
});

test("after Cancel nothing new begins", async () => {
  const call = open();
  await call(rpc.handshake, currentEngine);
  await call(rpc.configure, { args: writeStruct(settings), name: "eu" });
  await call(rpc.cancel, {});
  const urn = "urn:pulumi:s::p::integration-platform:index:Tenant::acme";
  const request = { urn, properties: writeStruct({ integration: 101 }) };
  await expect(call(rpc.create, request)).rejects.toThrow("the operation was cancelled");
});

test("Cancel lets the request that was sent end, and the answer has what was made", async () => {
  await using on = await stage();
  const { emulator } = on;
  emulator.fault({ kind: "delay", ms: 60_000, applied: true, match: { method: "POST", path: "^/v2/tenants$" } });
  const call = open();
  await call(rpc.handshake, currentEngine);
  const here = { baseUrl: emulator.url, apiKey: emulator.apiKey };
  await call(rpc.configure, { args: writeStruct(here), name: "eu" });
  const urn = "urn:pulumi:s::p::integration-platform:index:Tenant::acme";
  const inputs = { integration: "crm-to-billing", name: "acme", metadata: { plan: "gold" } };

  const creating = call(rpc.create, { urn, properties: writeStruct(inputs) }).catch((error: unknown) => error);
  while ((await on.live()).length === 0) await sleep(5);
  await call(rpc.cancel, {});
  emulator.clearFaults();
  const made = partOf(await creating);

  expect(made.reasons).toEqual([expect.stringContaining("cancelled")]);
  expect(readStruct(made.properties ?? new Uint8Array()).value).toMatchObject({ name: "acme", metadata: {} });
  expect(emulator.requests().filter(({ method }) => method !== "GET")).toMatchObject([{ method: "POST" }]);
});

test.each([
  ["a message that is cut within a character", `${"x".repeat(299)}😀😀`],
  ["half of a character", "\ud83d"],
  ["half of a character among others", "no \ud83d today"],
])("an error with %s is answered, with what was made", async (_, message) => {
  await using on = await stage();
  const { emulator } = on;
  emulator.fault({ kind: "status", status: 422, body: { message }, match: { method: "PATCH", path: "metadata$" } });
  using service = await serve();
  await service.call(rpc.handshake, currentEngine);
  const here = { baseUrl: emulator.url, apiKey: emulator.apiKey };
  await service.call(rpc.configure, { args: writeStruct(here), name: "eu" });
  const urn = "urn:pulumi:s::p::integration-platform:index:Tenant::acme";
  const inputs = { integration: "crm-to-billing", name: "acme", metadata: { plan: "gold" } };

  const error = await failureOf(service.call(rpc.create, { urn, properties: writeStruct(inputs) }));
  const made = partOf(error);

  expect(error.message).toContain("refused as invalid (status 422)");
  expect(made.reasons).toEqual([expect.stringContaining("refused as invalid (status 422)")]);
  expect(readStruct(made.properties ?? new Uint8Array()).value).toMatchObject({ name: "acme", metadata: {} });
  expect(await on.live()).toMatchObject([{ id: Number(made.id), name: "acme" }]);
});

/** The partial failure in an answer. */
function partOf(error: unknown) {
  const metadata: unknown = Reflect.get(Object(error), "metadata");
  if (!(metadata instanceof Metadata)) throw error;
  const [bytes] = metadata.get("grpc-status-details-bin");
  const [detail] = fromBinary(StatusSchema, Buffer.from(bytes ?? "")).details;
  const failed = detail && anyUnpack(detail, ErrorResourceInitFailedSchema);
  if (failed === undefined) throw error;
  return failed;
}

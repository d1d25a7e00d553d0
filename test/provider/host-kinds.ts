import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import struct, { type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import { providerText } from "../../src/resources/pulumi/platform-resource.ts";
import { type ProviderName, providerUnderTest, tokenOf } from "../engine/harness/provider-under-test.ts";

/** Properties of a resource, as a test writes them: the paths of secrets are listed in `secretPaths`. */
export type Properties = Record<string, JavaScriptValue>;
export type Member = Parameters<typeof providerText>[0];

/** What differs between the processes that the engine starts for the two providers. */
export interface HostKind {
  readonly script: string;
  /** Properties as the engine sends them. */
  toWire(properties: Properties, member: Member): struct.Struct;
  /** Properties without what the engine or the host adds, in the form in which a test sends them again. */
  fromWire(properties: Properties): Properties;
  /** What the engine sends first, if it sends anything. */
  handshake(engineAddress: string): provider.ProviderHandshakeRequest | undefined;
  configureRequest(config: Readonly<Record<string, string>>): provider.ConfigureRequest;
}

const types: Record<Member, string> = {
  tenant: "Tenant",
  tenantMetadata: "TenantMetadata",
  build: "Build",
  syncTrigger: "SyncTrigger",
  tenantFleet: "TenantFleet",
  fleetRollout: "FleetRollout",
};

/** The URN of a resource. The dynamic host does not get one that it could use. */
export function urnOf(member: Member, name: string, stack = "test"): string {
  return `urn:pulumi:${stack}::throw-away::${tokenOf(types[member], "native")}::${name}`;
}

/** What a diff of different inputs answers: the host of dynamic providers lets the engine compare them. */
export const changedInputs = providerUnderTest === "native" ? 2 : 0;

/** The property with which the engine finds a dynamic provider's code, and which each answer must have. */
export function codeProperty(member: Member): string | undefined {
  return providerUnderTest === "native" ? undefined : providerText(member);
}

/** The engine's mark of a secret. */
export const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const [signature = ""] = Object.keys(secretMark);

export const hostKinds: Readonly<Record<ProviderName, HostKind>> = {
  dynamic: {
    script: createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js"),
    toWire: (properties, member) => struct.Struct.fromJavaScript({ ...properties, __provider: providerText(member) }),
    fromWire: ({ __provider, ...rest }) => {
      if (typeof __provider !== "string" && Object.keys(rest).length > 0)
        throw new Error("the provider's text is gone");
      return rest;
    },
    handshake: () => undefined,
    configureRequest: (config) => new provider.ConfigureRequest().setArgs(struct.Struct.fromJavaScript({ ...config })),
  },
  native: {
    script: fileURLToPath(new URL("../../src/plugin/main.ts", import.meta.url)),
    toWire: (properties) => struct.Struct.fromJavaScript(withMarks(properties)),
    fromWire: (properties) =>
      Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inClear(value)])),
    handshake: (engineAddress) =>
      new provider.ProviderHandshakeRequest()
        .setEngineAddress(engineAddress)
        .setConfigureWithUrn(true)
        .setSupportsRefreshBeforeUpdate(true)
        .setInvokeWithPreview(true),
    configureRequest: (config) => {
      const own = Object.entries(config).map(([key, value]) => [key.replace("integration-platform:", ""), value]);
      return new provider.ConfigureRequest()
        .setArgs(struct.Struct.fromJavaScript(Object.fromEntries(own)))
        .setAcceptsecrets(true)
        .setAcceptresources(true)
        .setSendsOldInputs(true)
        .setSendsOldInputsToDelete(true)
        .setName("default_0_1_0")
        .setType("pulumi:providers:integration-platform")
        .setUrn("urn:pulumi:test::throw-away::pulumi:providers:integration-platform::default_0_1_0");
    },
  },
};

/** Marks the values at `secretPaths`, and those of a fleet's tenants. */
function withMarks({ secretPaths, ...properties }: Properties): Properties {
  const { tenants } = properties;
  const paths = isList(secretPaths) ? secretPaths.filter(isList) : [];
  const marked = paths.reduce<JavaScriptValue>((value, path) => markedAt(value, path.map(String)), properties);
  const own = isObject(marked) ? marked : {};
  if (!isObject(tenants)) return own;
  const entries = Object.entries(tenants).map(([key, entry]) => [key, isObject(entry) ? withMarks(entry) : entry]);
  return { ...own, tenants: Object.fromEntries(entries) };
}

function markedAt(value: JavaScriptValue, [key, ...rest]: readonly string[]): JavaScriptValue {
  if (key === undefined) return { ...secretMark, value };
  if (isList(value)) return value.map((item, index) => (String(index) === key ? markedAt(item, rest) : item));
  return isObject(value) ? { ...value, [key]: markedAt(value[key] ?? null, rest) } : value;
}

function inClear(value: JavaScriptValue): JavaScriptValue {
  if (isList(value)) return value.map(inClear);
  if (!isObject(value)) return value;
  if (signature in value) return inClear(value.value ?? null);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inClear(item)]));
}

function isList(value: JavaScriptValue | undefined): value is JavaScriptValue[] {
  return Array.isArray(value);
}

function isObject(value: JavaScriptValue | undefined): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

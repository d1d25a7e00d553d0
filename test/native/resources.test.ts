import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";
import * as dynamic from "../../src/index.ts";
import * as native from "../../src/native/index.ts";
import { inClear } from "../receiver/mocked-program.ts";
import { resolved } from "../stack/stack-folder.ts";

interface Registration {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  provider?: string | undefined;
  id?: string | undefined;
}

const registrations: Registration[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    call: ({ inputs }) => inputs,
    newResource: ({ type, name, inputs, provider, id }) => {
      registrations.push({ type, name, inputs, provider, id });
      return { id: id || "5001", state: { ...inputs, tenantId: 5001, schedule: "0 5 * * *" } };
    },
  }),
);

/** What the program registers with the engine for a resource that `make` constructs. */
async function registrationOf(make: (options: pulumi.CustomResourceOptions) => pulumi.CustomResource) {
  let options: pulumi.CustomResourceOptions = {};
  const seeOptions: pulumi.ResourceTransformation = ({ opts }) => {
    options = opts;
    return undefined;
  };
  const resource = make({ transformations: [seeOptions] });
  await resolved(resource.urn);
  const registration = registrations.findLast(({ name }) => name === nameOf(resource));
  return { resource, options, ...registration };
}

function nameOf(resource: pulumi.Resource): unknown {
  return Reflect.get(resource, "__name");
}

const token = () => pulumi.secret("t0ken");

type Classes = Pick<typeof dynamic, "Tenant" | "TenantMetadata" | "Build" | "SyncTrigger" | "TenantFleet">;
type Make = (classes: Classes, options: pulumi.CustomResourceOptions) => pulumi.CustomResource;

const makes: Record<keyof Classes, Make> = {
  Tenant: ({ Tenant }, options) =>
    new Tenant("acme", { integration: 101, release: 7, configs: { region: "eu", token: token() } }, options),
  TenantMetadata: ({ TenantMetadata }, options) =>
    new TenantMetadata("acme-plan", { tenantId: 5, data: { plan: token() } }, options),
  Build: ({ Build }, options) => new Build("v1", { integrationId: 101, tag: "v1" }, options),
  SyncTrigger: ({ SyncTrigger }, options) =>
    new SyncTrigger("acme-sync", { tenantId: 5, mode: "init", payload: { token: token() } }, options),
  TenantFleet: ({ TenantFleet }, options) =>
    new TenantFleet("billing", { integration: 101, tenants: { acme: { configs: { token: token() } } } }, options),
};

const inputs: Record<keyof Classes, object> = {
  Tenant: { integration: 101, release: { id: 7 }, configs: "[secret]" },
  TenantMetadata: { tenantId: 5, data: "[secret]" },
  Build: { integrationId: 101, tag: "v1" },
  SyncTrigger: { tenantId: 5, mode: "init", payload: "[secret]" },
  TenantFleet: { integration: 101, tenants: "[secret]" },
};

describe.each(Object.entries(makes))("a native %s", (type, make) => {
  test("is the plugin's, with only what a program says of it", async () => {
    const registered = await registrationOf((options) => make(native, options));
    expect(registered.type).toBe(`integration-platform:index:${type}`);
    expect(known(inClear(registered.inputs))).toEqual(known(inputsOf(type)));
  });

  test("asks for the plugin of the package's version", async () => {
    const { options } = await registrationOf((options) => make(native, options));
    expect(options.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("is a dynamic one too, with the same options", async () => {
    const of = await registrationOf((options) => make(native, { ...options, protect: true }));
    const dynamicOne = await registrationOf((options) => make(dynamic, { ...options, protect: true }));
    expect(of.resource).toBeInstanceOf(Object(dynamicOne.resource).constructor);
    expect(of.options.protect).toBe(true);
    expect(of.options.deleteBeforeReplace).toBe(dynamicOne.options.deleteBeforeReplace);
  });

  test("and the dynamic one are aliases of each other, with their former names", async () => {
    const former = (options: pulumi.CustomResourceOptions) => ({
      ...options,
      aliases: [{ name: "former" }, pulumi.output("urn:pulumi:s::p::a:b:C::x")],
    });
    const other = `pulumi-nodejs:dynamic/integration-platform:${type}`;
    const own = `integration-platform:index:${type}`;
    const expected = (alias: string) => [
      { name: "former" },
      "urn:pulumi:s::p::a:b:C::x",
      { type: alias },
      { name: "former", type: alias },
      "urn:pulumi:s::p::a:b:C::x",
    ];
    const nativeOne = await registrationOf((options) => make(native, former(options)));
    const dynamicOne = await registrationOf((options) => make(dynamic, former(options)));
    expect(await resolved(pulumi.output(nativeOne.options.aliases))).toEqual(expected(other));
    expect(await resolved(pulumi.output(dynamicOne.options.aliases))).toEqual(expected(own));
  });
});

test("a former URN is one of either provider", async () => {
  const urn = "urn:pulumi:test::p::my:index:Shop$integration-platform:index:Tenant::old";
  const { options } = await registrationOf(
    (given) => new native.Tenant("acme", { integration: 101 }, { ...given, aliases: [urn] }),
  );
  expect(options.aliases).toContain(
    "urn:pulumi:test::p::my:index:Shop$pulumi-nodejs:dynamic/integration-platform:Tenant::old",
  );
});

test("a name that the program gives is an input", async () => {
  const { inputs } = await registrationOf(
    (options) => new native.Tenant("acme", { integration: 101, name: "acme-corp" }, options),
  );
  expect(inputs).toMatchObject({ name: "acme-corp" });
});

test("get reads an existing tenant by its id alone, with an output for each setting", async () => {
  let found: native.Tenant | undefined;
  const { inputs, id } = await registrationOf((options) => {
    found = native.Tenant.get("existing", "5001", options);
    return found;
  });
  expect(id).toBe("5001");
  expect(known(inputs)).toEqual({});
  expect(found?.schedule && (await resolved(found.schedule))).toBe("0 5 * * *");
});

test("a provider of its own takes a secret key and lists, and serves the children of a component", async () => {
  const eu = new native.Provider("eu", {
    baseUrl: "https://eu.platform.example",
    apiKey: "a key",
    allowInsecureHttp: ["eu.platform.example"],
    connectedStatuses: pulumi.output(["linked"]),
    failedStatuses: ["broken"],
  });
  await resolved(eu.urn);
  expect(registrations.at(-1)).toMatchObject({ type: "pulumi:providers:integration-platform", name: "eu" });
  expect(known(inClear(registrations.at(-1)?.inputs))).toEqual({
    baseUrl: "https://eu.platform.example",
    apiKey: "[secret]",
    allowInsecureHttp: '["eu.platform.example"]',
    connectedStatuses: '["linked"]',
    failedStatuses: '["broken"]',
  });
  const parent = new pulumi.ComponentResource("my:index:Shop", "shop", {}, { providers: [eu] });
  const child = await registrationOf(
    (options) => new native.Tenant("child", { integration: 101 }, { ...options, parent }),
  );
  expect(child.provider).toContain("pulumi:providers:integration-platform::eu::");
});

test("everything else is that of the package's main entry point", () => {
  const { Provider: _, ...rest } = native;
  expect(Object.keys(rest).sort()).toEqual(Object.keys(dynamic).sort());
  expect(native.getTenant).toBe(dynamic.getTenant);
});

function inputsOf(type: string): object {
  return Object.entries(inputs).find(([name]) => name === type)?.[1] ?? {};
}

/** The properties that have a value. */
function known(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? {}));
}

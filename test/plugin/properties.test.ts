import { expect, test } from "vitest";
import {
  declaredInputs,
  forEngine,
  inputsForEngine,
  inputsFromEngine,
  ownState,
  stateForEngine,
  stateFromEngine,
  withListedSecrets,
} from "../../src/plugin/properties.ts";

const urn = (parents: string, name: string) => `urn:pulumi:s::p::${parents}integration-platform:index:Tenant::${name}`;
const none = { value: {}, secretPaths: [] };

test("inputs have the resource's logical name, unless it is the declared name", () => {
  const inputs = { value: { name: "acme" }, secretPaths: [] };
  expect(inputsFromEngine("Tenant", urn("", "acme"), inputs)).toEqual({ name: "acme" });
  expect(inputsFromEngine("Tenant", urn("", "a::b"), inputs)).toEqual({ name: "acme", logicalName: "a::b" });
  expect(inputsFromEngine("Tenant", urn("my:Team$my:Group$", "acme"), inputs)).toEqual({
    name: "acme",
    logicalName: "my:Team$my:Group$acme",
  });
  expect(inputsFromEngine("Build", urn("", "b"), none)).toEqual({});
});

test("what a dynamic provider stored is left out, and its logical name kept in the state", () => {
  const dynamic = {
    value: { name: "acme", logicalName: "x", secretPaths: [["configs"]], __provider: "code", platform: "12345678" },
    secretPaths: [],
  };
  expect(declaredInputs(dynamic).value).toEqual({ name: "acme", platform: "12345678" });
  expect(stateFromEngine("Tenant", dynamic, none)).toEqual({ name: "acme", logicalName: "x", platform: "12345678" });
});

test("what only a dynamic provider stores is no part of a state", () => {
  const state = { name: "acme", secretPaths: [["configs"]], __provider: "code", platform: "12345678" };
  expect(ownState({ value: state, secretPaths: [["configs"]] })).toEqual({
    value: { name: "acme" },
    secretPaths: [["configs"]],
  });
});

test("a state's secrets are those of its inputs, in order and once", () => {
  const state = { value: { configs: { a: 1, b: 2 } }, secretPaths: [["tenantId"]] };
  const inputs = {
    value: {},
    secretPaths: [
      ["configs", "b"],
      ["configs", "a"],
      ["configs", "b"],
    ],
  };
  expect(stateFromEngine("Tenant", state, inputs).secretPaths).toEqual([
    ["configs", "a"],
    ["configs", "b"],
  ]);
});

test("a value that differs from the inputs, as after a partial update, is a secret if the state says so", () => {
  const configs = { region: "eu", token: "t" };
  const state = { value: { configs, tenantId: 5001 }, secretPaths: [["configs", "token"], ["tenantId"]] };
  const before = { value: { configs: { region: "eu" } }, secretPaths: [] };
  expect(stateFromEngine("Tenant", state, before).secretPaths).toEqual([["configs", "token"]]);
  const marked = { value: { configs }, secretPaths: [["configs"]] };
  expect(stateFromEngine("Tenant", marked, { value: { configs }, secretPaths: [] }).secretPaths).toBeUndefined();
  const fleet = {
    value: { tenants: { acme: { configs, tenantId: 5001 } }, tenantIds: {} },
    secretPaths: [["tenants"], ["tenantIds"]],
  };
  const declared = { value: { tenants: { acme: { configs } } }, secretPaths: [] };
  expect(stateFromEngine("TenantFleet", fleet, declared).secretPaths).toBeUndefined();
});

test("an output that the program asks to be a secret is no secret of the inputs", () => {
  for (const [type, key] of [
    ["SyncTrigger", "triggerId"],
    ["Tenant", "integrationId"],
    ["TenantFleet", "tenantIds"],
  ] as const) {
    const state = { value: { [key]: 1 }, secretPaths: [[key]] };
    expect(stateFromEngine(type, state, none)).toEqual({ [key]: 1 });
  }
});

test("a sync's outcome that a program makes a secret is no changed input", () => {
  const inputs = { value: { tenantId: 5001, mode: "normal" }, secretPaths: [] };
  const reported = { triggerId: "t", status: "done", outcome: "succeeded", secondsWaited: 2 };
  const secretPaths = Object.keys(reported).map((key) => [key]); // by additionalSecretOutputs
  const state = { value: { ...inputs.value, ...reported }, secretPaths };
  expect(stateFromEngine("SyncTrigger", state, inputs).secretPaths).toBeUndefined();
});

test("a fleet's tenants have their own secrets, there and back", () => {
  const tenants = { acme: { configs: { token: "t" } }, other: {} };
  const secretPaths = [
    ["tenants", "acme", "configs", "token"],
    ["tenants", "other"],
  ];
  const fleetUrn = "urn:pulumi:s::p::integration-platform:index:TenantFleet::fleet";
  const inputs = inputsFromEngine("TenantFleet", fleetUrn, { value: { name: "fleet", tenants }, secretPaths });
  expect(inputs).toEqual({
    name: "fleet",
    tenants: { acme: { ...tenants.acme, secretPaths: [["configs", "token"]] }, other: {} },
    secretPaths: [["tenants", "other"]],
  });
  const back = inputsForEngine(inputs);
  expect(back.value).toEqual({ name: "fleet", tenants });
  expect(back.secretPaths).toEqual(expect.arrayContaining(secretPaths));
});

test("the ids and the plan of tenants that are one secret as a whole are secrets", () => {
  const state = { tenants: {}, tenantIds: {}, rolloutPlan: {}, secretPaths: [["tenants"]] };
  expect(forEngine(state).secretPaths).toEqual(expect.arrayContaining([["tenantIds"], ["rolloutPlan"]]));
});

test("what was a secret before stays one in a partial state", () => {
  const before = { value: {}, secretPaths: [["configs", "old"]] };
  expect(forEngine({ configs: { old: 1 } }, [before]).secretPaths).toEqual([["configs", "old"]]);
});

test("a state lists the places of secrets without a value, so that a later value there is one", () => {
  const paths = [
    ["configs", "gone"],
    ["configs", "login", "password"],
    ["configs", "login", "pin"],
    ["configs", "token"],
    ["rolloutPlan"],
    ["tenants", "acme", "configs", "login", "pin"],
    ["tenants", "acme", "configs", "other"],
  ];
  const value = {
    configs: { login: { user: "u", pin: 1 }, token: null },
    tenants: { acme: { configs: { login: { user: "u" } } } },
  };
  const before = { value: {}, secretPaths: paths };
  const listed = [
    ["configs", "login", "password"],
    ["configs", "token"],
    ["tenants", "acme", "configs", "login", "pin"],
  ];
  const state = stateForEngine(value, [before]);
  expect(state).toEqual({ value: { ...value, secretPaths: listed }, secretPaths: paths });
  expect(withListedSecrets({ ...state, secretPaths: [] }).secretPaths).toEqual(listed);
  expect(inputsForEngine(value, before).value).toEqual(value);
  const set = { configs: { ...value.configs, login: { password: "p" }, token: "t" }, secretPaths: listed };
  expect(withListedSecrets({ value: set, secretPaths: [] }).secretPaths).toEqual([]);
  expect(
    stateForEngine({ configs: { login: { password: "p", pin: 1 }, token: "t" } }, [before]).value,
  ).not.toHaveProperty("secretPaths");
});

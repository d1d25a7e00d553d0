import { expect, test } from "vitest";
import { connectionSettings } from "../../src/connection/connection-settings.ts";
import { unknownValue } from "../../src/json/unknown.ts";
import { addressProblem, checkProviderConfig, providerConfig } from "../../src/plugin/provider-config.ts";

const own = { baseUrl: "https://own.example.com", apiKey: "own-key" };
const environment: NodeJS.ProcessEnv = {
  INTEGRATION_PLATFORM_BASE_URL: "https://environment.example.com",
  INTEGRATION_PLATFORM_API_KEY: "environment-key",
};

function settingsOf(name: string, inputs: object, variables: NodeJS.ProcessEnv = environment) {
  const config = providerConfig(name, { ...inputs }, variables);
  const { baseUrl, apiKey } = connectionSettings(config.setting, config.environment, config.place);
  return { baseUrl, apiKey };
}

function check(name: string, news: object, { olds = {}, variables = environment } = {}) {
  return checkProviderConfig({ name, olds, news: { ...news } }, variables);
}

/** Names as the engine makes them of a version, of a download address, and of both (ProviderRequest.DefaultName). */
const engineNames = [
  "default_0_1_0",
  "default_1_2_3_alpha_4_build",
  "default_https_/example.com/plugins",
  "default_github_/api.github.com/pulumiverse",
  "default_0_1_0_https_/example.com/plugins",
];

test("the environment wins for a default provider, as it does for dynamic providers", () => {
  const expected = { baseUrl: "https://environment.example.com", apiKey: "environment-key" };
  expect(settingsOf("default", own)).toEqual(expected);
  for (const name of engineNames) expect(settingsOf(name, own), name).toEqual(expected);
});

test("a provider that the program makes has its own settings, and the environment's for the rest", () => {
  expect(settingsOf("eu", own)).toEqual(own);
  expect(settingsOf("eu", { baseUrl: own.baseUrl })).toEqual({ baseUrl: own.baseUrl, apiKey: "environment-key" });
  expect(settingsOf("eu", { apiKey: "k" })).toEqual({ baseUrl: "https://environment.example.com", apiKey: "k" });
});

test("a provider that the program makes has its own settings also if its name begins like that of a default one", () => {
  for (const name of ["default-eu", "default_eu", "default_1", "defaultEu", "defaults"])
    expect(settingsOf(name, own), name).toEqual(own);
});

test("a default provider keeps only its own settings of the stack's config, and the address that it will use", () => {
  const news = { ...own, tenants: "{}", fleets: "{}", version: "0.1.0" };
  expect(check("default", news).inputs).toEqual({
    ...own,
    version: "0.1.0",
    baseUrl: "https://environment.example.com",
  });
});

test("a provider with an unknown setting, without an address or with a wrong one is refused in plain words", () => {
  const reasonOf = (news: object, variables: NodeJS.ProcessEnv = {}) =>
    check("eu", news, { variables }).failures.map(({ reason }) => reason);
  expect(reasonOf({ ...own, baseURL: "secret" })).toEqual([
    'baseURL: is not an input of a provider; did you mean "baseUrl"?',
  ]);
  expect(reasonOf({ apiKey: "k" })).toEqual([
    'no base URL of the integration platform: set INTEGRATION_PLATFORM_BASE_URL, or give the provider "eu" its baseUrl',
  ]);
  expect(reasonOf({ baseUrl: own.baseUrl })[0]).toMatch(/^no API key .* or give the provider "eu" its apiKey\./);
  expect(reasonOf({ ...own, baseUrl: "http://platform.example.com" })[0]).toMatch(/plain http/);
  expect(reasonOf({ ...own, connectedStatuses: "[1]" })[0]).toMatch(/connectedStatuses must be a list/);
  expect(reasonOf({ ...own, succeededStatuses: "[1]" })[0]).toMatch(/succeededStatuses must be a list/);
  expect(check("default", {}, { variables: {} }).failures[0]?.reason).toMatch(/pulumi config set/);
});

test("lists may be lists or JSON", () => {
  for (const words of [["linked"], '["linked"]']) {
    expect(check("eu", { ...own, connectedStatuses: words }).failures).toEqual([]);
  }
});

test("settings that a preview does not know yet are not checked", () => {
  expect(check("eu", { baseUrl: unknownValue, apiKey: unknownValue }, { variables: {} })).toEqual({
    inputs: { baseUrl: unknownValue, apiKey: unknownValue },
    failures: [],
  });
});

test("another address than the stored one is refused, unless the user says that the platform has moved", () => {
  const olds = { baseUrl: "https://old.example.com/" };
  expect(check("eu", own, { olds }).failures[0]?.reason).toMatch(
    /made on another platform \(https:\/\/old\.example\.com\) than https:\/\/own\.example\.com \(from baseUrl of the provider "eu"\)/,
  );
  const moved = { ...environment, INTEGRATION_PLATFORM_MOVED_FROM: "https://old.example.com" };
  expect(check("eu", own, { olds, variables: moved }).failures).toEqual([]);
  expect(check("eu", own, { olds: { baseUrl: "https://own.example.com/" } }).failures).toEqual([]);
});

test("a provider of a state is not used with another address of the environment", () => {
  const stored = providerConfig("default", own, environment);
  expect(addressProblem(stored, own.baseUrl)).toMatch(/from INTEGRATION_PLATFORM_BASE_URL/);
  expect(addressProblem(providerConfig("eu", own, environment), own.baseUrl)).toBeUndefined();
  expect(addressProblem(providerConfig("default", own, {}), own.baseUrl)).toBeUndefined();
});

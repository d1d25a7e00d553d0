import { expect, test } from "vitest";
import { ConfigurationError } from "../../src/api/index.ts";
import { connectionSettings, connectorWords, runWords } from "../../src/connection/connection-settings.ts";

const required = { baseUrl: "https://platform.example.com", apiKey: "k3y" };

function configOf(values: Record<string, string>) {
  const all = new Map(Object.entries({ ...required, ...values }));
  return (key: string) => all.get(key);
}

test.each([
  [undefined, []],
  ["gateway.internal", ["gateway.internal"]],
  ['["a.internal", "b.internal:8080"]', ["a.internal", "b.internal:8080"]],
])("allowInsecureHttp %j is read as %j", (value, hosts) => {
  const config = configOf(value === undefined ? {} : { allowInsecureHttp: value });
  expect(connectionSettings(config, {})).toEqual({ ...required, allowInsecureHttp: hosts });
});

test.each(["[1]", "[", '[["a"]]'])("a list of strings cannot be %s", (value) => {
  expect(() => connectionSettings(configOf({ allowInsecureHttp: value }), {})).toThrow(ConfigurationError);
  expect(() => connectorWords(configOf({ connectedStatuses: value }))).toThrow(/connectedStatuses must be a list/);
  expect(() => runWords(configOf({ failedStatuses: value }))).toThrow(/failedStatuses must be a list/);
});

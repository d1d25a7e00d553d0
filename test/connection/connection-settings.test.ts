import { expect, test } from "vitest";
import { ConfigurationError } from "../../src/api/index.ts";
import {
  connectionSettings,
  connectorWords,
  consistencyTimeout,
  runWords,
  schemaViolations,
} from "../../src/connection/connection-settings.ts";

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

test.each([
  [undefined, {}],
  ["", {}],
  ["60", { consistencyTimeoutSeconds: 60 }],
  ["0.5", { consistencyTimeoutSeconds: 0.5 }],
])("INTEGRATION_PLATFORM_CONSISTENCY_SECONDS=%j is read as %j", (value, timeout) => {
  expect(consistencyTimeout({ INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: value })).toEqual(timeout);
});

test.each(["0", "-1", "601", "ten", "Infinity", "1e999"])(
  "INTEGRATION_PLATFORM_CONSISTENCY_SECONDS=%s is refused",
  (value) => {
    const read = () => consistencyTimeout({ INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(`a number of seconds, 600 at most; it is "${value}"`);
  },
);

test("schemaViolations is one of three words, or nothing", () => {
  expect(schemaViolations(configOf({ schemaViolations: "off" }))).toEqual({ schemaViolations: "off" });
  expect(schemaViolations(configOf({}))).toEqual({});
  expect(() => schemaViolations(configOf({ schemaViolations: "ignore" }))).toThrow(
    'integration-platform:schemaViolations must be "error", "warn" or "off"',
  );
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/api/index.ts";
import { platformFacts, requiredFacts } from "../../src/connection/platform-facts.ts";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { openProfile } from "../../src/platform-profile/open-profile.ts";
import { questions } from "../../src/platform-profile/questions.ts";

const here = "https://platform.example.com";
const folder = mkdtempSync(join(tmpdir(), "profile-"));

function written(content: unknown): string {
  writeFileSync(join(folder, "platform.json"), typeof content === "string" ? content : JSON.stringify(content));
  return "platform.json";
}

function profileWith(answers: object, more: object = {}): object {
  return { version: 1, baseUrl: here, answers, ...more };
}

const measured = (answer: unknown) => ({ answer, basis: "measured" });

describe("a profile", () => {
  test("answers each of its questions", () => {
    const path = written(profileWith({ "configs.patch": measured("merge"), "reads.lagSeconds": measured(3) }));
    expect(openProfile(path, folder, `${here}/`)).toEqual({
      answers: { "configs.patch": "merge", "reads.lagSeconds": 3 },
    });
  });

  test("that is not named answers nothing", () => {
    expect(openProfile(undefined, folder, here)).toEqual({ answers: {} });
  });

  test.each<[what: string, content: unknown, problem: string]>([
    ["is no JSON", "{", "platform.json is JSON that is cut short or malformed"],
    ["is a list", "[]", "platform.json"],
    ["has another version", profileWith({}, { version: 2 }), "platform.json: version must be 1, the only version"],
    [
      "has an unknown question",
      profileWith({ "config.patch": measured("merge") }),
      "answers.config.patch is not a question",
    ],
    [
      "has an unknown answer",
      profileWith({ "configs.patch": measured("deep") }),
      'answers.configs.patch.answer must be "merge"',
    ],
    ["has an unknown part", profileWith({}, { extra: 1 }), "platform.json: extra is not a part of a profile"],
    ["has no basis", profileWith({ "configs.patch": { answer: "merge" } }), "answers.configs.patch.basis"],
    [
      "is of another address",
      profileWith({}, { baseUrl: "https://other.example.com" }),
      "is the profile of https://other",
    ],
  ])("that %s is refused with the place", (_, content, problem) => {
    const opened = openProfile(written(content), folder, here);
    expect(opened.answers).toEqual({});
    expect(opened.problem).toContain(problem);
  });

  test("that is not there is refused", () => {
    expect(openProfile("gone.json", folder, here).problem).toBe("the profile gone.json cannot be read (ENOENT)");
  });

  test("has a description for each question", () => {
    expect(questions.length).toBeGreaterThan(10);
    for (const [, { question, use, otherwise }] of questions) expect([question, use, otherwise]).not.toContain("");
  });
});

describe("the facts of a platform", () => {
  const place = { environment: {}, directory: folder, baseUrl: here };
  const factsOf = (config: Record<string, string>, environment: NodeJS.ProcessEnv = {}) =>
    platformFacts((key) => config[key], { ...place, environment }).facts;

  test("have the words of the config before those of the profile", () => {
    const answers = {
      "connectors.words": measured({ connected: ["linked", "odd"], notConnected: ["unlinked"] }),
      "runs.words": measured({ succeeded: ["Processed"], failed: ["Broken"] }),
    };
    const facts = factsOf({ platform: written(profileWith(answers)), notConnectedStatuses: "odd" });
    expect(facts.connectorWords).toEqual({ connectedStatuses: ["linked"], notConnectedStatuses: ["odd", "unlinked"] });
    expect(facts.runWords).toEqual({ succeededStatuses: ["Processed"], failedStatuses: ["Broken"] });
  });

  test.each([
    [0.2, {}, 10],
    [25, {}, 25],
    [25, { INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: "40" }, 40],
    [25, { INTEGRATION_PLATFORM_CONSISTENCY_SECONDS: "5" }, 25],
  ])("wait for writes at least as long as lists have lagged: %s s", (lag, environment, seconds) => {
    const platform = written(profileWith({ "reads.lagSeconds": measured(lag) }));
    const client = createClient({ baseUrl: here, apiKey: "key" });
    const context = createOperationContext({ client, warn: () => {}, ...factsOf({ platform }, environment) });
    expect(context.consistencyTimeoutSeconds).toBe(seconds);
  });

  test("make violations warnings where the platform accepts them, unless the stack says otherwise", () => {
    const platform = written(profileWith({ "schemas.enforced": measured("no") }));
    expect(factsOf({ platform }).schemaViolations).toBe("warn");
    expect(factsOf({ platform, schemaViolations: "error" }).schemaViolations).toBe("error");
  });

  test("come from the profile that the environment names", () => {
    const platform = written(profileWith({ "configs.patch": measured("merge") }));
    expect(factsOf({ platform: "gone.json" }, { INTEGRATION_PLATFORM_PROFILE: platform }).platform).toEqual({
      "configs.patch": "merge",
    });
  });

  test("are required before a change", () => {
    const config = (key: string) => (key === "platform" ? "gone.json" : undefined);
    expect(() => requiredFacts(config, place)).toThrow("the profile gone.json cannot be read");
    expect(platformFacts(config, place).facts.platform).toEqual({});
  });
});

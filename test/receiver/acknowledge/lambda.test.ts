import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { urlEvent } from "../../aws/runtime/url-event.ts";
import { sha256 } from "../sha256.ts";

const digests = [sha256("one"), sha256("two")];
const environment = {
  QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/1/q",
  LEDGER_TABLE: "events-ledger",
  TOKEN_DIGESTS: digests.join(","),
  ALLOWED_SOURCES: undefined,
};

afterEach(() => void vi.unstubAllEnvs());

/** Loads the entry point as AWS Lambda does at a cold start. */
async function coldStart(changes: Record<string, string | undefined> = {}) {
  vi.resetModules();
  for (const [name, value] of Object.entries({ ...environment, ...changes })) vi.stubEnv(name, value);
  return import("../../../src/receiver/acknowledge/lambda.ts");
}

describe("the environment of the acknowledging function", () => {
  test("holds one digest or two, and by default allows every source", async () => {
    const { environmentSchema } = await coldStart();
    const { TOKEN_DIGESTS: both } = environmentSchema.parse(environment);
    expect(both.map((digest) => digest.toString("hex"))).toEqual(digests);
    const { TOKEN_DIGESTS: one, ALLOWED_SOURCES } = environmentSchema.parse({
      ...environment,
      TOKEN_DIGESTS: digests[0],
    });
    expect(one).toHaveLength(1);
    expect(ALLOWED_SOURCES("192.0.2.7")).toBe(true);
  });

  test.each([
    { TOKEN_DIGESTS: "" },
    { TOKEN_DIGESTS: "kq3vWm0R8sJd2LxYb7NcTg" },
    { TOKEN_DIGESTS: `${digests.join(",")},${digests[0]}` },
    { TOKEN_DIGESTS: `${digests[0]},` },
    { TOKEN_DIGESTS: undefined },
    { QUEUE_URL: "" },
    { LEDGER_TABLE: "" },
    { ALLOWED_SOURCES: "everybody" },
  ])("fails the cold start with %j", async (changes) => {
    await expect(coldStart(changes)).rejects.toThrow(Object.keys(changes)[0]);
  });
});

test("logs what it throws, such as for a test event of the AWS console, and does not quote the event", async () => {
  const { handler } = await coldStart();
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const event = { ...urlEvent({ body: "confidential" }), requestContext: {} };
  await expect(Reflect.apply(handler, undefined, [event])).rejects.toThrow("the event is a request neither");
  const logged = String(write.mock.calls.flat()[0]);
  expect(JSON.parse(logged)).toMatchObject({
    level: "error",
    message: "invocation failed",
    error: { name: "Error", message: expect.stringContaining("the event is a request neither") },
  });
  expect(logged).not.toContain("confidential");
});

import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openResolvers } from "../../src/secrets/open-resolvers.ts";
import { createSecretValues } from "../../src/secrets/secret-values.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";

// The resolver of AWS Secrets Manager against moto, which implements its API.

let moto: Moto;
let secrets: SecretsManagerClient;

beforeAll(() =>
  endAfterTests(async (open) => {
    moto = open.use(await startMoto());
    secrets = new SecretsManagerClient(moto.client);
  }),
);
beforeEach(() => {
  for (const [name, value] of Object.entries(moto.env)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Resolves as a new operation does. */
function resolve(ref: string, version?: string | number) {
  const resolvers = openResolvers({ environment: {}, directory: "/nowhere", modules: {}, allowInsecureHttp: [] });
  const values = createSecretValues({ resolvers, register: () => {}, signal: new AbortController().signal });
  return values.resolve({ ref: `aws-secretsmanager:${ref}`, version });
}

test("a secret is resolved by its name or its ARN, in the version that is declared", async () => {
  const { ARN = "", VersionId: first = "" } = await secrets.send(
    new CreateSecretCommand({ Name: "acme/token", SecretString: "first" }),
  );
  await secrets.send(new PutSecretValueCommand({ SecretId: "acme/token", SecretString: "second" }));
  expect(await resolve("acme/token")).toEqual({ value: "second" });
  expect(await resolve(ARN)).toEqual({ value: "second" });
  expect(await resolve("acme/token", first)).toEqual({ value: "first" });
  expect(await resolve("acme/token", "AWSPREVIOUS")).toEqual({ value: "first" });
  expect(await resolve("acme/token", "AWSCURRENT")).toEqual({ value: "second" });
});

test("a key of a JSON secret is resolved, at any depth; no message quotes the secret", async () => {
  const SecretString = JSON.stringify({ api_token: "t0ken", crm: { port: 5432 }, "a.b": "dotted" });
  await secrets.send(new CreateSecretCommand({ Name: "acme/crm", SecretString }));
  expect(await resolve("acme/crm#api_token")).toEqual({ value: "t0ken" });
  expect(await resolve("acme/crm#crm.port")).toEqual({ value: 5432 });
  expect(await resolve("acme/crm#a.b")).toEqual({ value: "dotted" });
  expect(await resolve("acme/crm#other")).toEqual({ problem: "it has no key other" });
  await secrets.send(new CreateSecretCommand({ Name: "acme/text", SecretString: "s3cret text" }));
  expect(await resolve("acme/text#key")).toEqual({ problem: "it is not JSON, so it has no key key" });
});

test("the message says why there is no value", async () => {
  expect((await resolve("missing")).problem).toMatch(/^AWS Secrets Manager has refused it \(ResourceNotFoundException/);
  await secrets.send(new CreateSecretCommand({ Name: "binary", SecretBinary: Buffer.from([1, 2]) }));
  expect((await resolve("binary")).problem).toMatch(/binary secret/);
  await secrets.send(new CreateSecretCommand({ Name: "deleted", SecretString: "x" }));
  await secrets.send(new DeleteSecretCommand({ SecretId: "deleted" }));
  expect((await resolve("deleted")).problem).toMatch(/InvalidRequestException/);
  expect((await resolve("binary", "NO_SUCH_STAGE")).problem).toMatch(/ResourceNotFoundException/);
});

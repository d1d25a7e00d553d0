import { expect, test } from "vitest";
import { isSecretName, isSecretValue } from "../../src/settings/secret-detection.ts";

test.each(
  [
    "x-api-key X-API-KEY apiKey APIKey api_key apikey db_pwd dbPwd passcode userPass access_key accessKeyId signing_key",
    "jwt JWTValue bearer cookie session_cookie sessionId authKey authkey clientSecret client_secret2 sas sas_url pin PIN",
    "connection_string connectionString connectionstring private_key sshPrivateKey credentials awsCredentials dbPassword",
    "encryption_key webhook-signing-key oauth_token token tokens accessToken authorization auth x-auth hmacKey db.password session__id",
  ].flatMap((line) => line.split(" ")),
)("%s names a secret", (key) => {
  expect(isSecretName(key)).toBe(true);
});

test.each(
  "region key keys keyboard primary_key sort_key monkey batch_size mapping shipping opinion passenger author spinner bypass cooked compass".split(
    " ",
  ),
)("%s names no secret", (key) => {
  expect(isSecretName(key)).toBe(false);
});

test.each([
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
  "-----BEGIN PRIVATE KEY-----\nMIIE",
  "Bearer abc123",
  "  Bearer abc123\n",
  "postgres://app:hunter2@db.example/app",
  "Server=db;User Id=app;Password=hunter2;",
  "https://storage.example/x?sv=1&sig=abc%3D",
  "ghp_0123456789abcdef",
])("%s has the form of a secret", (text) => {
  expect(isSecretValue(text)).toBe(true);
});

test.each([
  "eu",
  "https://api.example.com/v1?page=2",
  "mailto:ada@example.com",
  "https://example.com/@ada:x",
  "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  "basic",
  "a: b@c",
])("%s does not have the form of a secret", (text) => {
  expect(isSecretValue(text)).toBe(false);
});

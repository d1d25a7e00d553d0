import { describe, expect, test } from "vitest";
import { hideCredentials } from "../../src/settings/hide-credentials.ts";

const h = "[hidden]";

test.each([
  ["key=abc123def", `key=${h}`],
  ["STRIPE_KEY=abc", `STRIPE_KEY=${h}`],
  ["DB_PASSWORD=two words\nPATH=/usr/bin", `DB_PASSWORD=${h}\nPATH=/usr/bin`],
  ["export API_TOKEN='a b'", `export API_TOKEN='${h}'`],
  ["A_TOKEN=one B_TOKEN=two PATH=/bin", `A_TOKEN=${h} B_TOKEN=${h} PATH=/bin`],
  ["Authorization: Bearer abc.def", `Authorization: ${h}`],
  ["curl -H 'Authorization: Basic Zm9vOmJhcg==' https://x", `curl -H 'Authorization: ${h}' https://x`],
  ["sent with Bearer abcdef123456", `sent with Bearer ${h}`],
  ['{"token":"a\\"b","name":"acme"}', `{"token":"${h}","name":"acme"}`],
  ['{"clientSecret": 12345, "n": 1}', `{"clientSecret": ${h}, "n": 1}`],
  ['"{\\"password\\":\\"x y\\",\\"user\\":\\"u\\"}"', `"{\\"password\\":\\"${h}\\",\\"user\\":\\"u\\"}"`],
  ["{'api_key': 'abc', 'region': 'eu'}", `{'api_key': '${h}', 'region': 'eu'}`],
  ['credentials: { user: "u", pass: "p" } done', `credentials: ${h} done`],
  ["password: hunter two\nuser: u", `password: ${h}\nuser: u`],
  ["postgres://app:s3cr3t@db:5432/x", `postgres://app:${h}@db:5432/x`],
  ["Server=db;User=u;Password=p4ss;Database=d", `Server=db;User=u;Password=${h};Database=d`],
  ["Endpoint=sb://x/;SharedAccessKey=abc=;EntityPath=q", `Endpoint=sb://x/;SharedAccessKey=${h};EntityPath=q`],
  ["GET https://x/y?access_token=abc&page=2", `GET https://x/y?access_token=${h}&page=2`],
  ["got token 8f14e45fceea167a5a36", `got token ${h}`],
  ["run --api-key abc --region eu", `run --api-key ${h} --region eu`],
  ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.sig", `jwt ${h}`],
  ["key is ghp_0123456789abcdefghij now", `key is ${h} now`],
  ["a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb", `a\n${h}\nb`],
])("of %j it shows %j", (text, shown) => {
  expect(hideCredentials(text)).toBe(shown);
  expect(hideCredentials(shown)).toBe(shown);
});

test.each([
  "INFO run 7001 of tenant acme (5001) started, mode init",
  "2026-09-02T09:00:00Z ERROR 12 records failed: no such customer",
  '{"region":"eu","cursor":"2026-09-02T09:00:00Z","isTokenValid":true}',
  "token: null",
  "see https://example.com:8443/docs?page=2",
  "sha256 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
])("%j is shown as it is", (text) => {
  expect(hideCredentials(text)).toBe(text);
});

describe("a large log", () => {
  test.each([
    ["one word", "a".repeat(2_000_000), 0],
    ["lines", "token=abc def: {\n".repeat(100_000), 100_000],
    ["dots", "ey-a.".repeat(200_000), 0],
    ["dashes", "ey-".repeat(300_000), 0],
    ["quoted values", '"token":"abc",'.repeat(70_000), 70_000],
  ])("of %s is read once, with each credential hidden", (_, text, hidden) => {
    expect(hideCredentials(text).split(h).length - 1).toBe(hidden);
  });
});

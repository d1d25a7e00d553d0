import { expect, test } from "vitest";
import { readRequest } from "../../../src/receiver/acknowledge/request.ts";
import { restApiEvent } from "../../aws/runtime/rest-api-event.ts";
import { urlEvent } from "../../aws/runtime/url-event.ts";

const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b]);

test.each([
  ["with text", { query: "token=one", body: "{}" }, { tokens: ["one"], body: Buffer.from("{}") }],
  ["with characters of several bytes", { body: "größe \u2028" }, { body: Buffer.from("größe \u2028") }],
  ["with bytes that are not UTF-8", { body: bytes, contentType: "application/octet-stream" }, { body: bytes }],
  ["without a body", { query: "token=one" }, { body: Buffer.alloc(0) }],
  ["without a query", { body: "{}" }, { tokens: [] }],
  ["with other parameters only", { query: "a=1&Token=two" }, { tokens: [] }],
  ["with several tokens", { query: "token=one&a=1&token=&token=t%6Fo" }, { tokens: ["one", "", "too"] }],
  ["with another method", { method: "GET", sourceIp: "2001:db8::1" }, { method: "GET", sourceIp: "2001:db8::1" }],
])("a request %s is read alike from a function URL and from a REST API", (_, request, expected) => {
  const fromUrl = readRequest(urlEvent(request));
  expect(fromUrl).toMatchObject(expected);
  expect(readRequest(restApiEvent(request))).toEqual(fromUrl);
});

test("takes the source from the connection, never from a header", () => {
  for (const event of [urlEvent({ sourceIp: "192.0.2.7" }), restApiEvent({ sourceIp: "192.0.2.7" })]) {
    const forged = { ...event, headers: { "x-forwarded-for": "198.51.100.9", "X-Forwarded-For": "198.51.100.9" } };
    expect(readRequest(forged).sourceIp).toBe("192.0.2.7");
  }
});

test.each([
  ["a test event of the AWS console", { key1: "confidential" }],
  ["an event of a queue", { Records: [{ messageId: "m", body: "confidential" }] }],
  ["nothing", undefined],
  ["a text", "confidential"],
])("rejects what is no request, and does not quote it: %s", (_, event) => {
  expect(() => readRequest(event)).toThrow(/^the event is a request neither to a function URL \(format 2.0\) nor to a/);
  expect(() => readRequest(event)).not.toThrow(/confidential/);
});

import { z } from "zod";
import type { ProxiedCall } from "../entities/target.ts";
import { type JsonObject, jsonObjectSchema } from "../rules/json.ts";
import { parseRequest } from "../rules/parse-request.ts";

/** The three kinds of proxy call. */
export type ProxyKind = "call" | "soap" | "xml";

/**
 * The call that the body of a proxy request describes. REST sends `body` as JSON. SOAP and XML send the string in `data`. The default method is GET for REST and POST for the others.
 *
 * @throws InvalidRequest
 */
export function parseProxyRequest(kind: ProxyKind, body: JsonObject): ProxiedCall {
  if (kind === "call") {
    const request = parseRequest(proxyRestSchema, body, "body");
    const sent = request.body ? { text: JSON.stringify(request.body), contentType: "application/json" } : null;
    return { ...commonPart(request, "GET"), body: sent };
  }
  const request = parseRequest(proxyXmlSchema, body, "body");
  const text = request.data;
  const contentType = kind === "soap" ? "text/xml; charset=utf-8" : "application/xml";
  return { ...commonPart(request, "POST"), body: text ? { text, contentType } : null };
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
// Two checks, because some tools that read the OpenAPI description do not support "\0" in a pattern.
const headerValue = z
  .string()
  .regex(/^[^\r\n]*$/, "must not have line ends")
  .refine((value) => !value.includes("\0"), "must not have a NUL character");
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a header name");

/** Headers as a list of pairs, or of objects, with a name and a value. */
const headerListSchema = z.array(
  z.union([
    z.tuple([headerName, headerValue]),
    z.object({ name: headerName, value: headerValue }).transform(({ name, value }) => [name, value] as const),
    z.object({ key: headerName, value: headerValue }).transform(({ key, value }) => [key, value] as const),
  ]),
);

const commonShape = {
  headers: z.union([headerListSchema, z.record(headerName, z.union([headerValue, z.number(), z.boolean()]))]).nullish(),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/, "must be an HTTP method")
    .refine((method) => !/^(connect|trace)$/i.test(method), "cannot be proxied")
    .optional(),
  query_params: z.record(z.string(), z.union([scalar, z.array(scalar), z.null()])).nullish(),
  target_url: z.string().optional(),
};
const commonSchema = z.object(commonShape);
/** Specification, "ProxyRestRequestBody". */
export const proxyRestSchema = z.object({ ...commonShape, body: jsonObjectSchema.nullish() });
/** The body of a SOAP or XML call: the XML is in `data`. The specification shows three of the fields. */
export const proxyXmlSchema = z.strictObject({ ...commonShape, data: z.string().nullish() });

function commonPart(request: z.infer<typeof commonSchema>, defaultMethod: string): Omit<ProxiedCall, "body"> {
  return {
    method: (request.method ?? defaultMethod).toUpperCase(),
    targetUrl: request.target_url ?? "",
    query: Object.entries(request.query_params ?? {}).flatMap(([name, value]) =>
      [value].flat().flatMap((item) => (item === null ? [] : [[name, String(item)] as const])),
    ),
    headers: headerPairs(request.headers ?? []),
  };
}

function headerPairs(headers: NonNullable<z.infer<typeof commonSchema>["headers"]>): (readonly [string, string])[] {
  if (Array.isArray(headers)) return headers.map(([name, value]) => [name, value]);
  return Object.entries(headers).map(([name, value]) => [name, String(value)]);
}

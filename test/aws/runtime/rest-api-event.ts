import type { HttpRequest } from "./url-event.ts";

/**
 * The event that AWS creates from an HTTP request to a REST API with a proxy integration (payload format 1.0). As all media
 * types are binary, each body is in base64.
 */
export function restApiEvent({
  body,
  query = "",
  method = "POST",
  sourceIp = "192.0.2.7",
  contentType = "application/json",
}: HttpRequest) {
  const headers = {
    "Content-Type": contentType,
    Host: "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
    "X-Forwarded-For": sourceIp,
    "X-Forwarded-Port": "443",
    "X-Forwarded-Proto": "https",
  };
  const parameters = new URLSearchParams(query);
  const names = [...new Set(parameters.keys())];
  return {
    resource: "/",
    path: "/",
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: names.length === 0 ? null : Object.fromEntries(parameters),
    multiValueQueryStringParameters:
      names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      accountId: "123456789012",
      apiId: "a1b2c3d4e5",
      domainName: "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
      domainPrefix: "a1b2c3d4e5",
      extendedRequestId: "AbCdEfGhFiAEEEA=",
      httpMethod: method,
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
        sourceIp,
        user: null,
        userAgent: "test",
        userArn: null,
      },
      path: "/receive/",
      protocol: "HTTP/1.1",
      requestId: "5c0f6a3e-8d0e-4b0e-9c55-0d6a3e2f1b11",
      requestTime: "21/Nov/2026:12:00:00 +0000",
      requestTimeEpoch: 1795262400000,
      resourceId: "f6g7h8i9j0",
      resourcePath: "/",
      stage: "receive",
    },
    body: body === undefined ? null : Buffer.from(body).toString("base64"),
    isBase64Encoded: body !== undefined,
  };
}

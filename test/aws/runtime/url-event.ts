/** A request to the receiver. */
export interface HttpRequest {
  readonly body?: string | Uint8Array;
  readonly query?: string;
  readonly method?: string;
  readonly sourceIp?: string;
  readonly contentType?: string;
}

/** The event that AWS creates from an HTTP request to a function URL (payload format 2.0). */
export function urlEvent({
  body,
  query = "",
  method = "POST",
  sourceIp = "192.0.2.7",
  contentType = "application/json",
}: HttpRequest) {
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: "/",
    rawQueryString: query,
    headers: {
      "content-type": contentType,
      "x-forwarded-for": sourceIp,
      "x-forwarded-port": "443",
      "x-forwarded-proto": "https",
      host: "abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws",
    },
    queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
    requestContext: {
      accountId: "anonymous",
      apiId: "abcdefghijklmnopqrstuvwxyz012345",
      domainName: "abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws",
      domainPrefix: "abcdefghijklmnopqrstuvwxyz012345",
      http: { method, path: "/", protocol: "HTTP/1.1", sourceIp, userAgent: "test" },
      requestId: "5c0f6a3e-8d0e-4b0e-9c55-0d6a3e2f1b11",
      routeKey: "$default",
      stage: "$default",
      time: "21/Nov/2026:12:00:00 +0000",
      timeEpoch: 1795262400000,
    },
    ...(body !== undefined && {
      body: typeof body === "string" ? body : Buffer.from(body).toString("base64"),
    }),
    isBase64Encoded: body !== undefined && typeof body !== "string",
  };
}

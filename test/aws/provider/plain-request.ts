import { z } from "zod";

/** Sends requests to moto without a client of the AWS SDK, to spare the repository a dependency for each service. */
export interface PlainClient {
  /** Sends a request of API Gateway's API, in which each resource has a path. Resolves to the parsed response. */
  apiGateway(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** Sends a request of AWS WAF's API. Resolves to the parsed response. */
  waf(action: string, body: unknown): Promise<unknown>;
}

/** @param endpoint the URL of moto. */
export function plainClient({ endpoint, region }: { readonly endpoint: string; readonly region: string }): PlainClient {
  /** moto takes the service and the region from the signature, and does not check it. */
  const headersOf = (service: string) => ({
    "content-type": "application/json",
    authorization: `AWS4-HMAC-SHA256 Credential=test/20261121/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`,
  });
  return {
    apiGateway: (method, path, body) =>
      send(new URL(path, endpoint), {
        method,
        headers: headersOf("apigateway"),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    waf: (action, body) =>
      send(new URL(endpoint), {
        method: "POST",
        headers: { ...headersOf("wafv2"), "x-amz-target": `AWSWAF_20190729.${action}` },
        body: JSON.stringify(body),
      }),
  };
}

const errorSchema = z.object({ __type: z.string().default("UnknownError"), message: z.string().default("") });

/** Throws an error with the name that the AWS SDK would give it. */
async function send(url: URL, request: RequestInit): Promise<unknown> {
  const response = await fetch(url, request);
  const text = await response.text();
  const parsed: unknown = text === "" ? {} : JSON.parse(text);
  if (response.ok) return parsed;
  const { __type: name, message } = errorSchema.parse(parsed);
  throw Object.assign(new Error(`${request.method} ${url.pathname}: ${response.status} ${message}`), { name });
}

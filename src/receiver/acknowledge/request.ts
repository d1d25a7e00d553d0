import * as z from "zod";

/** The part of a request to a Lambda function URL (payload format 2.0) that the function reads. */
export type FunctionUrlRequest = Readonly<z.input<typeof functionUrlRequestSchema>>;

/** The part of a request to a REST API of API Gateway (proxy integration, payload format 1.0) that the function reads. */
export type RestApiRequest = Readonly<z.input<typeof restApiRequestSchema>>;

/** A request to the receiver, from either source. */
export interface WebhookRequest {
  readonly method: string;
  /** The address of the connection, never of a header. */
  readonly sourceIp: string;
  /** The values of `token` in the query. */
  readonly tokens: readonly string[];
  readonly body: Buffer;
}

const functionUrlRequestSchema = z.object({
  rawQueryString: z.string(),
  requestContext: z.object({ http: z.object({ method: z.string(), sourceIp: z.string() }) }),
  body: z.string().optional(),
  isBase64Encoded: z.boolean(),
});

const restApiRequestSchema = z.object({
  httpMethod: z.string(),
  requestContext: z.object({ identity: z.object({ sourceIp: z.string() }) }),
  /** Percent-decoded by API Gateway. Null without a query. */
  multiValueQueryStringParameters: z.object({ token: z.array(z.string()).optional() }).nullable(),
  body: z.string().nullable(),
  isBase64Encoded: z.boolean(),
});

/**
 * Reads what API Gateway or a function URL passes to the function.
 *
 * @throws Error if the event has neither format, such as a test event of the AWS console. It does not quote the event.
 */
export function readRequest(event: unknown): WebhookRequest {
  const { data: request } = z.union([functionUrlRequestSchema, restApiRequestSchema]).safeParse(event);
  if (request === undefined) {
    throw new Error("the event is a request neither to a function URL (format 2.0) nor to a REST API (format 1.0)");
  }
  const body = Buffer.from(request.body ?? "", request.isBase64Encoded ? "base64" : "utf8");
  if ("httpMethod" in request) {
    const { httpMethod: method, multiValueQueryStringParameters: query, requestContext } = request;
    return { method, sourceIp: requestContext.identity.sourceIp, tokens: query?.token ?? [], body };
  }
  const tokens = new URLSearchParams(request.rawQueryString).getAll("token");
  return { ...request.requestContext.http, tokens, body };
}

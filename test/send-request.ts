/** A server to send requests to, by its base URL. An API key is sent where it is given. */
export interface Target {
  readonly url: string;
  readonly apiKey?: string;
}

/** A response that was read to its end. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, or the text where it is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request by plain HTTP, without our client.
 *
 * @param body sent as it is where it is a string, else as JSON.
 * @param headers in place of the API key's.
 */
export async function sendRequest(
  { url, apiKey }: Target,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = apiKey === undefined ? {} : { "x-api-key": apiKey },
): Promise<ReceivedResponse> {
  const hasBody = body !== undefined;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(hasBody ? { "content-type": "application/json" } : {}), ...headers },
    ...(hasBody ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

/** As {@link sendRequest}; throws where the status is not a success. */
export async function sendSuccessfully(...request: Parameters<typeof sendRequest>): Promise<ReceivedResponse> {
  const response = await sendRequest(...request);
  if (response.status >= 200 && response.status < 300) return response;
  const [{ url }, method, path] = request;
  throw new Error(`${method} ${url}${path} answered ${response.status}: ${response.text}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { z } from "zod";
import { listen } from "../../src/receiver/local/function-url-server.ts";
import { urlEvent } from "../../test/aws/runtime/url-event.ts";

/** A local address in place of a function URL, which moto does not serve. */
export interface FunctionUrl extends AsyncDisposable {
  readonly url: string;
}

const responseSchema = z.object({ statusCode: z.int(), body: z.string().default("") });

/**
 * Passes requests on to the acknowledging function, in the format of AWS.
 *
 * @param search the query of the receiver's URL
 * @param onStatus called with the status of each response
 */
export async function serveFunctionUrl(
  search: string,
  invoke: (event: unknown) => Promise<unknown>,
  onStatus: (status: number) => void,
): Promise<FunctionUrl> {
  const server = await listen(async ({ rawQueryString: query, requestContext, body = "" }) => {
    const event = urlEvent({ query, method: requestContext.http.method, body: Buffer.from(body, "base64") });
    const result = responseSchema.safeParse(await invoke(event));
    const response = result.data ?? { statusCode: 502, body: "" }; // AWS's status for a function that fails
    onStatus(response.statusCode);
    return response;
  }, 0);
  return { url: `http://127.0.0.1:${server.port}/${search}`, [Symbol.asyncDispose]: () => server.close() };
}

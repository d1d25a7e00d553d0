import { type Agent, request } from "undici";
import type { ProxiedCall, Target, TargetReply } from "../entities/target.ts";
import { isLoopbackUrl } from "../rules/loopback.ts";
import { ProxyFailure } from "../rules/problems.ts";

/**
 * Calls a real service on this machine, with the connector's credentials. Does not follow redirects.
 *
 * @throws ProxyFailure for a URL of another machine, and when the service cannot be reached, takes too long or sends too
 * much. The message contains no header and no query.
 */
export async function callLoopback(agent: Agent, target: Target | undefined, call: ProxiedCall): Promise<TargetReply> {
  const url = addressOf(target, call);
  const timeoutMilliseconds = (target?.timeout_seconds ?? defaultTimeoutSeconds) * 1000;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      method: call.method,
      headers: headersOf(target, call),
      body: call.body?.text ?? null,
      signal,
    });
    return { status: statusCode, text: await readText(body) };
  } catch (cause) {
    if (cause instanceof ProxyFailure) throw cause;
    const problem = signal.aborted ? "did not answer in time" : "cannot be reached";
    throw new ProxyFailure(`The external service at ${url.origin}${url.pathname} ${problem}`, { cause });
  }
}

const defaultTimeoutSeconds = 30;
const maxReplyBytes = 16 * 1024 * 1024;

function addressOf(target: Target | undefined, { targetUrl, query }: ProxiedCall): URL {
  const url = URL.parse(targetUrl, target?.url);
  if (!url)
    throw new ProxyFailure(
      "target_url is only a path, and the connector has no base URL: pass a whole URL, or set the connector's target.url",
    );
  if (!isLoopbackUrl(url.href)) {
    throw new ProxyFailure(`The emulator calls only services on this machine, not ${url.origin}`);
  }
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

/** The headers of a call. The credentials override those of the caller. Headers about the connection are left out. */
function headersOf(target: Target | undefined, call: ProxiedCall): Record<string, string> {
  const passed = call.headers.filter(([name]) => !connectionHeaders.includes(name.toLowerCase()));
  return {
    ...(call.body ? { "content-type": call.body.contentType } : {}),
    ...lowerCased(passed),
    ...lowerCased(Object.entries(target?.headers ?? {})),
  };
}

const connectionHeaders = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "expect",
  "upgrade",
  "keep-alive",
];

function lowerCased(headers: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxReplyBytes) throw new ProxyFailure(`The external service's response is over ${maxReplyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

import { Agent, buildConnector, Pool, ProxyAgent } from "undici";
import type { Settings } from "./client-options.ts";
import { proxyOf } from "./proxy.ts";

/** There is no connection to the proxy itself. `cause` says why; there is none if the variable has no URL of a proxy. */
export class ProxyConnectionError extends Error {
  override readonly name = "ProxyConnectionError";
}

/** Creates what keeps the connections: to each server directly, or through the proxy that the environment names for it. */
export function createAgent(settings: Settings): Agent {
  // HTTP/1.1 only: `wasSent` relies on its order of events.
  const options = { allowH2: false, pipelining: 1 };
  const connect = {
    allowH2: false,
    timeout: settings.connectTimeoutSeconds * 1000,
    // The explicit `true` outranks NODE_TLS_REJECT_UNAUTHORIZED: certificates are always checked.
    rejectUnauthorized: true,
  };
  return new Agent({
    factory: (origin) => {
      const url = new URL(origin);
      const proxy = proxyOf(url, process.env);
      if (proxy === undefined) return new Pool(url, { ...options, connect });
      if (proxy.url === undefined) throw new ProxyConnectionError();
      const poolOfProxy = (uri: string | URL) => new Pool(uri, { ...options, connect: connectorOfProxy(connect) });
      return new ProxyAgent({
        ...options,
        uri: proxy.url.href,
        requestTls: connect,
        clientFactory: poolOfProxy,
        // Plain http needs no tunnel: the requests themselves go to the proxy.
        ...(url.protocol === "http:" && { factory: poolOfProxy }),
      });
    },
  });
}

function connectorOfProxy(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, callback) =>
    connect(to, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(new ProxyConnectionError(error.message, { cause: error }), null);
    });
}

import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { connect } from "node:net";
import { listen } from "./listen.ts";

/** A forward proxy, as a company has one: tunnels by CONNECT, and plain http in absolute form. */
export interface ForwardProxy extends AsyncDisposable {
  url: string;
  /** Method and target of each request so far: `CONNECT platform.test:443`. */
  requests: string[];
}

export interface ForwardProxyOptions {
  /** The address of a server on loopback to which each host leads. */
  leadsTo: string;
  /** The only user and password that pass, as `user:password`. Default: no request needs one. */
  credentials?: string;
  /** The status with which every request is refused. */
  refusesWith?: number;
  /** Key and certificate of a proxy that itself speaks TLS. */
  tls?: ServerOptions;
}

export async function startForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const { port, hostname } = new URL(options.leadsTo);
  const requests: string[] = [];
  const server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
  const refusal = (message: IncomingMessage) => {
    requests.push(`${message.method} ${message.url}`);
    const expected = `Basic ${Buffer.from(options.credentials ?? "").toString("base64")}`;
    const isKnown = options.credentials === undefined || message.headers["proxy-authorization"] === expected;
    return isKnown ? options.refusesWith : 407;
  };
  server.on("connect", (message: IncomingMessage, socket) => {
    socket.on("error", () => {});
    const status = refusal(message);
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const target = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
  });
  server.on("request", (message: IncomingMessage, response) => {
    const status = refusal(message);
    if (status !== undefined) return response.writeHead(status).end();
    const { method, headers, url = "" } = message;
    const { pathname, search } = new URL(url);
    const passed = request({ host: hostname, port, method, headers, path: pathname + search }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    message.pipe(passed);
  });
  const url = await listen(server, options.tls === undefined ? "http" : "https");
  return {
    url,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

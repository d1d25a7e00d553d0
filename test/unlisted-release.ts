import { createServer } from "node:http";
import { listen } from "./listen.ts";

/** A server in front of an emulator, for reads. No list of releases that passes through it has the release with the id. */
export interface UnlistedRelease extends AsyncDisposable {
  url: string;
  /** The address of the emulator; required before the first request. */
  target: string;
}

export async function unlistedRelease(id: number): Promise<UnlistedRelease> {
  const server = createServer(async ({ method = "GET", url = "/", headers }, response) => {
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && !/^(host|connection|accept-encoding)$/.test(name) ? [[name, value]] : [],
    );
    const answer = await fetch(proxy.target + url, { method, headers: sent });
    const text = await answer.text();
    const isList = /\/releases(\?|$)/.test(url);
    const body = isList
      ? JSON.stringify(JSON.parse(text).filter((release: { id: number }) => release.id !== id))
      : text;
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(body);
  });
  const proxy: UnlistedRelease = {
    url: await listen(server),
    target: "",
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}

import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** A server in front of an emulator, which changes its answers. */
export interface ChangedAnswers extends AsyncDisposable {
  url: string;
  /** The address of the emulator; required before the first request. */
  target: string;
}

/** @param change gets the body of an answer, and path and method of its request, and returns the body that is sent. */
export async function changedAnswers(
  change: (body: string, path: string, method: string) => string,
): Promise<ChangedAnswers> {
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && !/^(host|connection|accept-encoding|content-length|transfer-encoding)$/.test(name)
        ? [[name, value]]
        : [],
    );
    const body = await text(request);
    const answer = await fetch(proxy.target + url, { method, headers: sent, ...(body === "" ? {} : { body }) });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(change(await answer.text(), url, method));
  });
  const proxy: ChangedAnswers = {
    url: await listen(server),
    target: "",
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}

/** No list of releases that passes through it has the release with the id. */
export function unlistedRelease(id: number): Promise<ChangedAnswers> {
  return changedAnswers((body, path) =>
    /\/releases(\?|$)/.test(path)
      ? JSON.stringify(JSON.parse(body).filter((release: { id: number }) => release.id !== id))
      : body,
  );
}

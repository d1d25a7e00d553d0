import type { Server } from "node:net";

/** Starts a server, HTTP or not, on a free port of 127.0.0.1. Returns its origin, with https where `scheme` says so. */
export async function listen(server: Server, scheme: "http" | "https" = "http"): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return `${scheme}://127.0.0.1:${address.port}`;
}

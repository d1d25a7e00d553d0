import { createServer, type Server, type Socket } from "node:net";

/** Something at the address of a queue. */
export interface StubQueue extends AsyncDisposable {
  readonly url: string;
}

/** Takes connections and requests, and never answers. */
export function silentQueue(): Promise<StubQueue> {
  return listen(createServer());
}

async function listen(server: Server): Promise<StubQueue> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => void sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { createHash } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** Something at the address of a queue. */
export interface StubQueue extends AsyncDisposable {
  readonly url: string;
}

/** Takes connections and requests, and never answers. */
export function silentQueue(): Promise<StubQueue> {
  return listen(createServer());
}

/** Answers at once, so that what is measured is the function. */
export function promptQueue(): Promise<StubQueue> {
  const server = createHttpServer(async (request, response) => {
    const { MessageBody: body } = messageSchema.parse(JSON.parse(await text(request)));
    const md5 = createHash("md5").update(body).digest("hex"); // the SDK looks whether the queue has the same
    response.setHeader("content-type", "application/x-amz-json-1.0");
    response.end(JSON.stringify({ MessageId: "1", MD5OfMessageBody: md5 }));
  });
  return listen(server);
}

const messageSchema = z.object({ MessageBody: z.string() });

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

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";

/** A running server, and a POST that it accepts. */
export interface LimitedServer {
  readonly url: string;
  /** Path and query of a POST. */
  readonly target: string;
  /** Header lines that the POST needs. */
  readonly headers: readonly string[];
  /** The largest body that it accepts. */
  readonly maxBodyBytes: number;
}

/** Tests that a server resists slow, lost and excessive senders; every server of this project does. */
export function httpLimitsContract(name: string, start: () => Promise<LimitedServer>): void {
  test.concurrent(`${name} closes a connection whose headers arrive too slowly`, async () => {
    using sender = await connectTo(await start());
    sender.write("POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n");
    sender.repeat("x-drip: 1\r\n");
    expect(await sender.response()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test.concurrent(`${name} closes a connection whose body arrives too slowly`, async () => {
    const server = await start();
    using sender = await connectTo(server);
    sender.write(`${headOf(server)}content-length: 1000\r\n\r\n`);
    sender.repeat(" ");
    expect(await sender.response()).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(await statusOf(server, " ")).toBeGreaterThanOrEqual(200);
  });

  test.concurrent(`${name} serves others while 100 connections send nothing`, async () => {
    const server = await start();
    using stuck = new DisposableStack();
    for (let count = 0; count < 100; count += 1) {
      stuck.use(await connectTo(server)).write(`${headOf(server)}content-length: 10\r\n\r\n`);
    }
    expect(await statusOf(server, " ")).toBeGreaterThanOrEqual(200);
  });

  test.concurrent(`${name} closes an idle connection`, async () => {
    const server = await start();
    using sender = await connectTo(server);
    sender.write(`${headOf(server)}content-length: 1\r\n\r\n `);
    expect(await sender.response()).toMatch(/^HTTP\/1\.1 \d+ .*connection: keep-alive/is);
  });

  test.concurrent(`${name} refuses headers that are too long or too many`, async () => {
    const server = await start();
    for (const lines of ["x-long: ".padEnd(20_000, "x"), "x-many: 1\r\n".repeat(5_000)]) {
      using sender = await connectTo(server);
      sender.write(`${headOf(server)}${lines}\r\n\r\n`);
      expect(await sender.response()).toMatch(/^HTTP\/1\.1 431 /);
    }
  });

  test.concurrent(`${name} refuses a body that is too long, with and without content-length`, async () => {
    const server = await start();
    const tooLong = " ".repeat(server.maxBodyBytes + 1);
    expect(await statusOf(server, tooLong)).toBe(413);
    const pieces = ReadableStream.from([Buffer.from(tooLong), Buffer.from(tooLong)]);
    expect(await statusOf(server, pieces)).toBe(413);
    expect(await statusOf(server, " ")).toBeGreaterThanOrEqual(200);
  });
}

function headOf({ target, headers }: LimitedServer): string {
  return [`POST ${target} HTTP/1.1`, "host: 127.0.0.1", ...headers, ""].join("\r\n");
}

async function statusOf({ url, target, headers }: LimitedServer, body: string | ReadableStream): Promise<number> {
  const pairs = headers.map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]);
  const init = { method: "POST", headers: Object.fromEntries(pairs), body, duplex: "half" } as const;
  return (await fetch(`${url}${target}`, init)).status;
}

interface Sender extends Disposable {
  write(text: string): void;
  /** Sends the text every 200 ms, until the connection ends. */
  repeat(text: string): void;
  /** All that the server sent, once it has closed the connection. */
  response(): Promise<string>;
}

async function connectTo({ url }: LimitedServer): Promise<Sender> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
  });
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  await once(socket, "connect");
  return {
    write: (piece) => void socket.write(piece),
    repeat: (piece) => {
      const timer = setInterval(() => socket.write(piece), 200);
      socket.once("close", () => clearInterval(timer));
    },
    response: async () => {
      await ended;
      return text;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

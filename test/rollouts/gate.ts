import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pLimit from "p-limit";
import { z } from "zod";
import type { Emulator } from "../../src/emulator/index.ts";
import { listen } from "../listen.ts";

/** A request of a provider process, and the response once there is one. */
export interface Exchange {
  /** Counts the requests of a process, from 0. */
  readonly number: number;
  readonly process: number;
  readonly method: string;
  readonly path: string;
  /** The tenant in the path. */
  readonly tenantId: number | undefined;
  readonly body: unknown;
  /** `undefined` where the connection was closed in place of a response. */
  readonly status: number | undefined;
  readonly answer: unknown;
}

/** What watches the requests. They pass one after the other, so nothing happens between the two. */
export interface Watch {
  /** Called before a request reaches the platform. Its response is not there yet. */
  before(exchange: Exchange): Promise<void>;
  /** Called before the response reaches the process. May return what the process gets in its place. */
  after(exchange: Exchange): Promise<Replacement | undefined>;
}

export interface Replacement {
  readonly status: number;
  readonly body: unknown;
}

/** When a process dies: at a request, before or after the platform has applied it. */
export interface Kill {
  readonly at: number;
  readonly isApplied: boolean;
}

/** The way of all requests to the platform. It shows them to a watch, and cuts off processes that were killed. */
export interface Gate extends AsyncDisposable {
  watch: Watch;
  /**
   * Starts a process.
   *
   * @param onKilled Called at the moment of its death. No later request of the process reaches the platform.
   */
  begin(kill: Kill | undefined, onKilled: () => void): { url: string; requests(): number };
}

/** @param now The platform's time, which the `Date` header of each response has. */
export async function openGate(emulator: Emulator, now: () => number): Promise<Gate> {
  const processes: Process[] = [];
  const oneByOne = pLimit(1);
  const server = createServer((request, response) => void oneByOne(() => pass(request, response)));
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const [, index = "", path = ""] = /^\/(\d+)(\/.*)$/.exec(request.url ?? "") ?? [];
    const of = processes[Number(index)];
    const text = await textOf(request);
    if (of === undefined || of.isDead) return void request.socket.destroy();
    const exchange: Exchange = {
      number: of.count,
      process: Number(index),
      method: request.method ?? "GET",
      path,
      tenantId: tenantIn(path),
      body: parse(text),
      status: undefined,
      answer: undefined,
    };
    of.count += 1;
    const isLast = of.kill?.at === exchange.number;
    if (isLast && of.kill?.isApplied === false) return die(of, request);
    await gate.watch.before(exchange);
    const received = await forward(emulator, request, path, text).catch(() => undefined);
    const seen = { ...exchange, status: received?.status, answer: received && parse(received.text) };
    const replacement = await gate.watch.after(seen);
    if (isLast) return die(of, request);
    if (received === undefined) return void request.socket.destroy();
    const body = replacement === undefined ? received.text : JSON.stringify(replacement.body);
    const status = replacement?.status ?? received.status;
    response.writeHead(status, { ...received.headers, date: new Date(now()).toUTCString() }).end(body);
  };
  const gate: Gate = {
    watch: { before: async () => {}, after: async () => undefined },
    begin: (kill, onKilled) => {
      const started: Process = { kill, onKilled, isDead: false, count: 0 };
      processes.push(started);
      return { url: `${url}/${processes.length - 1}`, requests: () => started.count };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const url = await listen(server);
  return gate;
}

interface Process {
  readonly kill: Kill | undefined;
  readonly onKilled: () => void;
  isDead: boolean;
  count: number;
}

function die(process: Process, request: IncomingMessage): void {
  process.isDead = true;
  process.onKilled();
  request.socket.destroy();
}

interface Received {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

async function forward(emulator: Emulator, request: IncomingMessage, path: string, text: string): Promise<Received> {
  const headers = z.record(z.string(), z.string().optional()).parse(request.headers);
  const kept = ["x-api-key", "content-type", "accept"].flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  const response = await emulator.fetch(
    new Request(`${emulator.url}${path}`, {
      method: request.method ?? "GET",
      headers: kept,
      redirect: "manual",
      ...(text === "" ? {} : { body: text }),
    }),
  );
  const passedOn = [...response.headers].filter(([name]) => !["content-length", "transfer-encoding"].includes(name));
  return { status: response.status, headers: Object.fromEntries(passedOn), text: await response.text() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

function tenantIn(path: string): number | undefined {
  const [, id] = /^\/v2\/tenants\/(\d+)/.exec(path) ?? [];
  return id === undefined ? undefined : Number(id);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}

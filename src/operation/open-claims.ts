import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type Claims, ownClaims, type Writer } from "./claims.ts";
import { claimsFile, claimsFolder, makePrivateFolder, removeUnused } from "./claims-folder.ts";
import { openSharedLog, type SharedLog } from "./shared-log.ts";

export interface ClaimsOptions {
  /** The address on which the engine listens, which the engine passes to each of its providers: `127.0.0.1:34567`. */
  engineAddress: string;
  /** The provider that this process is. Each provider has resources of its own, even of one type and name. */
  provider: "dynamic" | "native";
  /** Identifies the platform of the resources. It is written to a file. */
  platform: string;
  /** Called if the claims cannot be shared, with the reason. */
  warn: (message: string) => void;
  /** Default: a folder of this user in the temporary folder. */
  folder?: string;
  /** When this process started, in milliseconds of the system's clock. */
  startedAt?: number;
}

const signOfLifeMilliseconds = 500;
/** The engine starts a process before it ends the one that it replaces, so both live at once. */
const overlapToleranceMilliseconds = 3 * signOfLifeMilliseconds;
/** A process that was suspended, or that can no longer write, does not hold up the others for longer. */
const silenceMilliseconds = 60_000;

const lineSchema = z.tuple([z.string(), z.string()]).rest(z.unknown());
const helloSchema = z.tuple([z.int(), z.string(), z.string(), z.number()]);
const signOfLifeSchema = z.tuple([z.number()]);

/**
 * Opens the claims of an operation, which all of its provider processes share through a file. Whatever prevents this is only
 * a warning: the process then works as if it were the only one. Define all kinds of events right after this call.
 *
 * A process that has ended counts if it was alive when this process started: the engine may let one process read and another
 * one check and write. Lines of an earlier operation, whose engine had the same address, do not count.
 */
export function openClaims({
  engineAddress,
  provider,
  platform,
  warn,
  folder = claimsFolder(),
  startedAt = performance.timeOrigin,
}: ClaimsOptions): Claims & Disposable {
  if (!/:\d+$/.test(engineAddress)) return { ...ownClaims(), [Symbol.dispose]: () => {} };
  const id = randomBytes(6).toString("base64url");
  const own: Writer = { provider, platform, isAlive: () => true };
  const writers = new Map<string, Writer & { hasWritten(): void }>();
  const handlers = new Map<string, (by: Writer, values: unknown[]) => void>();
  let pending: { line: string; apply: () => void }[] = [];
  let isFirstSync = true;
  /** Until this process lets other work run, so that a row of questions looks at the file once. */
  let isUpToDate = false;
  let log: SharedLog | undefined;

  const add = (apply: () => void, kind: string, ...values: readonly unknown[]) => {
    if (pending.length === 0) queueMicrotask(flush); // the others know of it before this process answers the engine
    pending.push({ line: JSON.stringify([id, kind, ...values]), apply });
  };

  const applyLine = ([writerId, kind, values]: Line) => {
    if (kind === "hello") return welcome(writerId, values);
    const other = writers.get(writerId);
    other?.hasWritten();
    const by = writerId === id ? own : other;
    if (by !== undefined) handlers.get(kind)?.(by, values);
  };
  const welcome = (writerId: string, values: unknown[]) => {
    const hello = helloSchema.safeParse(values);
    if (!hello.success || writerId === id) return;
    const [pid, itsProvider, itsPlatform] = hello.data;
    let lastHeardAt = performance.now();
    writers.set(writerId, {
      provider: itsProvider,
      platform: itsPlatform,
      isAlive: () => performance.now() - lastHeardAt < silenceMilliseconds && isRunning(pid),
      hasWritten: () => {
        lastHeardAt = performance.now();
      },
    });
  };

  function sync(): void {
    if (isUpToDate && pending.length === 0) return;
    isUpToDate = true;
    queueMicrotask(outdate);
    const added = pending;
    pending = [];
    try {
      const texts = added.map(({ line }) => line);
      const all = log?.exchange(texts) ?? texts;
      if (all !== texts) {
        const lines = all.flatMap((text) => parseLine(text) ?? []);
        const strangers = isFirstSync ? strangersAmong(lines, startedAt) : new Set();
        for (const line of lines) if (!strangers.has(line[0])) applyLine(line);
        isFirstSync = false;
        return;
      }
    } catch (error) {
      log?.[Symbol.dispose]();
      log = undefined;
      clearInterval(signsOfLife);
      warn(notShared(error));
    }
    for (const { apply } of added) apply();
  }

  const flush = () => {
    if (pending.length > 0) sync();
  };
  const outdate = () => {
    isUpToDate = false;
  };
  const nothing = () => {};
  const signsOfLife = setInterval(() => {
    add(nothing, "alive", Date.now());
    sync();
  }, signOfLifeMilliseconds).unref();
  try {
    makePrivateFolder(folder);
    log = openSharedLog(claimsFile(folder, engineAddress));
    setImmediate(() => removeUnused(folder, hasLivingWriter)).unref();
  } catch (error) {
    clearInterval(signsOfLife);
    warn(notShared(error));
  }
  add(nothing, "hello", process.pid, provider, platform, Date.now());

  return {
    own,
    isShared: true,
    define: (kind, schema, apply) => {
      handlers.set(kind, (by, values) => {
        const parsed = schema.safeParse(values);
        if (parsed.success) apply(by, ...parsed.data);
      });
      return (...values) => add(() => apply(own, ...values), kind, ...values);
    },
    sync,
    [Symbol.dispose]: () => {
      clearInterval(signsOfLife);
      log?.[Symbol.dispose]();
      log = undefined;
    },
  };
}

type Line = [writerId: string, kind: string, values: unknown[]];

/** A line of the file; `undefined` for half a line, which a killed process has left. */
function parseLine(text: string): Line[] | undefined {
  if (text === "") return undefined;
  try {
    const [writerId, kind, ...values] = lineSchema.parse(JSON.parse(text));
    return [[writerId, kind, values]];
  } catch {
    return undefined;
  }
}

/** The writers of earlier operations: they do not run, and did not when this process started. */
function strangersAmong(lines: readonly Line[], startedAt: number): Set<string> {
  const pids = new Map<string, number>();
  const lastSigns = new Map<string, number>();
  for (const [writerId, kind, values] of lines) {
    const hello = kind === "hello" ? helloSchema.safeParse(values).data : undefined;
    const sign = kind === "alive" ? signOfLifeSchema.safeParse(values).data : undefined;
    if (hello !== undefined) pids.set(writerId, hello[0]);
    const at = hello?.[3] ?? sign?.[0];
    if (at !== undefined) lastSigns.set(writerId, at);
  }
  const strangers = [...pids].filter(
    ([writerId, pid]) => (lastSigns.get(writerId) ?? 0) < startedAt - overlapToleranceMilliseconds && !isRunning(pid),
  );
  return new Set(strangers.map(([writerId]) => writerId));
}

/** Whether a process that wrote this file is running. */
function hasLivingWriter(text: string): boolean {
  const lines = text.split("\n").flatMap((line) => parseLine(line) ?? []);
  return lines.some(([, kind, values]) => {
    const hello = kind === "hello" ? helloSchema.safeParse(values).data : undefined;
    return hello !== undefined && isRunning(hello[0]);
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // it runs, under another user
  }
}

function notShared(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return (
    `the provider's processes cannot tell each other what they do: ${reason}. Set TMPDIR to a folder that can be written, ` +
    "before you move resources between the dynamic and the native provider in one up"
  );
}

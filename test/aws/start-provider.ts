import { spawn } from "node:child_process";
import { join } from "node:path";
import { end, firstLine, type Moto } from "./moto/start-moto.ts";

/** The tests' `aws` provider in its own process. */
export interface AwsProvider extends AsyncDisposable {
  /** Environment variables that make the engine use it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a provider that manages resources in `moto`. */
export async function startProvider(moto: Moto): Promise<AwsProvider> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "provider/main.ts")], {
    env: { ...process.env, ...moto.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await firstLine(child);
  return { env: { PULUMI_DEBUG_PROVIDERS: `aws:${port}` }, [Symbol.asyncDispose]: () => end(child) };
}

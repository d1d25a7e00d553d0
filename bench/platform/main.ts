// The platform of the benchmark, in a process of its own: an emulator behind a server that counts the requests, delays each
// of them, and has the additional routes that the Terraform contender needs. The process exits when its standard input
// ends, so it ends with the process that started it.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { listen } from "../../src/emulator/http/server.ts";
import { createEmulator } from "../../src/emulator/index.ts";
import { listLiveTenants } from "./live-tenants.ts";
import { createRequestCounter } from "./request-count.ts";
import { answerById } from "./routes-by-id.ts";

const { values } = parseArgs({
  options: {
    "api-key": { type: "string", default: "bench-key" },
    "latency-ms": { type: "string", default: "0" },
  },
});
const latencyMilliseconds = Number(values["latency-ms"]);
const emulator = await createEmulator({ apiKey: values["api-key"] });
const counter = createRequestCounter();
const front = await listen(answer, "127.0.0.1", 0);
const stop = async () => {
  await front.close();
  await emulator.close();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stopAndEnd);
process.stdin.resume().once("end", stopAndEnd);
console.log(`Address: ${front.url}`);

function stopAndEnd(): void {
  void stop().finally(() => process.exit());
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/_")) return answerControl(request, pathname);
  const end = counter.begin(request.method, pathname);
  try {
    if (latencyMilliseconds > 0) await sleep(latencyMilliseconds);
    return (await answerById(emulator, request)) ?? (await emulator.fetch(request));
  } catch (error) {
    return Response.json({ detail: String(error) }, { status: 500 });
  } finally {
    end();
  }
}

/** Answers the benchmark's own requests, which are neither counted nor delayed. */
async function answerControl(request: Request, pathname: string): Promise<Response> {
  if (pathname === "/_bench/tenants") return Response.json(await listLiveTenants(emulator));
  if (pathname !== "/_bench/requests") return emulator.fetch(request);
  if (request.method === "DELETE") counter.reset();
  return Response.json(counter.read());
}

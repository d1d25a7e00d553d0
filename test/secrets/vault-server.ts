import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../listen.ts";

/** A KV version 2 engine at `secret/`, as the documentation of Vault's HTTP API describes it, on a free port. */
export interface VaultServer extends AsyncDisposable {
  url: string;
  /** The environment of a process that may read its secrets. */
  environment: NodeJS.ProcessEnv;
  /** Adds a version of a secret. */
  put(path: string, data: object): void;
  /** The requests so far, as `GET /v1/secret/data/acme?version=1`, with their headers. */
  requests: { line: string; headers: IncomingMessage["headers"] }[];
  /** If set, it answers each request. */
  answer?: ((response: ServerResponse) => void) | undefined;
}

export const vaultToken = "hvs.test-token";

export async function startVault(): Promise<VaultServer> {
  const secrets = new Map<string, object[]>();
  const server = createServer((request, response) => {
    vault.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    if (vault.answer !== undefined) return vault.answer(response);
    const { status, body } = answerTo(secrets, request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const url = await listen(server);
  const vault: VaultServer = {
    url,
    environment: { VAULT_ADDR: url, VAULT_TOKEN: vaultToken },
    put: (path, data) => secrets.set(path, [...(secrets.get(path) ?? []), data]),
    requests: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
  return vault;
}

function answerTo(secrets: ReadonlyMap<string, object[]>, { headers, url = "" }: IncomingMessage) {
  const { pathname, searchParams } = new URL(url, "http://vault");
  if (headers["x-vault-token"] !== vaultToken) return { status: 403, body: { errors: ["permission denied"] } };
  const path = /^\/v1\/secret\/data\/(.+)$/.exec(pathname)?.[1];
  const versions = secrets.get(decodeURIComponent(path ?? "")) ?? [];
  const version = Number(searchParams.get("version") ?? versions.length);
  const data = versions[version - 1];
  if (data === undefined) return { status: 404, body: { errors: [] } };
  return { status: 200, body: { data: { data, metadata: { version, deletion_time: "", destroyed: false } } } };
}

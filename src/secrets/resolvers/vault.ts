import { request } from "undici";
import { isAllowedUrl } from "../../api/base-url.ts";
import { valueAt } from "../../json/key-path.ts";
import { parseJson } from "../../json/parse-json.ts";
import { decodeUtf8 } from "../../json/utf8.ts";
import type { Resolver } from "../secret-values.ts";
import { dividedAtKey, valueUnder } from "./json-key.ts";

const bytesMaximum = 1024 * 1024;

/**
 * `vault:MOUNT/PATH#key`: a key of a secret in a KV version 2 engine of Vault or OpenBao, `GET /v1/MOUNT/data/PATH`. The
 * version is that of the secret; default the current one. The environment says where Vault is: `VAULT_ADDR`, `VAULT_TOKEN`
 * and `VAULT_NAMESPACE`, as for its own command.
 *
 * @param allowInsecureHttp hosts to which the token may be sent over plain http.
 */
export function vaultResolver(environment: NodeJS.ProcessEnv, allowInsecureHttp: readonly string[]): Resolver {
  return async (rest, { version, signal }) => {
    const { name, key } = dividedAtKey(rest);
    const [mount = "", ...path] = name.split("/");
    if (mount === "" || path.length === 0 || path.includes("") || !key) {
      throw new Error("a vault: reference is like vault:MOUNT/PATH#key");
    }
    if ([mount, ...path].some(leavesItsPlace)) {
      throw new Error(
        "no part of a vault: path is . or .., has a backslash, or has one of these or a slash percent-encoded: " +
          "write the path as Vault shows it",
      );
    }
    if (version !== undefined && !/^[1-9]\d*$/.test(String(version))) {
      throw new Error("the version of a secret in Vault is a whole number from 1");
    }
    const { VAULT_ADDR: address = "", VAULT_TOKEN: token = "", VAULT_NAMESPACE: vaultNamespace = "" } = environment;
    const url = urlOf(address, [mount, "data", ...path], allowInsecureHttp);
    if (version !== undefined) url.searchParams.set("version", String(version));
    if (token === "") throw new Error("VAULT_TOKEN is not set where Pulumi runs");
    const headers = {
      "x-vault-token": token,
      "x-vault-request": "true",
      ...(vaultNamespace && { "x-vault-namespace": vaultNamespace }),
    };
    const { status, body } = await get(url, headers, signal);
    if (status !== 200) throw new Error(refusalOf(status, url));
    const decoded = decodeUtf8(body);
    if ("problem" in decoded) throw new Error(`${url.host} has answered with bytes that are not UTF-8`);
    const parsed = parseJson(decoded.text);
    const data = parsed.isJson ? valueAt(parsed.value, ["data", "data"]) : undefined;
    if (data === undefined || data === null) {
      throw new Error(`${url.host} has answered without data: is ${mount} a KV version 2 engine?`);
    }
    return valueUnder(data, key);
  };
}

/**
 * Whether a segment of a path could lead to another place: a URL drops `..` with the segment before it, and a proxy before
 * Vault may decode what is encoded, even twice.
 */
function leavesItsPlace(segment: string): boolean {
  return segment === "." || segment === ".." || /\\|%(25)*(2e|2f|5c)/i.test(segment) || !segment.isWellFormed();
}

function urlOf(address: string, path: readonly string[], allowInsecureHttp: readonly string[]): URL {
  const base = URL.parse(address);
  if (base === null) throw new Error("VAULT_ADDR is not set where Pulumi runs, or is not a URL");
  if (!isAllowedUrl(base, allowInsecureHttp)) {
    throw new Error(
      `VAULT_ADDR would send the token over plain http to ${base.host}. Use https, or add the host to ` +
        "integration-platform:allowInsecureHttp",
    );
  }
  base.pathname = [base.pathname.replace(/\/+$/, ""), "v1", ...path.map(encodeURIComponent)].join("/");
  base.search = "";
  base.hash = "";
  return base;
}

/** Sends a request. It follows no redirect, which could take the token to another host. */
async function get(url: URL, headers: Record<string, string>, signal: AbortSignal) {
  try {
    const { statusCode, body } = await request(url, { headers, signal });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of body) {
      parts.push(Buffer.from(part));
      size += parts.at(-1)?.length ?? 0;
      if (size > bytesMaximum) break;
    }
    return { status: statusCode, body: Buffer.concat(parts) };
  } catch (error) {
    const { code = "unknown error" } = Object(error);
    throw new Error(`${url.host} cannot be reached (${String(code)})`, { cause: error });
  }
}

function refusalOf(status: number, { host, pathname }: URL): string {
  const said = `${host} has answered ${status} to GET ${pathname}`;
  if (status === 403) return `${said}: VAULT_TOKEN may not read it, or has expired`;
  if (status === 404) return `${said}: there is no such secret, or not in this version`;
  if (status >= 300 && status < 400)
    return `${said}, a redirect, which is not followed. Set VAULT_ADDR to the active server`;
  return said;
}

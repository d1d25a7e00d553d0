import { BlockList, isIP, isIPv6 } from "node:net";
import { isLoopback } from "./base-url.ts";

/** The proxy of a request. */
export interface HttpProxy {
  /** As the variable has it, with a user name and a password. Undefined where it is none that can be used. */
  url: URL | undefined;
  /** For messages: without user name and password. */
  origin: string;
  /** The environment variable that names it. */
  variable: string;
  hasUser: boolean;
}

/**
 * The proxy that the environment names for a URL: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, none for what `NO_PROXY`
 * lists, and none for loopback. A name in lower case wins, as in curl; an empty value means none.
 *
 * Entries of `NO_PROXY`: a host, which stands for its subdomains too, also as `.host` or `*.host`; an address, or a range of
 * addresses such as `10.0.0.0/8`; each but a range optionally with a port; `*` for all.
 */
export function proxyOf(url: URL, environment: NodeJS.ProcessEnv): HttpProxy | undefined {
  const variable = variableOf(url, environment);
  const text = variable === undefined ? "" : (environment[variable] ?? "").trim();
  if (variable === undefined || text === "" || isLocal(url)) return undefined;
  if (isExcluded(url, environment.no_proxy ?? environment.NO_PROXY ?? "")) return undefined;
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  const isUsable = proxy !== null && /^https?:$/.test(proxy.protocol) && isEncoded(proxy.username + proxy.password);
  if (!isUsable) return { url: undefined, origin: "", variable, hasUser: false };
  return { url: proxy, origin: proxy.origin, variable, hasUser: proxy.username !== "" };
}

/** Whether a proxy may lead to a URL, and no variable names one. */
export function mayNeedProxy(url: URL, environment: NodeJS.ProcessEnv): boolean {
  return url.protocol === "https:" && !isLocal(url) && variableOf(url, environment) === undefined;
}

function variableOf(url: URL, environment: NodeJS.ProcessEnv): string | undefined {
  const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  return names.find((name) => environment[name] !== undefined);
}

function isLocal(url: URL): boolean {
  return isLoopback(nameOf(url)) || nameOf(url).endsWith(".localhost");
}

function isExcluded(url: URL, list: string): boolean {
  const host = withoutBrackets(nameOf(url));
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    const [name = "", bits] = entry
      .toLowerCase()
      .replace(/^\*?\./, "")
      .split("/");
    if (name === "*") return true;
    const listed = URL.parse(`host://${isIPv6(name) ? `[${name}]` : name}`);
    if (listed === null || listed.hostname === "" || (listed.port !== "" && listed.port !== port)) return false;
    const listedHost = withoutBrackets(nameOf(listed));
    if (bits !== undefined) return isInRange(host, listedHost, Number(bits));
    return host === listedHost || (isIP(host) === 0 && host.endsWith(`.${listedHost}`));
  });
}

function isInRange(host: string, network: string, bits: number): boolean {
  const family = isIP(network) === 6 ? "ipv6" : "ipv4";
  const isRange = isIP(network) !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= (family === "ipv6" ? 128 : 32);
  if (!isRange || isIP(host) !== isIP(network)) return false;
  const range = new BlockList();
  range.addSubnet(network, bits, family);
  return range.check(host, family);
}

/** The host name without the dot that ends a full name. */
function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

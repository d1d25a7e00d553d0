import { BlockList, isIPv4, isIPv6 } from "node:net";
import * as z from "zod";

/** Tells whether webhooks are taken from an address. */
export type IsAllowedSource = (address: string) => boolean;

/**
 * A list of source addresses with commas between: IPv4 and IPv6 addresses and CIDR ranges. An empty list allows all.
 * An IPv4 address and the same one mapped into IPv6 (`::ffff:192.0.2.1`) are alike.
 */
export const allowedSourcesSchema = z.string().transform((text, context): IsAllowedSource => {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const list = new BlockList();
  for (const entry of entries) {
    if (!add(list, entry)) context.addIssue(`"${entry}" is no IPv4 or IPv6 address and no CIDR range`);
  }
  return entries.length === 0 ? () => true : (address) => isInList(list, address);
});

function add(list: BlockList, entry: string): boolean {
  const [address = "", prefix, ...others] = entry.split("/");
  const family = familyOf(address);
  if (family === undefined || others.length > 0) return false;
  if (prefix === undefined) {
    list.addAddress(address, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === "ipv4" ? 32 : 128)) return false;
  list.addSubnet(address, Number(prefix), family);
  return true;
}

function isInList(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

/** Undefined for what is no address; one with a zone (`fe80::1%eth0`) only means something on its own machine. */
function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  if (isIPv4(address)) return "ipv4";
  return isIPv6(address) && !address.includes("%") ? "ipv6" : undefined;
}

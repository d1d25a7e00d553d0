import { BlockList, isIPv4, isIPv6 } from "node:net";
import * as z from "zod";

/** Whether the receiver accepts webhooks from an address. */
export type IsAllowedSource = (address: string) => boolean;

/**
 * Parses a comma-separated list of IPv4 addresses, IPv6 addresses and CIDR ranges. An empty list allows every source. An
 * IPv4 address equals its IPv4-mapped IPv6 address (`::ffff:192.0.2.1`).
 */
export const allowedSourcesSchema = z.string().transform((sources, context): IsAllowedSource => {
  const entries = sources
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const list = new BlockList();
  for (const entry of entries) {
    if (!add(list, entry)) context.addIssue(`"${entry}" is not an IP address or a CIDR range`);
  }
  return entries.length === 0 ? () => true : (address) => isInList(list, address);
});

/** Returns false if the entry is invalid. */
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

/** Returns undefined for an invalid address, or one with a zone (`fe80::1%eth0`): zones are local to a machine. */
function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  if (isIPv4(address)) return "ipv4";
  return isIPv6(address) && !address.includes("%") ? "ipv6" : undefined;
}

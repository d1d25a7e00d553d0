import { shortList } from "../../json/short-list.ts";

/** A number of tenants in messages: `1 tenant`, `212 tenants`. */
export function describeCount(tenants: number): string {
  return tenants === 1 ? "1 tenant" : `${tenants} tenants`;
}

/** The first 20 of some strings in messages: `acme, bluebird and 3 more`. */
export function listOf(texts: readonly string[]): string {
  return shortList(texts, { maximum: 20 });
}

import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { account, region } from "./resource-types/account.ts";
import { resourceTypes } from "./resource-types/index.ts";
import { unwrap } from "./wire.ts";

const recordSchema = z.record(z.string(), z.unknown());

/**
 * The part of the `aws` provider that the tests need. It sends requests with the AWS SDK to moto. Unlike the real provider
 * it has no defaults, validates hardly anything, and its refresh only detects deleted resources.
 */
export const provider: pulumi.provider.Provider = {
  version: "7.48.0",

  async check(urn, olds, news) {
    const { autonamed } = typeOf(urn);
    const inputs = recordSchema.parse(news);
    if (autonamed === undefined || inputs[autonamed] !== undefined) return { inputs };
    const name = recordSchema.parse(olds)[autonamed] ?? `${nameOf(urn)}-${randomBytes(4).toString("hex").slice(1)}`;
    return { inputs: { ...inputs, [autonamed]: name } };
  },

  async diff(_, urn, olds, news) {
    const [before, after] = [olds, news].map((side) => recordSchema.parse(unwrap(side)));
    const { replacedBy, isCreatedBeforeDeletion } = typeOf(urn);
    const replaces = replacedBy.filter((key) => !isDeepStrictEqual(before?.[key], after?.[key]));
    // With an empty answer the engine compares the inputs itself.
    return replaces.length > 0 ? { changes: true, replaces, deleteBeforeReplace: !isCreatedBeforeDeletion } : {};
  },

  async invoke(token) {
    if (token === "aws:index/getRegion:getRegion") return { outputs: { region } };
    if (token === "aws:index/getCallerIdentity:getCallerIdentity") return { outputs: { accountId: account } };
    throw new Error(`the tests' provider does not support ${token}`);
  },

  async create(urn, inputs) {
    const { id, outputs } = await typeOf(urn).create(unwrap(inputs));
    return { id, outs: { ...inputs, ...outputs } }; // keeps the wrapping, so that secrets stay secret
  },

  async read(id, urn, props) {
    const exists = await typeOf(urn).exists(id, unwrap(props));
    return exists ? { id, props } : {};
  },

  async update(id, urn, olds, news) {
    await typeOf(urn).update(id, unwrap(news));
    return { outs: { ...olds, ...news } };
  },

  async delete(id, urn, props) {
    await typeOf(urn).delete(id, unwrap(props));
  },
};

function typeOf(urn: string) {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const found = resourceTypes[type];
  if (found === undefined) {
    throw new Error(`the tests' provider does not support ${type}; add it to test/aws/provider/resource-types`);
  }
  return found;
}

function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

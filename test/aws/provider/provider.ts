import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { kinds } from "./kinds/index.ts";
import { unwrap } from "./wire.ts";

const recordSchema = z.record(z.string(), z.unknown());

/**
 * The `aws` provider as far as this project's tests need it. It makes real requests with the AWS SDK, to moto. Unlike
 * the real one it knows no defaults and validates next to nothing, and of what changed behind its back it sees no more
 * than what is gone.
 */
export const provider: pulumi.provider.Provider = {
  version: "7.48.0",

  async check(urn, olds, news) {
    const { autonamed } = kindOf(urn);
    const given = recordSchema.parse(news);
    if (autonamed === undefined || given[autonamed] !== undefined) return { inputs: given };
    const name = recordSchema.parse(olds)[autonamed] ?? `${nameOf(urn)}-${randomBytes(4).toString("hex").slice(1)}`;
    return { inputs: { ...given, [autonamed]: name } };
  },

  async diff(_, urn, olds, news) {
    const [before, after] = [olds, news].map((side) => recordSchema.parse(unwrap(side)));
    const replaces = kindOf(urn).replacedBy.filter((key) => !isDeepStrictEqual(before?.[key], after?.[key]));
    // Without an answer the engine compares the inputs by itself.
    return replaces.length > 0 ? { changes: true, replaces, deleteBeforeReplace: true } : {};
  },

  async create(urn, inputs) {
    const { id, outputs } = await kindOf(urn).create(unwrap(inputs));
    return { id, outs: { ...inputs, ...outputs } }; // the inputs with their wrapping: secrets stay secret
  },

  async read(id, urn, props) {
    const exists = await kindOf(urn).exists(id, unwrap(props));
    return exists ? { id, props } : {};
  },

  async update(id, urn, olds, news) {
    await kindOf(urn).update(id, unwrap(news));
    return { outs: { ...olds, ...news } };
  },

  async delete(id, urn, props) {
    await kindOf(urn).delete(id, unwrap(props));
  },
};

function kindOf(urn: string) {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const found = kinds[type];
  if (found === undefined) throw new Error(`the provider of the tests does not know ${type}`);
  return found;
}

function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

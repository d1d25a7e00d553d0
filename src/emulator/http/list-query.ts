import { z } from "zod";
import { type Page, sortFieldSchema } from "../store/page.ts";
import type { Variants } from "../variants.ts";
import { parseRequest } from "./parse.ts";
import { InvalidRequest, invalid } from "./problems.ts";

/** The part of a list's query that all lists have. */
export interface ListQuery extends Page {
  /** undefined means both the live and the archived; see the variant `archivedList`. */
  readonly archived: boolean | undefined;
}

const integerText = z
  .string()
  .regex(/^-?\d{1,15}$/, "Input should be a valid integer, unable to parse string as an integer")
  .transform(Number);

/** A query parameter with an integer of at least `min`; `fallback` when absent. */
export function integerQuery(min: number, fallback: number) {
  return integerText.pipe(z.int().min(min)).default(fallback);
}

/** The query that both lists have: specification, "GET /v2/integrations" and "GET /v2/tenants". */
export const listQuerySchema = z.object({
  sort_by: z.string().default(""),
  limit: integerQuery(1, 100),
  skip: integerQuery(0, 0),
  archived: z.stringbool({ error: "Input should be a valid boolean" }).default(false),
});

/**
 * The last value of each query parameter.
 *
 * @example `?limit=1&limit=2` gives `{limit: "2"}`
 */
export function queryOf(url: string): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams);
}

/** @throws InvalidRequest */
export function parseListQuery(query: Record<string, string>, variants: Variants): ListQuery {
  const { sort_by, limit, skip, archived } = parseRequest(listQuerySchema, query, "query");
  return {
    sort: parseSort(sort_by, variants),
    limit: Math.min(parseLimit(limit, variants), variants.pageSize === "capped" ? cappedPageSize : maxLimit),
    skip,
    archived: archived && variants.archivedList === "along" ? undefined : archived,
  };
}

/** Specification, "Limits". */
export const maxLimit = 500;

/** The most records of a page in the variant `pageSize=capped`. */
const cappedPageSize = 37;

function parseLimit(limit: number, { limitOver500 }: Variants): number {
  if (limit <= maxLimit) return limit;
  if (limitOver500 === "clamp") return maxLimit;
  throw new InvalidRequest([
    {
      loc: ["query", "limit"],
      msg: `Input should be less than or equal to ${maxLimit}`,
      type: "less_than_equal",
      input: String(limit),
      ctx: { le: maxLimit },
    },
  ]);
}

function parseSort(sortBy: string, { sorting }: Variants): Page["sort"] {
  if (sorting === "ignore") return { field: "modified_date", direction: "DESC" };
  if (sortBy === "") return { field: "id", direction: "ASC" };
  if (sorting === "refuse") throw invalid(["query", "sort_by"], "sorting is not supported", sortBy);
  const [, field, direction] = /^(.*)__(ASC|DESC)$/.exec(sortBy) ?? [];
  const known = sortFieldSchema.safeParse(field);
  if (known.success) return { field: known.data, direction: direction === "DESC" ? "DESC" : "ASC" };
  const fields = sortFieldSchema.options.join(", ");
  throw invalid(["query", "sort_by"], `must be {field}__ASC or {field}__DESC, the field one of ${fields}`, sortBy);
}

import { z } from "zod";
import { parseRequest } from "../rules/parse-request.ts";
import { InvalidRequest, invalid } from "../rules/problems.ts";
import { type Page, sortFieldSchema } from "../store/documents.ts";
import type { Variants } from "../variants.ts";

/** The query parameters that both lists have, parsed. */
export interface ListQuery extends Page {
  /** undefined means both live and archived records; see the variant `archivedList`. */
  readonly archived: boolean | undefined;
}

const integerString = z
  .string()
  .regex(/^-?\d{1,15}$/, "Input should be a valid integer, unable to parse string as an integer")
  .transform(Number);

/** A query parameter that holds an integer of at least `min`. `fallback` is the value of an absent one. */
export function integerQuery(min: number, fallback: number) {
  return integerString.pipe(z.int().min(min)).default(fallback);
}

/** The query parameters of both lists: specification, "GET /v2/integrations" and "GET /v2/tenants". */
export const listQuerySchema = z.object({
  sort_by: z.string().default("").meta({ description: "{field}__ASC or {field}__DESC" }),
  limit: integerQuery(1, 100),
  skip: integerQuery(0, 0).meta({ description: "how many records to skip" }),
  archived: z.stringbool({ error: "Input should be a valid boolean" }).default(false),
});

/** The query parameters of the list of a tenant's runs. */
export const pageQuerySchema = listQuerySchema.omit({ archived: true });

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
  const { archived, ...page } = parseRequest(listQuerySchema, query, "query");
  return {
    ...pageOf(page, variants),
    archived: archived && variants.archivedList === "along" ? undefined : archived,
  };
}

/** @throws InvalidRequest */
export function parsePageQuery(query: Record<string, string>, variants: Variants): Page {
  return pageOf(parseRequest(pageQuerySchema, query, "query"), variants);
}

function pageOf({ sort_by, limit, skip }: z.infer<typeof pageQuerySchema>, variants: Variants): Page {
  return {
    sort: parseSort(sort_by, variants),
    limit: Math.min(parseLimit(limit, variants), variants.pageSize === "capped" ? cappedPageSize : maxLimit),
    skip,
  };
}

/** Specification, "Limits". */
export const maxLimit = 500;

/** The longest page in the variant `pageSize=capped`. */
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
  throw invalid(
    ["query", "sort_by"],
    `must be {field}__ASC or {field}__DESC, with one of the fields ${fields}`,
    sortBy,
  );
}

/**
 * The value of a path parameter that the specification declares as an integer.
 *
 * @throws InvalidRequest when it is not an integer.
 */
export function integerParameter(name: string, value: string): number {
  const integer = Number(value);
  if (/^-?\d+$/.test(value) && Number.isSafeInteger(integer)) return integer;
  throw invalid(["path", name], "Input should be a valid integer, unable to parse string as an integer", value);
}

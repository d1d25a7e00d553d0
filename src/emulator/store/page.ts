import { z } from "zod";

/** The fields that lists can be sorted by; the specification does not name them. */
export const sortFieldSchema = z.enum(["id", "name", "created_date", "modified_date"]);
export type SortField = z.infer<typeof sortFieldSchema>;

/** Which part of a list is asked for. */
export interface Page {
  readonly sort: { readonly field: SortField; readonly direction: "ASC" | "DESC" };
  readonly limit: number;
  readonly skip: number;
}

/** ORDER BY and LIMIT of a page. Ends in the id, so that the order is total and pages do not overlap. */
export function pageClause({ sort }: Page): string {
  const order = sort.field === "id" ? `id ${sort.direction}` : `${sort.field} ${sort.direction}, id ${sort.direction}`;
  return `ORDER BY ${order} LIMIT ? OFFSET ?`;
}

import { z } from "zod";
import type { Statements } from "./statements.ts";

/** A table of JSON documents, each with an id. Conditions are SQL. */
export interface Documents<Entity extends { readonly id: number }> {
  find(id: number): Entity | undefined;
  /** The first match, in the order of ids. */
  findWhere(condition: string, ...values: (string | number)[]): Entity | undefined;
  /** All matches, in the order of ids. */
  listWhere(condition: string, ...values: (string | number)[]): Entity[];
  /** One page of the matches. */
  listPage(page: Page, condition: string, ...values: (string | number)[]): Entity[];
  /** At most `limit` matches, the newest first. */
  newest(limit: number, condition?: string, ...values: (string | number)[]): Entity[];
  /** How many documents match. */
  count(condition?: string, ...values: (string | number)[]): number;
  /** Inserts the document, or replaces the one with its id. */
  write(entity: Entity): void;
  /** Replaces the document with this id; does nothing when there is none. */
  update(entity: Entity): void;
  /** Removes all documents that match the condition, except the newest `count` of the table. Default: all match. */
  deleteAllButNewest(count: number, condition?: string, ...values: (string | number)[]): void;
  nextId(): number;
}

/** The fields that lists can be sorted by. The specification does not name them. */
export const sortFieldSchema = z.enum(["id", "name", "created_date", "modified_date"]);
export type SortField = z.infer<typeof sortFieldSchema>;

/** A part of a sorted list. */
export interface Page {
  readonly sort: { readonly field: SortField; readonly direction: "ASC" | "DESC" };
  readonly limit: number;
  readonly skip: number;
}

type Table = "integrations" | "releases" | "builds" | "triggers" | "runs" | "deliveries" | "emails" | "api_keys";

/** @param firstId the id of the first document ever. */
export function documents<Entity extends { readonly id: number }>(
  statements: Statements,
  table: Table,
  firstId: number,
): Documents<Entity> {
  const parse = (document: unknown): Entity => JSON.parse(String(document));
  const first = (document: unknown) => (document === undefined ? undefined : parse(document));
  return {
    find: (id) => first(statements.value(`SELECT document FROM ${table} WHERE id = ?`, id)),
    findWhere: (condition, ...values) =>
      first(statements.value(`SELECT document FROM ${table} WHERE ${condition} ORDER BY id LIMIT 1`, ...values)),
    listWhere: (condition, ...values) =>
      statements.values(`SELECT document FROM ${table} WHERE ${condition} ORDER BY id`, ...values).map(parse),
    listPage: (page, condition, ...values) =>
      statements
        .values(
          `SELECT document FROM ${table} WHERE ${condition} ${pageClause(page)}`,
          ...values,
          page.limit,
          page.skip,
        )
        .map(parse),
    newest: (limit, condition = "TRUE", ...values) =>
      statements
        .values(`SELECT document FROM ${table} WHERE ${condition} ORDER BY id DESC LIMIT ?`, ...values, limit)
        .map(parse),
    count: (condition = "TRUE", ...values) =>
      Number(statements.value(`SELECT count(*) FROM ${table} WHERE ${condition}`, ...values)),
    write: (entity) =>
      statements.run(
        `INSERT INTO ${table} (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document`,
        entity.id,
        JSON.stringify(entity),
      ),
    update: (entity) =>
      statements.run(`UPDATE ${table} SET document = ? WHERE id = ?`, JSON.stringify(entity), entity.id),
    deleteAllButNewest: (count, condition = "TRUE", ...values) =>
      statements.run(
        `DELETE FROM ${table} WHERE id <= (SELECT max(id) FROM ${table}) - ? AND (${condition})`,
        count,
        ...values,
      ),
    nextId: () =>
      Number(
        statements.value(
          `SELECT max(coalesce((SELECT max(id) FROM ${table}), ?),
                      coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)) + 1`,
          firstId - 1,
          table,
        ),
      ),
  };
}

/** The ORDER BY and LIMIT of a page. The id comes last, so that the order is total and pages do not overlap. */
export function pageClause({ sort }: Page): string {
  const order = sort.field === "id" ? `id ${sort.direction}` : `${sort.field} ${sort.direction}, id ${sort.direction}`;
  return `ORDER BY ${order} LIMIT ? OFFSET ?`;
}

import type { Statements } from "./statements.ts";

/** A table of JSON documents, each with an id. */
export interface Documents<Entity extends { readonly id: number }> {
  find(id: number): Entity | undefined;
  /** The first match of an SQL condition, in the order of ids. */
  findWhere(condition: string, ...values: (string | number)[]): Entity | undefined;
  /** All matches of an SQL condition, in the order of ids. */
  listWhere(condition: string, ...values: (string | number)[]): Entity[];
  /** The newest first. */
  newest(limit: number, condition?: string, ...values: (string | number)[]): Entity[];
  /** Puts in a new one or replaces it. */
  write(entity: Entity): void;
  /** Replaces it; does nothing when it is gone. */
  update(entity: Entity): void;
  /** Forgets all but so many of the newest. */
  keepNewest(count: number): void;
  nextId(): number;
}

type Table = "builds" | "triggers" | "runs" | "deliveries" | "emails" | "api_keys";

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
    newest: (limit, condition = "TRUE", ...values) =>
      statements
        .values(`SELECT document FROM ${table} WHERE ${condition} ORDER BY id DESC LIMIT ?`, ...values, limit)
        .map(parse),
    write: (entity) =>
      statements.run(
        `INSERT INTO ${table} (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document`,
        entity.id,
        JSON.stringify(entity),
      ),
    update: (entity) =>
      statements.run(`UPDATE ${table} SET document = ? WHERE id = ?`, JSON.stringify(entity), entity.id),
    keepNewest: (count) => statements.run(`DELETE FROM ${table} WHERE id <= (SELECT max(id) FROM ${table}) - ?`, count),
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

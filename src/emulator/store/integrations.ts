import type { IntegrationRecord } from "../entities/integration.ts";
import { type Page, pageClause } from "./page.ts";
import type { Statements } from "./statements.ts";

export interface IntegrationStore {
  /** @param archived undefined means both. */
  list(query: Page & { readonly archived: boolean | undefined }): IntegrationRecord[];
  /** Of all, live or archived. */
  ids(): number[];
  /** Live or archived. */
  find(id: number): IntegrationRecord | undefined;
  findByName(name: string): IntegrationRecord | undefined;
  write(integration: IntegrationRecord): void;
  nextId(): number;
}

export function integrationStore(statements: Statements): IntegrationStore {
  return {
    list: (query) =>
      statements
        .values(
          `SELECT document FROM integrations ${query.archived === undefined ? "" : `WHERE archived = ${query.archived ? 1 : 0}`} ${pageClause(query)}`,
          query.limit,
          query.skip,
        )
        .map(parse),
    ids: () => statements.values("SELECT id FROM integrations ORDER BY id").map(Number),
    find: (id) => parseFound(statements.value("SELECT document FROM integrations WHERE id = ?", id)),
    findByName: (name) =>
      parseFound(statements.value("SELECT document FROM integrations WHERE name = ? ORDER BY id LIMIT 1", name)),
    write: (integration) =>
      statements.run(
        "INSERT INTO integrations (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document",
        integration.id,
        JSON.stringify(integration),
      ),
    nextId: () => Number(statements.value("SELECT coalesce(max(id), 100) + 1 FROM integrations")),
  };
}

function parse(document: unknown): IntegrationRecord {
  return JSON.parse(String(document));
}

function parseFound(document: unknown): IntegrationRecord | undefined {
  return document === undefined ? undefined : parse(document);
}

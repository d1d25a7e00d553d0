import type { ReleaseRecord } from "../entities/release.ts";
import type { Statements } from "./statements.ts";

export interface ReleaseStore {
  /** All releases of an integration, by id. */
  list(integrationId: number): ReleaseRecord[];
  find(id: number): ReleaseRecord | undefined;
  /** The newest by `created_date`; among equals the one with the greatest id. */
  findLatest(integrationId: number): ReleaseRecord | undefined;
  write(release: ReleaseRecord): void;
  nextId(): number;
}

export function releaseStore(statements: Statements): ReleaseStore {
  return {
    list: (integrationId) =>
      statements.values("SELECT document FROM releases WHERE integration_id = ? ORDER BY id", integrationId).map(parse),
    find: (id) => parseFound(statements.value("SELECT document FROM releases WHERE id = ?", id)),
    findLatest: (integrationId) =>
      parseFound(
        statements.value(
          "SELECT document FROM releases WHERE integration_id = ? ORDER BY created_date DESC, id DESC LIMIT 1",
          integrationId,
        ),
      ),
    write: (release) =>
      statements.run(
        "INSERT INTO releases (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document",
        release.id,
        JSON.stringify(release),
      ),
    nextId: () => Number(statements.value("SELECT coalesce(max(id), 900) + 1 FROM releases")),
  };
}

function parse(document: unknown): ReleaseRecord {
  return JSON.parse(String(document));
}

function parseFound(document: unknown): ReleaseRecord | undefined {
  return document === undefined ? undefined : parse(document);
}

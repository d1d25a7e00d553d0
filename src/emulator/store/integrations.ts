import type { IntegrationRecord } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import { documents, type Page } from "./documents.ts";
import type { Statements } from "./statements.ts";

/** All integrations, live or archived. */
export interface IntegrationStore {
  /** @param query.archived undefined means both live and archived. */
  list(query: Page & { readonly archived: boolean | undefined }): IntegrationRecord[];
  ids(): number[];
  /** How many are not archived. */
  count(): number;
  find(id: number): IntegrationRecord | undefined;
  findByName(name: string): IntegrationRecord | undefined;
  write(integration: IntegrationRecord): void;
  nextId(): number;
}

export interface ReleaseStore {
  /** All releases of an integration, by id. */
  list(integrationId: number): ReleaseRecord[];
  find(id: number): ReleaseRecord | undefined;
  /** The release with the latest `created_date`; of several, the one with the greatest id. */
  findLatest(integrationId: number): ReleaseRecord | undefined;
  write(release: ReleaseRecord): void;
  nextId(): number;
}

export function integrationStore(statements: Statements): IntegrationStore {
  const { find, findWhere, listPage, count, write, nextId } = documents<IntegrationRecord>(
    statements,
    "integrations",
    101,
  );
  return {
    list: (query) => listPage(query, query.archived === undefined ? "TRUE" : `archived = ${query.archived ? 1 : 0}`),
    ids: () => statements.values("SELECT id FROM integrations ORDER BY id").map(Number),
    count: () => count("archived = 0"),
    find,
    findByName: (name) => findWhere("name = ?", name),
    write,
    nextId,
  };
}

export function releaseStore(statements: Statements): ReleaseStore {
  const { find, listPage, listWhere, write, nextId } = documents<ReleaseRecord>(statements, "releases", 901);
  return {
    list: (integrationId) => listWhere("integration_id = ?", integrationId),
    find,
    findLatest: (integrationId) => listPage(latest, "integration_id = ?", integrationId)[0],
    write,
    nextId,
  };
}

const latest: Page = { sort: { field: "created_date", direction: "DESC" }, limit: 1, skip: 0 };

import type { TenantRecord } from "../entities/tenant.ts";
import { parseKeepingNumbers } from "../rules/kept-numbers.ts";
import { type Page, pageClause } from "./page.ts";
import { shownLater } from "./shown-later.ts";
import type { Statements } from "./statements.ts";

export interface TenantQuery extends Page {
  /** undefined means both. */
  readonly archived: boolean | undefined;
  readonly integrationId: number | undefined;
  readonly userName: string | undefined;
  /** A part of the name, whatever its case. */
  readonly namePart?: string | undefined;
}

export interface TenantStore {
  /** The tenants as readers see them at `now` (milliseconds since the epoch). */
  list(query: TenantQuery, now: number): TenantRecord[];
  /** The tenant as last written, live or archived. */
  find(id: number): TenantRecord | undefined;
  /** The tenant as readers see it at `now`. */
  findShown(id: number, now: number): TenantRecord | undefined;
  /** The ids of the live tenants of a name, as last written. */
  findLive(integrationId: number, name: string): number[];
  /** The live tenants of an integration, as last written. */
  listLive(integrationId: number): TenantRecord[];
  /** @param shownAt when readers see it; undefined means at once. */
  write(tenant: TenantRecord, shownAt?: number): void;
  /** Tenants are never removed, so ids are never used again. */
  nextId(): number;
}

export function tenantStore(statements: Statements): TenantStore {
  const rows = shownLater(statements, "tenants");
  return {
    list: (query, now) => {
      rows.showDue(now);
      const { conditions, values } = filters(query);
      return statements
        .values(
          `SELECT shown FROM tenants WHERE ${conditions} ${pageClause(query)}`,
          ...values,
          query.limit,
          query.skip,
        )
        .map(parse);
    },
    find: (id) => parseFound(statements.value("SELECT written FROM tenants WHERE id = ?", id)),
    findShown: (id, now) => {
      rows.showDue(now);
      return parseFound(statements.value("SELECT shown FROM tenants WHERE id = ? AND shown IS NOT NULL", id));
    },
    findLive: (integrationId, name) =>
      statements
        .values(
          "SELECT id FROM tenants WHERE live_name = ? AND written ->> '$.integration_id' = ? ORDER BY id",
          name,
          integrationId,
        )
        .map(Number),
    listLive: (integrationId) =>
      statements
        .values(
          "SELECT written FROM tenants WHERE live_name IS NOT NULL AND written ->> '$.integration_id' = ? ORDER BY id",
          integrationId,
        )
        .map(parse),
    write: (tenant, shownAt) => rows.write(tenant.id, JSON.stringify(tenant), shownAt),
    nextId: () => Number(statements.value("SELECT coalesce(max(id), 5000) + 1 FROM tenants")),
  };
}

function filters({ archived, integrationId, userName, namePart }: TenantQuery) {
  const conditions: string[] = [archived === undefined ? "archived IS NOT NULL" : `archived = ${archived ? 1 : 0}`];
  const values: (number | string)[] = [];
  if (integrationId !== undefined) {
    conditions.push("integration_id = ?");
    values.push(integrationId);
  }
  if (userName !== undefined) {
    conditions.push("user_name = ?");
    values.push(userName);
  }
  if (namePart !== undefined) {
    conditions.push("instr(lower(name), lower(?)) > 0");
    values.push(namePart);
  }
  return { conditions: conditions.join(" AND "), values };
}

function parse(document: unknown): TenantRecord {
  return parseKeepingNumbers(String(document));
}

function parseFound(document: unknown): TenantRecord | undefined {
  return document === undefined ? undefined : parse(document);
}

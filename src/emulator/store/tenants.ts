import type { ReleaseChannel } from "../entities/integration.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { parseExactJson } from "../rules/json.ts";
import { delayedRows, type HiddenPeriod } from "./delayed-visibility.ts";
import { type Page, pageClause } from "./documents.ts";
import type { Statements, Transaction } from "./statements.ts";

/** Which tenants a list has. */
export interface TenantFilter {
  /** undefined means both live and archived. */
  readonly archived: boolean | undefined;
  readonly integrationId: number | undefined;
  readonly userName: string | undefined;
  /** A part of the name. Case does not matter. */
  readonly namePart?: string | undefined;
}

export interface TenantQuery extends Page, TenantFilter {}

/** How many tenants an integration has. The last three count live tenants only. */
export interface TenantCounts {
  readonly integration_id: number;
  readonly archived: number;
  readonly live: number;
  readonly paused: number;
  /** Tenants that have connected all of their own connectors. */
  readonly connected: number;
}

export interface TenantStore {
  /** The tenants that readers see at `now`, in milliseconds since the epoch. */
  list(query: TenantQuery, now: number): TenantRecord[];
  /** How many tenants readers see at `now`. */
  count(filter: TenantFilter, now: number): number;
  /** The tenants that readers see at `now`, counted for each integration that has one. */
  countByIntegration(now: number): TenantCounts[];
  /** The latest document of a tenant, live or archived. */
  find(id: number): TenantRecord | undefined;
  /** The document of a tenant that readers see at `now`. */
  findVisible(id: number, now: number): TenantRecord | undefined;
  /** The ids of the live tenants with this name, by their latest documents. */
  findLive(integrationId: number, name: string): number[];
  /** The live tenants of an integration, by their latest documents. */
  listLive(integrationId: number): TenantRecord[];
  /** The newest live tenant of an integration that this user installed, by the latest documents. */
  findLiveOfUser(integrationId: number, userName: string): TenantRecord | undefined;
  /** How many live tenants of an integration have a release by this channel, by their latest documents. */
  countLiveByChannel(integrationId: number, channel: ReleaseChannel): number;
  /** @param hidden when readers do not see the document; undefined means that they see it at once. */
  write(tenant: TenantRecord, hidden?: HiddenPeriod): void;
  /** Only a reset removes tenants, so no id is used twice. */
  nextId(): number;
}

export function tenantStore(statements: Statements, transaction: Transaction): TenantStore {
  const rows = delayedRows(statements, transaction, "tenants");
  return {
    list: (query, now) => {
      rows.publishDue(now);
      const { conditions, values } = filters(query);
      return statements
        .values(
          `SELECT visible FROM tenants WHERE ${conditions} ${pageClause(query)}`,
          ...values,
          query.limit,
          query.skip,
        )
        .map(parse);
    },
    count: (filter, now) => {
      rows.publishDue(now);
      const { conditions, values } = filters(filter);
      return Number(statements.value(`SELECT count(*) FROM tenants WHERE ${conditions}`, ...values));
    },
    countByIntegration: (now) => {
      rows.publishDue(now);
      return statements.values(countsByIntegration).map((counts): TenantCounts => JSON.parse(String(counts)));
    },
    find: (id) => parseFound(statements.value("SELECT written FROM tenants WHERE id = ?", id)),
    findVisible: (id, now) => {
      rows.publishDue(now);
      return parseFound(statements.value("SELECT visible FROM tenants WHERE id = ? AND visible IS NOT NULL", id));
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
    findLiveOfUser: (integrationId, userName) =>
      parseFound(
        statements.value(
          `SELECT written FROM tenants WHERE live_name IS NOT NULL AND written ->> '$.integration_id' = ?
           AND written ->> '$.user_name' = ? ORDER BY id DESC LIMIT 1`,
          integrationId,
          userName,
        ),
      ),
    countLiveByChannel: (integrationId, channel) =>
      Number(
        statements.value(
          `SELECT count(*) FROM tenants WHERE live_name IS NOT NULL AND written ->> '$.integration_id' = ?
           AND written ->> '$.integration_release_channel' = ?`,
          integrationId,
          channel,
        ),
      ),
    write: (tenant, hidden) => rows.write(tenant.id, JSON.stringify(tenant), hidden),
    nextId: () => Number(statements.value("SELECT coalesce(max(id), 5000) + 1 FROM tenants")),
  };
}

const countsByIntegration = `
  SELECT json_object(
    'integration_id', integration_id,
    'archived', sum(archived),
    'live', sum(NOT archived),
    'paused', sum(NOT archived AND coalesce(visible ->> '$.paused', 1)),
    'connected', sum(NOT archived AND coalesce(visible ->> '$.status.auth.connected', 0))
  )
  FROM tenants WHERE archived IS NOT NULL GROUP BY integration_id`;

function filters({ archived, integrationId, userName, namePart }: TenantFilter) {
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
  return parseExactJson(String(document));
}

function parseFound(document: unknown): TenantRecord | undefined {
  return document === undefined ? undefined : parse(document);
}

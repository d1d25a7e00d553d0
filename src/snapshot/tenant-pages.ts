import type { Client, Tenant } from "../api/index.ts";
import { ValidationError } from "../api/index.ts";

/** The largest page the service gives (specification, Limits). */
const pageSizeMaximum = 500;
const stepsBackMaximum = 5;

/** Which part of an integration's tenants to read. */
export interface TenantPagesQuery {
  /** Absent: of all integrations. */
  integrationId?: number;
  /** Default false: the live ones. */
  archived?: boolean;
  /** Where to begin, in tenants. Default 0. */
  skip?: number;
  /** Tenants a page, at most 500, the default. */
  pageSize?: number;
  /** Asked after each page with that page: true ends the reading. Default: read to the end. */
  isEnough?: (page: readonly Tenant[]) => boolean;
}

/** Reads tenants, page by page, by ascending id where the platform sorts. */
export interface TenantPages {
  read(query: TenantPagesQuery): Promise<Map<number, Tenant>>;
  /** False once the platform has refused to sort: positions then say nothing about ids. */
  isSorted(): boolean;
}

/**
 * Pages overlap by one tenant. If that one is not where it was, the list has shifted while it was read (someone archived
 * a tenant), and the page before is read again: else a tenant that moved across the edge would seem to be missing.
 */
export function tenantPages(client: Client): TenantPages {
  let isSorted = true;

  const readPage = async (query: { integrationId?: number; archived: boolean; skip: number; limit: number }) => {
    if (!isSorted) return client.tenants.listPage(query);
    try {
      return await client.tenants.listPage({ ...query, sortBy: { field: "id", direction: "ASC" } });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      isSorted = false; // the specification does not say which fields can be sorted by
      return client.tenants.listPage(query);
    }
  };

  const read = async ({ archived = false, isEnough, ...position }: TenantPagesQuery) => {
    const { integrationId } = position;
    const of = integrationId === undefined ? {} : { integrationId };
    const limit = Math.max(2, Math.min(position.pageSize ?? pageSizeMaximum, pageSizeMaximum));
    const tenants = new Map<number, Tenant>();
    let skip = position.skip ?? 0;
    let lastId: number | undefined;
    let stepsBack = 0;
    for (;;) {
      const page = await readPage({ ...of, archived, skip, limit });
      for (const tenant of page) tenants.set(tenant.id, tenant);
      const hasShifted = lastId !== undefined && page[0]?.id !== lastId;
      if (hasShifted && stepsBack < stepsBackMaximum) {
        stepsBack += 1;
        skip = Math.max(0, skip - limit);
        lastId = undefined;
        continue;
      }
      if (page.length < limit || isEnough?.(page) === true) return tenants;
      lastId = page.at(-1)?.id;
      skip += limit - 1;
    }
  };

  return { read, isSorted: () => isSorted };
}

import type { Statements } from "./statements.ts";

/** A change of how many live tenants of an integration have a release. */
export interface AdoptionChange {
  /** In milliseconds since the epoch, in whole seconds. */
  readonly at: number;
  /** null for the tenants without a release. */
  readonly releaseId: number | null;
  readonly change: number;
}

/** How many live tenants had which release, over time: the changes, those of one second as one. */
export interface ReleaseAdoptionStore {
  add(integrationId: number, change: AdoptionChange): void;
  /** The changes of an integration, by their times. */
  list(integrationId: number): AdoptionChange[];
  isEmpty(): boolean;
}

export function releaseAdoptionStore(statements: Statements): ReleaseAdoptionStore {
  return {
    add: (integrationId, { at, releaseId, change }) =>
      statements.run(
        `INSERT INTO release_adoption (integration_id, at, release_id, change) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET change = change + excluded.change`,
        integrationId,
        Math.floor(at / 1000) * 1000,
        releaseId ?? noRelease,
        change,
      ),
    list: (integrationId) =>
      statements
        .values(
          `SELECT json_object('at', at, 'releaseId', nullif(release_id, ${noRelease}), 'change', change)
           FROM release_adoption WHERE integration_id = ? AND change <> 0 ORDER BY at, release_id`,
          integrationId,
        )
        .map((change): AdoptionChange => JSON.parse(String(change))),
    isEmpty: () => statements.value("SELECT EXISTS (SELECT 1 FROM release_adoption)") === 0,
  };
}

/** In the primary key, where null would be different from every other null. No release has this id. */
const noRelease = 0;

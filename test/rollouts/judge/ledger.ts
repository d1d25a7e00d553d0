import { z } from "zod";
import type { Exchange } from "../gate.ts";
import { isSync, triggerIn } from "../runs.ts";

/** A sync that was asked for. */
export interface Sync {
  readonly tenantId: number;
  /** What the tenant ran when it was asked for, as the reads before had shown. */
  readonly shown: string | undefined;
  /** Whether the last read before had shown a run under way. */
  readonly hadRun: boolean;
  /** The last word that a process got. */
  word: string | undefined;
}

const tenantSchema = z.looseObject({
  id: z.int(),
  integration_release_id: z.int().nullish(),
  integration_release_channel: z.string().nullish(),
  status: z.looseObject({ current_run: z.unknown() }).nullish(),
});

const successWords = ["succeeded", "success", "done"];
const failureWords = ["failed", "failure"];

/** What the processes of a stack were shown, and asked for. It outlives a process that was killed. */
export class Ledger {
  readonly #shown = new Map<number, { release: string | undefined; hasRun: boolean }>();
  readonly syncs = new Map<string, Sync>();

  /** Notes what a process gets. @returns the sync that has just failed, for the first time. */
  note({ method, path, status, tenantId, answer }: Exchange): Sync | undefined {
    if (status === undefined || status >= 300) return undefined;
    if (method === "GET" && /^\/v2\/tenants(\/\d+)?(\?|$)/.test(path)) this.#noteTenants(answer);
    if (method === "PATCH" && tenantId !== undefined) this.forget(tenantId);
    if (method === "POST" && tenantId !== undefined && isSync(path)) {
      const { release: shown, hasRun: hadRun = false } = this.#shown.get(tenantId) ?? {};
      this.syncs.set(String(Object(answer).trigger_id), { tenantId, shown, hadRun, word: undefined });
    }
    const sync = this.syncs.get(triggerIn(path) ?? "");
    if (method !== "GET" || sync === undefined) return undefined;
    const wasFailed = isFailure(sync);
    sync.word = String(Object(answer).status);
    return isFailure(sync) && !wasFailed ? sync : undefined;
  }

  /** A tenant was changed: what was shown of it counts no longer. */
  forget(tenantId: number): void {
    this.#shown.delete(tenantId);
  }

  /** Whether a sync proved a tenant on a release: asked for after a read had shown it, without a run under way. */
  isProven(tenantId: number, release: number): boolean {
    return [...this.syncs.values()].some(
      (sync) =>
        sync.tenantId === tenantId &&
        sync.shown === String(release) &&
        !sync.hadRun &&
        successWords.includes(sync.word?.toLowerCase() ?? ""),
    );
  }

  #noteTenants(answer: unknown): void {
    for (const found of [answer].flat()) {
      const { data: tenant } = tenantSchema.safeParse(found);
      if (tenant === undefined) continue;
      const { integration_release_id: id, integration_release_channel: channel, status } = tenant;
      const release = channel || (id === null || id === undefined ? undefined : String(id));
      const hasRun = Object.keys(Object(status?.current_run)).length > 0;
      this.#shown.set(tenant.id, { release, hasRun });
    }
  }
}

function isFailure({ word }: Sync): boolean {
  return failureWords.includes(word?.toLowerCase() ?? "");
}

import type { Exchange, Replacement } from "./gate.ts";
import { readOne } from "./raw-tenant.ts";
import type { Scene } from "./scene.ts";
import type { Ending } from "./story.ts";

/** How the runs of releases end, and the triggers that were asked for. */
export interface Runs {
  /** @param tenantId `undefined`: of all tenants. */
  set(release: string, tenantId: number | undefined, ending: Ending): void;
  clear(): void;
  before(exchange: Exchange): Promise<void>;
  after(exchange: Exchange): Promise<Replacement | undefined>;
}

export function createRuns(scene: Scene): Runs {
  const endings = new Map<string, Ending>();
  const byTrigger = new Map<string, Ending>();
  const pending = new Map<Exchange["number"], Ending>();
  const endingOf = async (tenantId: number): Promise<Ending> => {
    const release = (await readOne(scene, tenantId))?.runs ?? "";
    return endings.get(`${release} ${tenantId}`) ?? endings.get(`${release} all`) ?? "success";
  };
  return {
    set: (release, tenantId, ending) => {
      if (tenantId === undefined)
        for (const key of endings.keys()) if (key.startsWith(`${release} `)) endings.delete(key);
      endings.set(`${release} ${tenantId ?? "all"}`, ending);
    },
    clear: () => endings.clear(),
    before: async ({ number, method, path, tenantId }) => {
      if (tenantId === undefined || method !== "POST" || !isSync(path)) return;
      const ending = await endingOf(tenantId);
      pending.set(number, ending);
      const runs = { takes_seconds: ending === "slow" ? 400 : 0, outcome: ending === "failure" ? "fail" : "succeed" };
      await scene.call("PATCH", `/_emulator/tenants/${tenantId}`, { runs }).catch(() => {});
    },
    after: async ({ number, method, path, status, answer }) => {
      if (method === "POST" && isSync(path) && status === 202) {
        byTrigger.set(String(Object(answer).trigger_id), pending.get(number) ?? "success");
      }
      const ending = byTrigger.get(triggerIn(path) ?? "");
      if (ending === "silent") return { status: 404, body: { message: "no run yet" } };
      if (ending === "unknown" && status === 200) return { status, body: { status: "wobbling" } };
      return undefined;
    },
  };
}

export function isSync(path: string): boolean {
  return /^\/v2\/tenants\/\d+\/sync(\?|$)/.test(path);
}

/** The trigger whose status is asked for. */
export function triggerIn(path: string): string | undefined {
  return /^\/v2\/runs\/triggers\/([^/]+)\/status/.exec(path)?.[1];
}

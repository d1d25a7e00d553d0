import { readStore } from "./raw-store.ts";
import type { Scene } from "./scene.ts";
import type { Deed } from "./story.ts";

/** What somebody else did, as far as the judge has to know it. */
export interface Done {
  readonly id: number;
  /** The path that changed: `paused`, `configs.theirs`, `archived`. */
  readonly path: string;
  /** What is there now, as JSON text. */
  readonly json: string | undefined;
  /** A tenant that was not there before. */
  readonly isNew: boolean;
}

/** Does something on the platform behind the program's back; nothing where there is no tenant to do it to. */
export async function perform(scene: Scene, deed: Deed): Promise<Done | undefined> {
  if (deed.kind === "install") return install(scene, deed);
  const store = await readStore(scene);
  const live = [...store.values()].filter(({ isArchived }) => !isArchived);
  const tenant = live[deed.of % live.length];
  if (tenant === undefined) return undefined;
  const { id } = tenant;
  const patch = (body: string) => scene.call("PATCH", `/_emulator/tenants/${id}`, body);
  const done = (path: string, json?: string): Done => ({ id, path, json, isNew: false });
  switch (deed.kind) {
    case "configs":
    case "metadata": {
      const entries = { ...tenant[deed.kind], [deed.key]: deed.json };
      const object = Object.entries(entries).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
      await patch(`{"${deed.kind}":{${object.join(",")}}}`);
      return done(`${deed.kind}.${deed.key}`, deed.json);
    }
    case "archive":
      await scene.call("DELETE", `/v2/tenants/${id}`);
      return done("archived");
    case "pause":
    case "resume":
      await patch(JSON.stringify({ paused: deed.kind === "pause" }));
      return done("paused", String(deed.kind === "pause"));
    case "schedule":
      await patch(JSON.stringify({ user_schedule: deed.text }));
      return done("user_schedule", JSON.stringify(deed.text));
    case "run":
      await patch(JSON.stringify({ status: { last_run: { id: 1, status: "succeeded" } } }));
      return done("run");
    case "connect":
      await scene.call("POST", `/_emulator/tenants/${id}/connectors/crm`, JSON.stringify({ status: "connected" }));
      return done("connected");
  }
}

async function install(scene: Scene, { name, isLike }: Extract<Deed, { kind: "install" }>): Promise<Done> {
  const own = isLike
    ? { source: "api", paused: true, status: { auth: { connected: false, connectors: [] } } }
    : { configs: { theirs: "installed" } };
  const body = JSON.stringify({ integration: "crm", name, ...own });
  const { id } = Object(JSON.parse(await scene.call("POST", "/_emulator/tenants", body)));
  return { id: Number(id), path: "name", json: JSON.stringify(name), isNew: true };
}

import { readStore } from "./raw-store.ts";
import type { Scene } from "./scene.ts";
import type { Deed } from "./story.ts";

/** The part of an external change that the judge needs to know. */
export interface Done {
  readonly id: number;
  /** The path that changed: `paused`, `configs.theirs`, `archived`. */
  readonly path: string;
  /** The new value, as JSON text. */
  readonly json: string | undefined;
  /** A new tenant. */
  readonly isNew: boolean;
}

/** Makes an external change on the platform. Does nothing if there is no tenant to change. */
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
      await patch(JSON.stringify({ archived: true })); // no DELETE, which a fault of the story may hit
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

import { type RawTenant, readAll } from "./raw-tenant.ts";
import type { Runs } from "./runs.ts";
import { connectorName, type integrations, releaseId, type Scene } from "./scene.ts";
import type { Deed } from "./story.ts";

/** Does on the platform what somebody else does. Returns the tenant whose release it changed. */
export async function perform(
  scene: Scene,
  runs: Runs,
  deed: Deed,
  { ids, integration }: { ids: readonly number[]; integration: keyof typeof integrations },
): Promise<number | undefined> {
  const live = [...(await readAll(scene)).values()].filter(({ id, isArchived }) => ids.includes(id) && !isArchived);
  const tenant = deed.pick === undefined ? undefined : live[deed.pick % Math.max(1, live.length)];
  if (deed.kind === "ending") {
    if (deed.pick === undefined || tenant !== undefined)
      runs.set(String(releaseId(integration, deed.tag)), tenant?.id, deed.ending);
    return undefined;
  }
  if (tenant === undefined) return undefined;
  const patch = (body: object) => scene.call("PATCH", `/_emulator/tenants/${tenant.id}`, body);
  const connector = (status: string) =>
    scene.call("POST", `/_emulator/tenants/${tenant.id}/connectors/${connectorName}`, { status });
  switch (deed.kind) {
    case "release":
      await patch(
        deed.tag === "Latest"
          ? { integration_release_id: null, integration_release_channel: deed.tag }
          : { integration_release_id: releaseId(integration, deed.tag), integration_release_channel: null },
      );
      return tenant.id;
    case "pause":
    case "resume":
      await patch({ paused: deed.kind === "pause" });
      return undefined;
    case "connect":
      await connector("connected");
      return undefined;
    case "disconnect":
      await connector("disconnected");
      return undefined;
    case "archive":
      await scene.call("DELETE", `/v2/tenants/${tenant.id}`);
      return undefined;
    case "failed run":
      await patch({ status: { last_run: { id: 900_000 + tenant.id, status: "failed" } } });
      return undefined;
    case "run":
      await startRun(scene, tenant);
      return undefined;
  }
}

/** An older run that is under way when a rollout comes. */
async function startRun(scene: Scene, { id }: RawTenant): Promise<void> {
  await scene.call("PATCH", `/_emulator/tenants/${id}`, { runs: { takes_seconds: 300 } });
  await scene.call("POST", `/v2/tenants/${id}/sync?mode=normal`).catch(() => {}); // a paused one may refuse
  await scene.advance(2);
}

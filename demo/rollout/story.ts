import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Sandbox } from "../sandbox.ts";
import { say, show } from "../say.ts";
import { listTenants } from "../tenants.ts";
import { diagnosticsOf, failureOf, standOf } from "./diagnostics.ts";
import { releaseTable } from "./release-table.ts";

/** What has just happened, for somebody who looks at the platform before the story goes on. */
export type Step = "created" | "failed" | "taken back" | "canary" | "held" | "early" | "10%" | "50%" | "100%" | "ended";

/** Tells the story of a release that fails and of one that reaches all tenants, and stops after each step. */
export async function* rolloutStory(box: Sandbox): AsyncGenerator<Step, void> {
  say(`1. \`pulumi up\`: creates a fleet of 40 tenants on v1.2.0. oldco has a release of its own. Three are paused.`);
  say(`To see who runs what, open ${box.emulator.url}/console/integrations/201 while this runs.`);
  await box.pulumi("stack", "init", "--no-select");
  show((await up(box)).replace(/\b3 created$/m, `$& ${whatIsCounted}`), /created/);
  await connectAllBut(box, "lagoon");
  say("The customers connect their CRM, except lagoon. What the platform says:");
  show(await releaseTable(box));
  yield "created";

  say("2. One line of the stack's file: `release: { tag: v1.3.0 }`. `pulumi preview` shows the waves:");
  await change(box, "tag: v1.2.0", "tag: v1.3.0");
  show(diagnosticsOf(await box.pulumi("preview")));
  say(
    "A percentage is of all 39, and counts the waves before it: 10% are 4 tenants, and canary and early have 3 of them.",
  );
  say("`pulumi up`: acme moves and syncs. The sync fails, and so does the `up`:");
  const failed = await box.tryPulumi("up", "--yes", "--skip-preview");
  assert.notEqual(failed.code, 0, "the up of v1.3.0 fails");
  show(failureOf(failed.stdout));
  show(await releaseTable(box));
  yield "failed";

  say("3. The way back: `release: { tag: v1.2.0 }` again, and `pulumi up`.");
  await change(box, "tag: v1.3.0", "tag: v1.2.0");
  show(standOf(await up(box)));
  show(await releaseTable(box));
  yield "taken back";

  say(
    "4. The repaired release: `release: { tag: v1.3.1 }`. `pulumi up`: acme moves and syncs, and then it is watched.",
  );
  await change(box, "tag: v1.2.0", "tag: v1.3.1");
  show(standOf(await up(box)));
  yield "canary";
  say("`integration-platform rollout status`:");
  show((await box.command("rollout", "status")).stdout, wavesOfStatus);
  say("PROVEN: a sync that the rollout requested has succeeded on the new release.");
  say("SKIPPED: moved, but paused or not connected, so it cannot sync.");
  say("LEFT: not moved, for example because somebody changed its release by hand.");
  say("FAILED: its sync has failed on the new release.");
  say("OPEN: none of these yet, for example because its sync runs.");

  say("5. The canary has been watched for ten seconds. `pulumi up`: the next wave needs an approval.");
  await setTimeout(10_000);
  show(standOf(await up(box)));
  yield "held";
  say(
    "With `approvals: { v1.3.1: { early: CHG-123 } }`, and `waitSeconds: 300`, so that an `up` waits until a wave has been watched:",
  );
  await change(box, "approvals: {}", "approvals: { v1.3.1: { early: CHG-123 } }");
  await change(box, "waitSeconds: 5", "waitSeconds: 300");
  show(standOf(await up(box)));
  yield "early";

  say("6. `pulumi up` three more times: 10 % of the tenants, 50 %, all.");
  show(standOf(await up(box)));
  yield "10%";
  show(standOf(await up(box)));
  yield "50%";
  show(await releaseTable(box));
  show(standOf(await up(box)));
  yield "100%";
  show(await releaseTable(box));
  show((await box.command("rollout", "status")).stdout, wavesOfStatus);

  say("7. `pulumi preview --expect-no-changes`, and `integration-platform rollout history`:");
  const unchanged = await box.pulumi("preview", "--expect-no-changes");
  show(unchanged.replace(/\b3 unchanged$/m, `$& ${whatIsCounted}`), /unchanged/);
  show((await box.command("rollout", "history")).stdout);
  yield "ended";
  say("Done. The demo stops its emulator and deletes its state.");
}

/** The resources that the engine counts. */
const whatIsCounted = "(the fleet, its rollout and the stack itself)";

/** The table of the waves, without the summary that `up` has printed already. */
const wavesOfStatus = /: release |WAVE|^ +\d |Not approved/;

/** Changes the stack's file, as a person does in an editor. */
async function change({ stackFile }: Sandbox, before: string, after: string): Promise<void> {
  const text = await readFile(stackFile, "utf8");
  assert.ok(text.includes(before), `the stack's file has ${before}`);
  await writeFile(stackFile, text.replace(before, after));
}

function up(box: Sandbox): Promise<string> {
  return box.pulumi("up", "--yes", "--skip-preview");
}

async function connectAllBut(box: Sandbox, name: string): Promise<void> {
  for (const tenant of (await listTenants(box)).values()) {
    if (tenant.name === name) continue;
    await box.call("POST", `/_emulator/tenants/${tenant.id}/connectors/crm`, { status: "connected" });
  }
}

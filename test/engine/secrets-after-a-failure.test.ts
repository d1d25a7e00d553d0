import { expect, test } from "vitest";
import { stringify } from "yaml";
import { createProject } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { openPlatform } from "./harness/live-platform.ts";

const token = "token-that-nobody-may-find";
const integration = "crm-to-billing";
const region = "eu";

/**
 * The stack before and after the updates that fail. An update of `late` and `lateInFleet` brings the secret and fails in part:
 * the engine keeps the old inputs then, which contain no secret, and marks a read's inputs by them. The other resources no
 * longer declare the secret that the state has, and the engine marks an update's result by the new inputs.
 */
function stackYaml(secret: object, isAfter: boolean): string {
  const [late, known] = isAfter ? [{ api_token: secret }, "known-to-all"] : [{}, secret];
  const entry = { configs: { region, ...late }, metadata: { plan: isAfter ? "golden" : "gold" } };
  const auth = { user: "me", ...(!isAfter && { token: secret }) };
  const inClear = { configs: { region, api_token: known } };
  const fleets = {
    lateInFleet: { "late-in-fleet": entry },
    archived: { ...(!isAfter && { archived: inClear }), stays: {} },
    changed: { changed: inClear },
    rekeyed: { [isAfter ? "other" : "rekeyed"]: { ...(isAfter && { aliases: ["rekeyed"] }), ...inClear } },
  };
  const settings = {
    allowPlaintextSecrets: ["configs.api_token"],
    tenants: { late: { integration, ...entry }, dropped: { integration, configs: { region, auth } } },
    fleets: Object.fromEntries(Object.entries(fleets).map(([name, tenants]) => [name, { integration, tenants }])),
  };
  return stringify({
    config: Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`integration-platform:${name}`, value]),
    ),
  });
}

test("keeps a secret that a failed update brings, and one that is no longer declared, however often updates fail", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  const [encrypted = ""] = await encrypt(project, token);
  const secure = JSON.parse(encrypted);
  const expectHidden = async () => expect((await project.exportState()).text).not.toContain(token);
  const up = async () => (await project.up(["--continue-on-error"])).code;
  await project.writeStackYaml(stackYaml(secure, false));
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  const tenants = await platform.tenants();
  const refused = tenants.filter(({ name }) => ["dropped", "changed", "rekeyed"].includes(name));
  for (const match of [
    { method: "PATCH", path: "/metadata$" },
    { method: "PATCH", path: `/tenants/(${refused.map(({ id }) => id).join("|")})$` },
    { method: "DELETE" },
  ]) {
    platform.emulator.fault({ kind: "status", status: 422, match, times: 99 });
  }
  await project.writeStackYaml(stackYaml(secure, true));
  expect(await up()).not.toBe(0);
  await expectHidden();
  const names = (await platform.tenants()).filter(({ configs }) => configs.api_token === token).map(({ name }) => name);
  expect(names.sort()).toEqual(["archived", "changed", "late", "late-in-fleet", "rekeyed"]);
  expect(await up()).not.toBe(0);
  await expectHidden();

  await project.refresh();
  await expectHidden();
  expect(await up()).not.toBe(0);
  await expectHidden();

  platform.emulator.clearFaults();
  expect(await up()).toBe(0);
  await expectHidden();
  const live = await platform.tenants();
  expect(live.map(({ name }) => name).sort()).toEqual([
    "changed",
    "dropped",
    "late",
    "late-in-fleet",
    "other",
    "stays",
  ]);
  expect(
    live
      .filter(({ configs }) => configs.api_token === "known-to-all")
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["changed", "other"]);
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { type CiClone, makeCiClone } from "./harness/ci-clone.ts";

const [older, newer] = [901, 902];

describe("the job that carries rollouts on, in a new user's clone", () => {
  let clone: CiClone;
  let stackFile: string;

  beforeAll(() =>
    endAfterTests(async (open) => {
      clone = open.use(await makeCiClone());
      stackFile = await clone.read("Pulumi.staging.yaml");
    }),
  );

  /** Declares a fleet of two members and a pinned tenant, with the release that the members get. */
  const declare = (tag: string, pinned = "") =>
    writeFile(
      join(clone.directory, "Pulumi.staging.yaml"),
      stackFile.replace(
        "config:\n",
        `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { release: { tag: ${tag} }, paused: false, configs: { region: eu } }
      tenants:
        first: {}
        second: {}
        pinned: { release: { tag: v1.0.0 } ${pinned} }
      rollout: { waves: [{ name: canary, tenants: [first] }, { percent: 100 }], maxUnavailable: 1 }
`,
      ),
    );
  const up = () => clone.bash("npm run --silent pulumi -- up --yes --skip-preview --non-interactive --stack staging");
  const job = () => clone.bash("node examples/ci/rollout-up.mjs staging");
  const status = () => clone.bash("npm run --silent integration-platform -- rollout status --json --stack staging");
  const releaseOf = async (name: string) => (await clone.platform.tenant(name)).integration_release_id;
  const pathOf = async (name: string) => `/v2/tenants/${(await clone.platform.tenant(name)).id}`;

  test("ends with 0 where the tenants were created on the release of the rollout", { timeout: 300_000 }, async () => {
    await declare("v1.0.0");
    expect(await up()).toMatchObject({ code: 0 });
    for (const name of ["first", "second", "pinned"]) {
      for (const connector of ["crm", "billing"]) await clone.platform.connect(name, connector);
      const { id } = await clone.platform.tenant(name);
      await clone.platform.call("PATCH", `/_emulator/tenants/${id}`, { runs: { takes_seconds: 0 } });
    }
    for (let run = 1; run < 4 && (await status()).code === 2; run += 1) await job();
    expect((await job()).code).toBe(0);
    expect(await releaseOf("first")).toBe(older);
  });

  test("goes from wave to wave, although a tenant of the fleet fails in each `up`", { timeout: 300_000 }, async () => {
    await declare("v1.1.0", ", metadata: { plan: gold }");
    const path = `^${await pathOf("pinned")}/metadata$`;
    clone.platform.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, times: 1000, match: { path } });
    expect((await up()).code).not.toBe(0);
    const planned = await status();
    expect(planned.code).toBe(2);
    expect(JSON.parse(planned.stdout).rollouts).toMatchObject([
      { release: "v1.1.0", status: expect.stringMatching(/^planned/) },
    ]);
    expect(await releaseOf("first")).toBe(older);

    clone.platform.clearRequests();
    const first = await job();
    expect(first).toMatchObject({ code: 2, stdout: expect.stringMatching(/1 canary +passed +1 +1 /) });
    expect([await releaseOf("first"), await releaseOf("second")]).toEqual([newer, older]);
    expect((await job()).code).toBe(0);
    expect([await releaseOf("first"), await releaseOf("second"), await releaseOf("pinned")]).toEqual([
      ...[newer, newer, older],
    ]);
    const written = clone.platform.writes().map(({ request }) => request);
    expect(written).not.toContainEqual(expect.stringMatching(`${await pathOf("pinned")}(/|$)`));
  });
});

import { expect, test } from "vitest";
import { openBackend } from "../../bench/backends/open-backend.ts";
import { pulumiContender } from "../../bench/contenders/pulumi-contender.ts";
import { apiKey, openPlatform } from "../../bench/platform/open-platform.ts";
import { processMark } from "../../bench/processes.ts";
import { tenantsOf, withChanges, workloadOf } from "../../bench/workload.ts";
import type { CommandOutcome } from "../../engine/run-command.ts";

const workload = workloadOf(10);

// Each contender and each backend once. Not every machine has Terraform, so the benchmark itself checks it in the same
// way: see bench/measure.ts.
test.each([
  ["plain", "file"],
  ["native", "file"],
  ["tenants", "s3"],
  ["fleet", "postgres"],
  ["native-fleet", "journal"],
] as const)(
  "the contender %s with its state on %s creates, refreshes, changes and archives tenants",
  async (name, backendName) => {
    await using platform = await openPlatform();
    await using backend = await openBackend(backendName);
    const setting = { url: platform.url, apiKey, env: processMark(), backend };
    await using contestant = await pulumiContender(name).open(setting);

    await contestant.declare(workload);
    requireSuccess(await contestant.up());
    expect(await platform.tenants()).toEqual(tenantsOf(workload));
    expect((await contestant.state()).jsonBytes).toBeGreaterThan(10 * 200);

    expect(await contestant.preview()).toMatchObject({ code: 0, hasFoundChanges: false });
    await platform.changeByHand({ "tenant-00003": { region: "uk" } });
    expect(await contestant.preview()).toMatchObject({ code: 0, hasFoundChanges: true });
    await platform.changeByHand({ "tenant-00003": workload["tenant-00003"]?.configs ?? {} });

    await contestant.declare(withChanges(workload));
    await platform.resetRequestCount();
    requireSuccess(await contestant.up());
    expect(await platform.tenants()).toEqual(tenantsOf(withChanges(workload)));
    expect((await platform.requestCount()).requests["PATCH /v2/tenants/{id}"]).toBe(1);

    requireSuccess(await contestant.destroy());
    expect(await platform.tenants()).toEqual([]);
  },
);

function requireSuccess({ code, stdout, stderr }: CommandOutcome): void {
  expect(code, `${stdout}\n${stderr}`).toBe(0);
}

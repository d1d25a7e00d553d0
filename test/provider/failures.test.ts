import { describe, expect, test } from "vitest";
import type { FaultSpec } from "../../src/emulator/index.ts";
import { eventually } from "../eventually.ts";
import { failureOf } from "../failure-of.ts";
import { complete } from "../resources/stage.ts";
import { codeProperty } from "./host-kinds.ts";
import { partialFailureOf } from "./partial-failure.ts";
import { stagedHost } from "./staged-host.ts";

describe.concurrent("a partial failure carries the resource's state", () => {
  test("of a create, so that it can be read, finished and deleted", async () => {
    await using staged = await stagedHost();
    const { on, host } = staged;
    on.emulator.fault({
      kind: "status",
      status: 422,
      body: { message: "no metadata today" },
      match: { path: "metadata$" },
    });
    const error = await failureOf(host.create(complete));
    const [made] = await on.live();
    const failure = partialFailureOf(error);
    expect(failure).toMatchObject({
      id: String(made?.id),
      properties: { name: "acme", configs: complete.configs, paused: true, metadata: {}, tenantId: made?.id },
      reasons: [expect.stringContaining("no metadata today")],
    });
    const { __provider, ...properties } = failure?.properties ?? {};
    expect(__provider).toBe(codeProperty("tenant"));

    await using next = await staged.nextHost();
    const id = failure?.id ?? "";
    expect(await next.read(id, properties)).toMatchObject({ id, properties });
    expect(await next.update(id, properties, complete)).toMatchObject(complete);
    expect(await on.tenant(id)).toMatchObject({ paused: false, metadata: { plan: "gold" } });
    await next.delete(id, properties);
  });

  test("of an update, with the applied and the missing changes", async () => {
    await using staged = await stagedHost();
    const { on, host } = staged;
    const { id, properties } = await host.create(complete);
    on.emulator.fault({ kind: "status", status: 403, match: { path: "metadata$", method: "PATCH" } });
    const now = { ...complete, schedule: "0 1 * * *", metadata: { plan: "silver" } };
    const failure = partialFailureOf(await failureOf(host.update(id, properties, now)));
    expect(failure).toMatchObject({ id, properties: { schedule: "0 1 * * *" } });
    expect(JSON.stringify(failure?.properties.metadata)).toContain('"gold"'); // perhaps in a mark: it may be a secret
    expect(failure?.properties.__provider).toBe(codeProperty("tenant"));
  });

  test.each([
    ["is cut within a character", `${"x".repeat(299)}😀😀`],
    ["holds half of a character", "no \ud83d today"],
    ["ends with half of a character", "\ud83d"],
  ])("also if the platform's message %s", async (_, message) => {
    await using staged = await stagedHost();
    const { on, host } = staged;
    on.emulator.fault({ kind: "status", status: 422, body: { message }, match: { path: "metadata$" } });
    const error = await failureOf(host.create(complete));
    const [made] = await on.live();
    expect(error.message).toContain("refused as invalid (status 422)");
    expect(partialFailureOf(error)).toMatchObject({
      id: String(made?.id),
      properties: { name: "acme", metadata: {} },
      reasons: [expect.stringContaining("refused as invalid (status 422)")],
    });
  });

  test("of metadata", async () => {
    await using staged = await stagedHost({ member: "tenantMetadata" });
    const tenantId = await staged.on.add({ integration: 101, name: "theirs" });
    staged.on.emulator.fault({ kind: "status", status: 422, match: { path: "metadata$", method: "PATCH" } });
    const failure = partialFailureOf(await failureOf(staged.host.create({ tenantId, data: { plan: "gold" } })));
    expect(failure).toMatchObject({ id: String(tenantId), properties: { tenantId, data: {} } });
    expect(failure?.properties.__provider).toBe(codeProperty("tenantMetadata"));
  });

  test("and a failure before the resource exists carries no state", async () => {
    await using staged = await stagedHost();
    const error = await failureOf(staged.host.create({ ...complete, configs: { region: "mars" } }));
    expect(error.message).toMatch(/POST \/v2\/tenants.*configs\.region/);
    expect(partialFailureOf(error)).toBeUndefined();
  });
});

describe.concurrent("the message for the user", () => {
  const secret = "s3cret-token";

  test("has no stack, no secret and no key, whatever goes wrong", async () => {
    await using staged = await stagedHost();
    const { on, host } = staged;
    const names = ["ignored", "refused"];
    const made = await Promise.all(names.map((name) => host.create({ ...complete, name })));
    const refusal = { loc: ["body", "configs", "api_token"], msg: "is not valid", input: `${secret}-2`, type: "value" };
    const faults: FaultSpec[] = [
      { kind: "ignore-fields", fields: ["configs"] },
      { kind: "status", status: 422, body: { detail: [refusal] } },
    ];
    const updates = made.map(({ id, properties }, index) => {
      const match = { method: "PATCH", path: `/${id}$` };
      on.emulator.fault({ ...(faults[index] ?? { kind: "html" }), match, times: 99 });
      const configs = { region: "us", api_token: `${secret}-2` };
      return failureOf(host.update(id, properties, { ...complete, name: names[index] ?? "", configs }));
    });
    const errors = await Promise.all(updates);

    await using other = await staged.nextHost();
    on.emulator.fault({ kind: "status", status: 403, times: 99 });
    for (const { id, properties } of made.slice(0, 1)) {
      const calls = [
        other.check(complete),
        other.create({ ...complete, name: "globex" }),
        other.read(id, properties),
        other.update(id, properties, { ...complete, name: "ignored" }),
        other.delete(id, properties),
      ];
      errors.push(...(await Promise.all(calls.map(failureOf))));
    }
    expect(errors).toHaveLength(7);
    const said = `${errors.map(({ message }) => message).join("\n")}\n${host.output()}\n${other.output()}`;
    expect(said).not.toContain(secret);
    expect(said).not.toContain(on.emulator.apiKey);
    expect(said).not.toMatch(/\n\s+at |\.ts:\d+|node_modules/);
  });

  test("is a warning that names the tenant if nothing failed", async ({ expect }) => {
    await using staged = await stagedHost({ member: "tenantMetadata" });
    const tenantId = await staged.on.add({ integration: 101, name: "theirs" });
    const { id, properties } = await staged.host.create({ tenantId, data: { plan: "gold" } });
    await using later = await staged.nextHost();
    await later.delete(id, properties);
    const told = new RegExp(`warning: metadata of tenant ${tenantId} is not removed`);
    await eventually(() => expect(later.output()).toMatch(told));
  });
});

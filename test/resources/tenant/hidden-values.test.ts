import { describe, expect, test } from "vitest";
import { createSecretRegistry } from "../../../src/api/index.ts";
import type { FaultSpec, Variants } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { displays, type Hiding, stageHiding } from "../hiding-stage.ts";
import { failureOf, type Stage, stage } from "../stage.ts";

const password = { type: ["string", "null"], format: "password" };
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  properties: {
    region: { type: "string" },
    token: password,
    other: password,
    auth: { $ref: "#login" },
    keys: { patternProperties: { "^key_": password } },
    pair: { prefixItems: [{}, password] },
  },
  $defs: { login: { $anchor: "login", properties: { user: { type: "string" }, pin: { writeOnly: true } } } },
};
const base = { integration: "vault", name: "acme" };
const region = { ...base, configs: { region: "eu" } };
const secrets = {
  ...base,
  configs: { region: "eu", token: "t0ken-one", other: "0ther-one", auth: { user: "u", pin: "1234-5678" } },
  metadata: { token: "m3ta-token" },
};

function vault(hiding: Hiding, more: JsonObject = {}, variants: Partial<Variants> = {}): Promise<Stage> {
  const release = { id: 2, name: "v1", config_schema: { ...schema, ...more }, metadata_schema: { ...schema, ...more } };
  const seed = { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases: [release] }] };
  return stageHiding(hiding, seed, variants);
}

async function made(on: Stage, inputs: Parameters<ReturnType<Stage["operation"]>["tenant"]["create"]>[0]) {
  const made = await on.operation().tenant.create(inputs);
  on.emulator.clearRequests();
  return made;
}

describe.concurrent("a declared secret", () => {
  test("that the platform returns unchanged is compared, so that a change by hand is drift and is repaired", async () => {
    await using on = await vault("no");
    const { id, state } = await made(on, secrets);
    expect(state).not.toHaveProperty("unreadablePaths");
    await on.changeByHand(id, {
      configs: { ...secrets.configs, token: "changed", auth: { user: "u", pin: "changed" } },
      metadata: { token: "changed" },
    });
    const seen = await on.operation().tenant.read(id, state);
    expect(seen?.inputs.configs).toEqual({
      ...secrets.configs,
      token: "changed",
      auth: { user: "u", pin: "changed" },
    });
    expect(seen?.inputs.metadata).toEqual({ token: "changed" });
    await on.operation().tenant.update(id, seen?.state ?? state, secrets);
    expect(await on.tenant(id)).toMatchObject({ configs: secrets.configs, metadata: secrets.metadata });
  });

  test("that was removed by hand is drift too", async () => {
    await using on = await vault("no");
    const { id, state } = await made(on, secrets);
    await on.changeByHand(id, { configs: { region: "eu" } });
    expect((await on.operation().tenant.read(id, state))?.inputs.configs).toEqual({ region: "eu" });
  });

  describe.each(displays)("that the platform hides: %s", (hiding) => {
    test("is reported as unreadable, causes no difference, and can be rotated", async () => {
      await using on = await vault(hiding);
      const { id, state } = await made(on, secrets);
      const hidden = [
        ["configs", "token"],
        ["configs", "other"],
        ["configs", "auth", "pin"],
        ["metadata", "token"],
      ];
      expect(state.unreadablePaths?.toSorted()).toEqual(hidden.toSorted());
      expect(state).not.toHaveProperty("shownAs");
      expect(on.notes.filter((note) => note.includes("configs.token"))).toHaveLength(1);
      expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: secrets, state });
      expect(await on.operation().tenant.diff(id, state, secrets)).toEqual({ isChanged: false });
      const now = { ...secrets, configs: { ...secrets.configs, token: "t0ken-two" } };
      const after = await on.operation().tenant.update(id, state, now);
      expect(after).toEqual({ ...state, configs: now.configs });
      expect(await on.tenant(id)).toMatchObject({ configs: now.configs, metadata: now.metadata });
      expect(on.writes()).toHaveLength(1);
    });

    test("is written again with the other keys, and not with the other settings", async () => {
      await using on = await vault(hiding);
      const { id, state } = await made(on, secrets);
      const other = { ...secrets, schedule: "0 1 * * *" };
      const after = await on.operation().tenant.update(id, state, other);
      expect(on.writes().map(({ body }) => body)).toEqual([{ user_schedule: "0 1 * * *" }]);
      const now = { ...other, configs: { ...secrets.configs, region: "us", auth: { user: "v", pin: "1234-5678" } } };
      expect(await on.operation().tenant.update(id, after, now)).toEqual({ ...after, configs: now.configs });
      expect((await on.tenant(id)).configs).toEqual(now.configs);
      expect(on.warnings).toEqual([]);
    });

    test.each(["replace", "merge-patch"] as const)("can be removed, as can what is beside it: %s", async (configs) => {
      await using on = await vault(hiding, {}, { configs });
      const { id, state } = await made(on, secrets);
      const here = on.operation({ areAllSecretsDeclared: true });
      const without = { ...secrets, configs: { token: "t0ken-one", auth: { pin: "8765-4321" } } };
      const after = await here.tenant.update(id, state, without);
      expect((await on.tenant(id)).configs).toEqual(without.configs);
      await on
        .operation({ areAllSecretsDeclared: true })
        .tenant.update(id, after, { ...secrets, configs: { auth: {} } });
      expect((await on.tenant(id)).configs).toEqual({ auth: {} });
    });

    test("is written to a tenant that is taken over, whatever that has", async () => {
      await using on = await vault(hiding);
      const id = await on.add({ integration: "vault", name: "acme", configs: { token: "theirs" } });
      const { state } = await made(on, { ...base, adopt: id, configs: { token: "ours-now" } });
      expect(state.unreadablePaths).toEqual([["configs", "token"]]);
      expect((await on.tenant(id)).configs).toEqual({ token: "ours-now" });
    });
  });

  test.each(["yes", "other"] as const)("does not keep the list from growing that has it: %s", async (hiding) => {
    const users = { items: { properties: { pin: password } } };
    await using on = await vault(hiding, { properties: { ...schema.properties, users } });
    const ada = { user: "ada", pin: "1234-5678" };
    const { id, state } = await made(on, { ...base, configs: { users: [ada] } });
    const now = { ...base, configs: { users: [ada, { user: "bob" }] } };
    expect((await on.operation().tenant.update(id, state, now)).configs).toEqual(now.configs);
    expect((await on.tenant(id)).configs).toEqual(now.configs);
  });

  test("is compared again once the platform returns it unchanged", async () => {
    await using on = await vault("other");
    const { id, state } = await made(on, secrets);
    on.emulator.setVariants({ maskedConfigs: "no" });
    const seen = await on.operation().tenant.read(id, state);
    expect(seen?.state).not.toHaveProperty("unreadablePaths");
  });

  test("that only a tenant's metadata contain is handled in the same way", async () => {
    await using on = await vault("other");
    const { id } = await made(on, base);
    const inputs = { tenantId: Number(id), data: { token: "m3ta-token" } };
    const { state } = await on.operation().metadata.create(inputs);
    expect(state.unreadablePaths).toEqual([["data", "token"]]);
    expect(await on.operation().metadata.read(id, state)).toEqual({ inputs, state });
    on.emulator.setVariants({ maskedConfigs: "no" });
    const { state: clear } = (await on.operation().metadata.read(id, state)) ?? {};
    await on.changeByHand(id, { metadata: { token: "changed" } });
    expect((await on.operation().metadata.read(id, clear ?? state))?.inputs.data).toEqual({ token: "changed" });
  });
});

describe.concurrent("an undeclared secret", () => {
  const theirs = { auth: { user: "u", pin: "their-pin" }, keys: { key_a: "their-key" }, pair: ["a", "their-item"] };

  test.each(["yes"] as const)(
    "that is masked (%s) is not overwritten at any depth, but once it is declared",
    async (hiding) => {
      await using on = await vault(hiding);
      const { id, state } = await made(on, region);
      for (const [key, value] of Object.entries(theirs)) {
        const configs = { region: "eu", [key]: value };
        await on.changeByHand(id, { configs, metadata: configs });
        const update = on.operation().tenant.update(id, state, { ...base, configs: { region: "us" } });
        expect((await failureOf(update)).message).toMatch(new RegExp(`configs\\.${key}.*hides.*Declare it too`));
        const metadata = on.operation().metadata.create({ tenantId: Number(id), data: { region: "us" } });
        expect((await failureOf(metadata)).message).toMatch(new RegExp(`metadata\\.${key}.*hides.*Declare it too`));
        expect(await on.tenant(id)).toMatchObject({ configs, metadata: configs });
      }
      await on.operation().tenant.update(id, state, { ...region, schedule: "0 1 * * *" });
      const now = { ...base, configs: { region: "us", ...theirs } };
      await on.operation().tenant.update(id, state, now);
      expect((await on.tenant(id)).configs).toEqual(now.configs);
    },
  );

  test.each(["left-out", "null", "other"] as const)(
    "is not overwritten if the platform hides a declared secret of the tenant: %s",
    async (hiding) => {
      await using on = await vault(hiding);
      const { id, state } = await made(on, { ...region, configs: { region: "eu", token: "t0ken-one" } });
      const configs = { region: "eu", token: "t0ken-one", other: "theirs", ...theirs };
      await on.changeByHand(id, { configs });
      const now = { ...region, configs: { region: "us", token: "t0ken-one" } };
      const { message } = await failureOf(on.operation().tenant.update(id, state, now));
      expect(message).toMatch(/configs\.other.*hides.*Declare it too/);
      expect((await on.tenant(id)).configs).toEqual(configs);
    },
  );

  test("that was omitted from another tenant does not count, so the order of tenants makes no difference", async () => {
    await using on = await vault("left-out");
    const { tenant } = on.operation();
    const first = await tenant.create({ ...region, configs: { region: "eu", token: "t0ken-one" } });
    const { id, state } = await tenant.create({ ...region, name: "globex" });
    await tenant.update(id, state, { ...region, name: "globex", configs: { region: "us" } });
    expect((await on.tenant(id)).configs).toEqual({ region: "us" });
    expect(first.state.unreadablePaths).toEqual([["configs", "token"]]);
  });

  const now = { ...base, configs: { region: "us", token: "t0ken-one" } };

  test("is taken as absent where the user says that all are declared", async () => {
    await using on = await vault("left-out");
    const { id, state } = await made(on, { ...region, configs: { region: "eu", token: "t0ken-one" } });
    const { message } = await failureOf(on.operation().tenant.update(id, state, now));
    expect(message).toMatch(/run up once with INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED=1/);
    await on.operation({ areAllSecretsDeclared: true }).tenant.update(id, state, now);
    expect((await on.tenant(id)).configs).toEqual(now.configs);
    expect(on.warnings).toEqual([]);
  });

  test("is not overwritten, whatever the user says, if the schema requires it or the read has it", async () => {
    await using requiring = await vault("left-out", { required: ["other"] });
    const configs = { region: "eu", other: "theirs" };
    const adopt = await requiring.add({ integration: "vault", name: "acme", configs });
    const { tenant } = requiring.operation({ areAllSecretsDeclared: true });
    const refusal = await failureOf(tenant.create({ ...base, adopt, configs: { region: "us" } }));
    expect(refusal.message).toMatch(/configs\.other.*Declare it too$/);
    expect((await requiring.tenant(adopt)).configs).toEqual(configs);

    await using masking = await vault("yes");
    const masked = await made(masking, region);
    await masking.changeByHand(masked.id, { configs });
    const update = masking.operation({ areAllSecretsDeclared: true }).tenant.update(masked.id, masked.state, now);
    expect((await failureOf(update)).message).toMatch(/configs\.other.*Declare it too/);
  });

  test("is not overwritten if the schema requires it and it is missing", async () => {
    await using on = await vault("left-out", { required: ["other"] });
    const id = await on.add({ integration: "vault", name: "acme", configs: { region: "eu", other: "theirs" } });
    const update = on.operation().tenant.create({ ...base, adopt: id, configs: { region: "us" } });
    expect((await failureOf(update)).message).toMatch(/configs\.other.*Declare it too/);
    expect((await on.tenant(id)).configs).toEqual({ region: "eu", other: "theirs" });
  });

  test("is not overwritten if the schema requires it by a condition or a choice, whatever references are declared", async () => {
    const required = { required: ["other"] };
    const byToken = { required: ["token"], properties: { token: { type: "string" } } };
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    for (const more of [{ if: { required: ["region"] }, then: required }, { oneOf: [required, byToken] }]) {
      await using on = await vault("left-out", more);
      const id = await on.add({ integration: "vault", name: "acme", configs: { region: "eu", other: "theirs" } });
      const configs = { region: "us", token: { ref: "env:HOME" } };
      const secretValues = { schemes: ["env"], resolve: async () => ({ value: "resolved-value" }) };
      const takeOver = on.operation({ secretValues }).tenant.create({ ...base, adopt: id, configs });
      expect((await failureOf(takeOver)).message).toMatch(/configs\.other.*Declare it too/);
      expect((await on.tenant(id)).configs).toEqual({ region: "eu", other: "theirs" });
    }
  });

  test("is not overwritten if only one of several shapes requires it, although another secret is shown", async () => {
    await using on = await vault("no", { oneOf: [{ required: ["region", "other"] }, { required: ["key"] }] });
    const id = await on.add({ integration: "vault", name: "acme", configs: { region: "eu", token: "t0ken-one" } });
    const configs = { region: "us", token: "t0ken-one" };
    const takeOver = on.operation().tenant.create({ ...base, adopt: id, configs });
    expect((await failureOf(takeOver)).message).toMatch(/configs\.other.*INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED=1/);
  });

  test("is not expected where the schema requires it only for another kind of login", async () => {
    const kind = (name: string, key: string) => ({ properties: { kind: { const: name } }, required: [key] });
    await using on = await vault("no", { oneOf: [kind("token", "token"), kind("other", "other")] });
    const secretValues = { schemes: ["env"], resolve: async () => ({ value: "resolved-value" }) };
    const configs = { kind: "token", token: { ref: "env:TOKEN" }, region: "eu" };
    const { id, state } = await on.operation({ secretValues }).tenant.create({ ...base, configs });
    await on.operation({ secretValues }).tenant.update(id, state, { ...base, configs: { ...configs, region: "us" } });
    expect((await on.tenant(Number(id))).configs).toEqual({ kind: "token", token: "resolved-value", region: "us" });
  });

  test("is not overwritten if only the schema of the release that the tenant runs requires it", async () => {
    const required = { ...schema, required: ["other"] };
    const releases = [
      { id: 2, name: "v1", config_schema: required },
      { id: 3, name: "v2", config_schema: { properties: { region: { type: "string" } } } },
    ];
    const integrations = [{ id: 1, name: "vault", default_release_id: 3, releases }];
    await using on = await stage({ seed: { integrations }, variants: { maskedConfigs: "left-out" } });
    const configs = { region: "eu", other: "theirs" };
    const id = await on.add({ integration: "vault", name: "acme", configs, integration_release_id: 2 });
    const takeOver = on.operation().tenant.create({ ...base, adopt: id, configs: { region: "us" } });
    expect((await failureOf(takeOver)).message).toMatch(/configs\.other.*Declare it too/);
    expect((await on.tenant(id)).configs).toEqual(configs);
  });

  test("causes one warning if it may exist and nothing proves it", async () => {
    await using on = await vault("left-out");
    const ids = await Promise.all(
      ["acme", "globex"].map((name) => on.add({ integration: "vault", name, configs: { region: "eu" } })),
    );
    const { tenant } = on.operation();
    for (const adopt of ids) {
      const name = (await on.tenant(adopt)).name;
      await tenant.create({ ...base, name, adopt, configs: { region: "us" } });
      expect((await on.tenant(adopt)).configs).toEqual({ region: "us" });
    }
    expect(on.warnings).toEqual([expect.stringMatching(/configs\.token, configs\.other.*Declare it too/)]);
  });

  test("causes one warning if what a read shows may be something else", async () => {
    await using on = await vault("no");
    const configs = { region: "eu", token: "t0ken-one", other: "0ther-one" };
    const adopt = await on.add({ integration: "vault", name: "acme", configs });
    const { tenant } = on.operation({ areAllSecretsDeclared: true });
    await tenant.create({ ...base, adopt, configs: { region: "us" } });
    expect((await on.tenant(adopt)).configs).toEqual({ ...configs, region: "us" });
    expect(on.warnings).toEqual([expect.stringMatching(/configs\.token, configs\.other.*Declare it too/)]);
  });

  test("in plain text is written back, and so is a string with asterisks", async () => {
    await using on = await vault("no");
    const { id, state } = await made(on, { ...region, configs: { region: "eu", token: "t0ken-one" } });
    const kept = {
      ...theirs,
      other: "theirs",
      note: "use *** here",
      bold: "***very*** bold",
      mode: "hidden",
      cron: "*/5 * * * *",
    };
    await on.changeByHand(id, { configs: { region: "eu", token: "t0ken-one", ...kept } });
    const now = { ...region, configs: { region: "us", token: "t0ken-one" } };
    await on.operation().tenant.update(id, state, now);
    expect((await on.tenant(id)).configs).toEqual({ region: "us", token: "t0ken-one", ...kept });
    expect(on.warnings).toEqual([
      expect.stringMatching(/schema marks configs\.auth\.pin, .*configs\.other.* as secret/),
    ]);
  });
});

describe.concurrent("a secret inside of a value that ignoreChanges keeps as it is", () => {
  test.each([
    ["yes", {}],
    ["other", { token: "t0ken-one" }],
  ] as const)("is not overwritten with what reads show: %s, beside %o", async (hiding, others) => {
    await using on = await vault(hiding);
    const { id, state } = await made(on, { ...base, configs: { region: "eu", ...others, auth: { user: "u" } } });
    const configs = { region: "eu", ...others, auth: { user: "u", pin: 'their "own" pin' } };
    await on.changeByHand(id, { configs });
    const read = await on.operation().tenant.read(id, state);
    if (read === undefined) throw new Error("it is gone");
    const now = { ...read.inputs, configs: { ...read.inputs.configs, region: "us" } };
    const { message } = await failureOf(on.operation().tenant.update(id, read.state, now));
    expect(message).toMatch(/configs\.auth\.pin.*which the platform hides|hides configs\.auth\.pin/);
    expect((await on.tenant(id)).configs).toEqual(configs);
  });
});

describe.concurrent("a secret of a tenant whose release is not known", () => {
  function withoutRelease(maskedConfigs: Variants["maskedConfigs"]) {
    const release = { id: 2, name: "v1", config_schema: schema, metadata_schema: schema };
    const integrations = [{ id: 1, name: "vault", default_release_id: 2, releases: [release] }];
    return stage({ seed: { integrations }, variants: { maskedConfigs, absentField: "release" } });
  }

  test.each(["other", "left-out"] as const)("is not overwritten if it is undeclared: %s", async (hiding) => {
    await using on = await withoutRelease(hiding);
    const declared = { ...base, configs: { region: "eu", other: "0ther-one" } };
    const { id, state } = await made(on, declared);
    const configs = { region: "eu", other: "0ther-one", token: "theirs-one" };
    await on.changeByHand(id, { configs });
    const now = { ...base, configs: { region: "us", other: "0ther-one" } };
    const { message } = await failureOf(on.operation().tenant.update(id, state, now));
    expect(message).toMatch(/configs\.token.*which the platform hides/);
    expect((await on.tenant(id)).configs).toEqual(configs);
  });

  test.each(["yes", "other", "left-out"] as const)("is written once if it is declared: %s", async (hiding) => {
    await using on = await withoutRelease(hiding);
    const { id, state } = await made(on, region);
    const now = { ...base, configs: { region: "eu", token: "t0ken-one" } };
    const after = await on.operation().tenant.update(id, state, now);
    expect((await on.tenant(id)).configs).toEqual(now.configs);
    expect(await on.operation().tenant.read(id, after)).toEqual({ inputs: now, state: after });
    expect(await on.operation().tenant.diff(id, after, now)).toEqual({ isChanged: false });
  });
});

describe.concurrent("a secret that the platform does not take", () => {
  const declared = { ...region, paused: false, configs: { region: "eu", token: "brand-new" } };
  const notApplied: FaultSpec = { kind: "ignore-fields", fields: ["configs"], match: { method: "PATCH" }, times: 9 };

  test("cannot be told from one that reads hide if it is the first one in its place", async () => {
    await using on = await vault("no");
    const { id, state } = await made(on, region);
    await on.changeByHand(id, { configs: { region: "eu", token: "customers-old" } });
    on.emulator.fault(notApplied);
    const after = await on.operation().tenant.update(id, state, declared);
    expect(after).toMatchObject({ configs: declared.configs, unreadablePaths: [["configs", "token"]] });
    expect(on.notes).toContainEqual(expect.stringContaining("reads do not show configs.token as it was written"));
  });

  test("is an error if reads have shown the one before, and the tenant stays paused", async () => {
    await using on = await vault("no");
    const before = { ...region, paused: true, configs: { region: "eu", token: "t0ken-one" } };
    const { id, state } = await made(on, before);
    on.emulator.fault(notApplied);
    const failure = await failureOf(on.operation().tenant.update(id, state, declared));
    expect(failure.message).toMatch(/has not applied configs\.token\./);
    expect(failure).toMatchObject({ state: { configs: before.configs } });
    expect(await on.tenant(id)).toMatchObject({ paused: true, configs: before.configs });
  });

  test("is waited for if reads lag", async () => {
    await using on = await vault("no");
    const { id, state } = await made(on, region);
    on.emulator.setVariants({ visibility: "delayed" });
    const after = await on.operation({ consistencyTimeoutSeconds: 3 }).tenant.update(id, state, declared);
    expect(after).not.toHaveProperty("unreadablePaths");
    expect((await on.tenant(id)).configs).toEqual(declared.configs);
  });
});

describe.concurrent("an undeclared secret", () => {
  test.each(["repeat", "repeat-json"] as const)(
    "is in no message of a refusal that repeats the request: %s",
    async (refusals) => {
      const secretsOfClient = createSecretRegistry();
      const properties = { region: { enum: ["eu", "us"] }, token: password };
      const releases = [{ id: 2, name: "v1", config_schema: { properties } }];
      const integrations = [{ id: 1, name: "vault", default_release_id: 2, releases }];
      await using on = await stage({ seed: { integrations }, variants: { refusals } }, { secrets: secretsOfClient });
      const { id, state } = await made(on, region);
      await on.changeByHand(id, { configs: { region: "eu", token: "customers-own-secret" } });
      const changed = { ...region, configs: { region: "mars" } };
      const message = await failureOf(on.operation().tenant.update(id, state, changed));
      expect(message.message).toContain("mars");
      expect(message.message).not.toContain("customers-own-secret");
    },
  );

  test.each([422, 503])(
    "beside declared parts is not in the state of an update that fails with %s after a refresh",
    async (status) => {
      await using on = await vault("no");
      const inputs = { ...base, configs: { auth: { user: "ada" } } };
      const { id, state } = await made(on, inputs);
      await on.changeByHand(id, { configs: { auth: { user: "ada", pin: "hunter2-secret" } } });
      const here = on.operation();
      const read = await here.tenant.read(id, state);
      on.emulator.fault({ kind: "status", status, match: { method: "PATCH" }, times: 99 });
      const failure = await here.tenant.update(id, read?.state ?? state, inputs).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(IncompleteError);
      expect(JSON.stringify(Object(failure).state)).not.toContain("hunter2-secret");
    },
  );
});

describe.concurrent("a secret object whose default the platform fills, so that reads show another one than declared", () => {
  const auth = { type: "object", writeOnly: true, properties: { user: { type: "string" }, port: { default: 443 } } };
  const filled = () => vault("no", { properties: { ...schema.properties, auth } });
  const configs = { region: "eu", token: "t0ken", auth: { user: "ada" } };

  test.each([
    ["beside a secret that reads show", configs],
    ["alone", { region: "eu", auth: { user: "ada" } }],
  ])("is not written again with another key: %s", async (_, declared) => {
    await using on = await filled();
    const { id, state } = await made(on, { ...base, configs: declared });
    expect(state.unreadablePaths).toEqual([["configs", "auth"]]);
    const now = { ...declared, region: "us" };
    const after = await on.operation().tenant.update(id, state, { ...base, configs: now });
    expect(after.configs).toEqual(now);
    expect(on.writes()).toHaveLength(1);
  });

  test("is as declared in a tenant that is taken over with it", async () => {
    await using on = await filled();
    const live = { ...configs, auth: { user: "ada", port: 443 } };
    const adopt = await on.add({ integration: "vault", name: "acme", configs: live });
    const { state } = await on.operation().tenant.create({ ...base, adopt, configs });
    expect(state.configs).toEqual(configs);
  });
});

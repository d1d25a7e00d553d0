import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import type { Lifecycle } from "../../../src/resources/lifecycle.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, type Operation, type Stage, stage, stageShowing } from "../stage.ts";

// A platform shows values in forms of its own. Each up succeeds, a second one changes nothing, and a read shows only what others
// have changed. What the platform has is read from the emulator.

const schedule = "30 */6 * * *";
const values = {
  region: "eu",
  note: " padded-note ",
  limit: 5,
  steps: [{ name: "step-one" }, { name: "step-two" }],
  gone: "",
  deep: { note: " padded-deep ", limit: 7, plain: true },
} satisfies JsonObject;
const changed = {
  ...values,
  note: " other-note ",
  limit: 6,
  steps: [{ name: "step-one" }],
  gone: [],
  deep: { note: " other-deep ", limit: 8, plain: true },
} satisfies JsonObject;

/** The habits of platforms, each with the pointers within the values where they show another form. */
const habits: readonly { variants: Partial<Variants>; forms: readonly string[] }[] = [
  { variants: { scheduleForm: "suffixed" }, forms: [] },
  { variants: { scheduleForm: "ranges" }, forms: [] },
  { variants: { scheduleForm: "shifted" }, forms: [] },
  { variants: { textForm: "trimmed" }, forms: ["deep/note", "note"] },
  { variants: { numbers: "strings" }, forms: ["deep/limit", "limit"] },
  { variants: { listDefaults: "added" }, forms: ["steps"] },
  { variants: { emptyValues: "dropped" }, forms: ["gone"] },
  {
    variants: {
      ...{ scheduleForm: "shifted", textForm: "trimmed", numbers: "strings", listDefaults: "added" },
      emptyValues: "dropped",
    },
    forms: ["deep/limit", "deep/note", "gone", "limit", "note", "steps"],
  },
];

interface Declared {
  schedule: string;
  values: JsonObject;
}

/** A resource that declares such values. The emulator's answer to a POST is not that of a PATCH. */
interface Kind {
  name: string;
  /** The settings that it declares. */
  settings: readonly ("schedule" | "configs" | "metadata")[];
  lifecycleOf(operation: Operation): Lifecycle<object, object>;
  inputsOf(on: Stage, declared: Declared): Promise<object>;
  /** The state of the tenant, or its inputs, in those of the resource. */
  tenantIn(stateOrInputs: object): object;
  /** The name of a setting in the paths of a state. */
  pathOf(setting: string): string;
}

const tenantInputs = (declared: Declared) =>
  ({
    schedule: declared.schedule,
    configs: declared.values,
    metadata: declared.values,
  }) satisfies Partial<TenantInputs>;

const kinds: readonly Kind[] = [
  {
    name: "Tenant",
    settings: ["schedule", "configs", "metadata"],
    lifecycleOf: ({ tenant }) => untyped(tenant),
    inputsOf: async (_, declared) => ({ integration: "crm-to-billing", name: "acme", ...tenantInputs(declared) }),
    tenantIn: (state) => state,
    pathOf: (setting) => setting,
  },
  {
    name: "TenantMetadata",
    settings: ["metadata"],
    lifecycleOf: ({ metadata }) => untyped(metadata),
    inputsOf: async (on, declared) => ({ tenantId: await theirs(on), data: declared.values }),
    tenantIn: ({ data, ...state }: { data?: unknown }) => ({ ...state, metadata: data }),
    pathOf: () => "data",
  },
  {
    name: "TenantFleet",
    settings: ["schedule", "configs", "metadata"],
    lifecycleOf: ({ fleet }) => untyped(fleet),
    inputsOf: async (_, declared) => ({
      ...{ integration: "crm-to-billing", name: "billing" },
      tenants: { acme: tenantInputs(declared) },
    }),
    tenantIn: ({ tenants }: { tenants?: { acme?: object } }) => Object(tenants?.acme),
    pathOf: (setting) => setting,
  },
];

/** The lifecycles take their own inputs and states, which these tests only pass on. */
function untyped(lifecycle: unknown): Lifecycle<object, object> {
  return Object(lifecycle);
}

async function theirs(on: Stage): Promise<number> {
  const [found] = await on.live();
  return found?.id ?? on.add({ integration: "crm-to-billing", name: "theirs" });
}

describe.concurrent.each(kinds)("$name", ({ settings, lifecycleOf, inputsOf, tenantIn, pathOf }) => {
  const on = async (variants: Partial<Variants>) => stage({ variants });
  const now = (one: Stage) => lifecycleOf(one.operation());

  describe.each(habits)("on a platform with $variants", ({ variants, forms }) => {
    test("an up succeeds, and a second one has nothing to do", async () => {
      await using one = await on(variants);
      const inputs = await inputsOf(one, { schedule, values });
      const made = await now(one).create(inputs);
      await expectStored(one, settings, values);
      expect(tenantIn(made.state)).toMatchObject(only(settings, { schedule, configs: values, metadata: values }));
      await expectQuiet(one, now, { ...made, inputs });
      expect(formsIn(tenantIn(made.state))).toEqual(expectedForms(variants, { settings, pathOf, forms }));
      expectNoValueIn(one);
    });

    test.each(answersOf(variants))("so do a change, whose answer has %s, and a second one", async (patchAnswer) => {
      await using one = await on({ ...variants, patchAnswer });
      const made = await now(one).create(await inputsOf(one, { schedule, values }));
      const inputs = await inputsOf(one, { schedule: "45 */6 * * *", values: changed });
      expect(await now(one).diff(made.id, made.state, inputs)).toMatchObject({ isChanged: true });
      one.notes.length = 0; // the diff of a fleet shows its values
      const state = await now(one).update(made.id, made.state, inputs);
      await expectStored(one, settings, changed);
      await expectQuiet(one, now, { id: made.id, state, inputs });
      expectNoValueIn(one);
    });

    test("a read shows what others have changed, and nothing else", async () => {
      await using one = await on(variants);
      const inputs = await inputsOf(one, { schedule, values });
      const { id, state } = await now(one).create(inputs);
      for (const byHand of [
        { region: "us" },
        { note: "theirs" },
        { limit: 9 },
        { steps: [{ name: "step-two" }] },
        { gone: "x" },
      ]) {
        const seen = { ...values, ...byHand };
        await one.changeByHand(await theirs(one), { configs: seen, metadata: seen });
        const read = await now(one).read(id, state);
        const shown = { ...values, ...shownForm(variants, byHand) };
        expect(tenantIn(read?.inputs ?? {})).toMatchObject(
          only(settings, { schedule, configs: shown, metadata: shown }),
        );
      }
      await one.changeByHand(await theirs(one), { configs: values, metadata: values, user_schedule: "0 1 * * *" });
      const read = await now(one).read(id, state);
      const theirSchedule =
        { suffixed: "0 1 * * * UTC", ranges: "0 1 * * *" }[String(variants.scheduleForm)] ?? "0 1 * * *";
      expect(tenantIn(read?.inputs ?? {})).toMatchObject(
        only(settings, { schedule: theirSchedule, configs: values, metadata: values }),
      );
    });
  });

  test("a platform that echoes what it was sent, and shows it otherwise, may have another writer: an error names the way out", async () => {
    await using one = await on({ textForm: "trimmed", patchAnswer: "echoed" });
    const made = await now(one).create(await inputsOf(one, { schedule, values: { region: "eu" } }));
    const inputs = await inputsOf(one, { schedule, values });
    const failure = await now(one)
      .update(made.id, made.state, inputs)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    const message = String(Object(failure).cause?.message ?? Object(failure).message);
    const setting = settings.includes("configs") ? "configs" : "metadata";
    expect(message).toContain(`${setting}.note`);
    expect(message).toContain("declare what it shows");
    expect(message).not.toMatch(/padded/);
  });

  test("a value that holds a secret has no pair, and neither has the secret", async () => {
    await using one = await on({ textForm: "trimmed", listDefaults: "added" });
    const secret = " s3cret-of-acme ";
    const withSecret = {
      note: " padded-note ",
      steps: [{ name: " padded-step ", pin: secret }, { name: "b" }],
      pin: secret,
    };
    const marked = settings.filter((setting) => setting !== "schedule").map(pathOf);
    const secretPaths = marked.flatMap((setting) => [
      [setting, "pin"],
      [setting, "steps", "0", "pin"],
    ]);
    const inputs = withSecretPaths(await inputsOf(one, { schedule, values: withSecret }), secretPaths);
    const made = await now(one).create(inputs);
    await expectStored(one, settings, withSecret);
    await expectQuiet(one, now, { ...made, inputs });
    const forms = ["note", "steps/0/enabled", "steps/0/name", "steps/1/enabled"];
    expect(formsIn(tenantIn(made.state))).toEqual(expectedForms({}, { settings, pathOf, forms }));
    expect(Object(tenantIn(made.state)).unreadablePaths.map(String).toSorted()).toEqual(
      secretPaths.map(String).toSorted(),
    );
    expect(JSON.stringify([one.notes, one.warnings])).not.toMatch(/s3cret|padded/);
  });
});

test.concurrent("a schedule that differs after each write, and that no answer shows, may be that of another writer", async () => {
  await using on = await stage({ variants: { scheduleForm: "shifted", patchAnswer: "nothing" } });
  const inputs = { integration: "crm-to-billing", name: "acme", schedule };
  const made = await on.operation().tenant.create(inputs);
  const change = on.operation().tenant.update(made.id, made.state, { ...inputs, schedule: "45 */6 * * *" });
  await expect(change).rejects.toThrow(
    /its reads show another value of schedule than was written: somebody else writes it/,
  );
});

test.concurrent("a part that is no longer declared is removed, although the platform is known to show it in a form of its own", async () => {
  await using on = await stage({ variants: { numbers: "strings", configs: "merge-patch" } });
  const inputsWith = (limits: JsonObject) => ({ integration: "crm-to-billing", name: "acme", configs: { limits } });
  const made = await on.operation().tenant.create(inputsWith({ day: 1, month: 2 }));
  await on.operation().tenant.update(made.id, made.state, inputsWith({ day: 1 }));
  expect(await on.tenant(made.id)).toMatchObject({ configs: { limits: { day: 1 } } });
  expect((await on.tenant(made.id)).configs.limits).not.toHaveProperty("month");
});

/** The paths of the declared secrets; in a fleet, those of its entry. */
function withSecretPaths(inputs: object, secretPaths: string[][]): object {
  const { tenants } = Object(inputs);
  return tenants === undefined
    ? { ...inputs, secretPaths }
    : { ...inputs, tenants: { acme: { ...tenants.acme, secretPaths } } };
}

/** If no answer shows a schedule that differs after each write, it cannot be told from one that somebody else writes. */
function answersOf({ scheduleForm }: Partial<Variants>): Variants["patchAnswer"][] {
  return scheduleForm === "shifted" ? ["object"] : ["object", "nothing"];
}

function only(settings: readonly string[], all: object): object {
  return Object.fromEntries(Object.entries(all).filter(([name]) => settings.includes(name)));
}

/** The emulator shows what was stored in forms of its own; it keeps what was written. */
async function expectStored(on: Stage, settings: readonly string[], stored: JsonObject) {
  const tenant = await on.tenant(await theirs(on));
  expect(only(settings, { configs: tenant.configs, metadata: tenant.metadata })).toEqual(
    only(settings, { configs: stored, metadata: stored }),
  );
}

async function expectQuiet(
  on: Stage,
  now: (on: Stage) => Lifecycle<object, object>,
  { id, state, inputs }: { id: string; state: object; inputs: object },
) {
  on.emulator.clearRequests();
  expect(await now(on).diff(id, state, inputs)).toEqual({ isChanged: false });
  expect(await now(on).read(id, state)).toEqual({ inputs, state });
  expect(await now(on).update(id, state, inputs)).toEqual(state);
  expect(on.writes()).toEqual([]);
}

function formsIn(state: object): string[] {
  return Object.keys(Object(state).shownAs ?? {}).toSorted();
}

function expectedForms(
  { scheduleForm }: Partial<Variants>,
  { settings, pathOf, forms }: Pick<Kind, "settings" | "pathOf"> & { forms: readonly string[] },
): string[] {
  return settings
    .flatMap((setting) => {
      if (setting === "schedule") return scheduleForm === "shifted" ? ["/schedule"] : [];
      return forms.map((form) => `/${pathOf(setting)}/${form}`);
    })
    .toSorted();
}

/** How the platform shows what others have written. */
function shownForm(
  { numbers, listDefaults }: Partial<Variants>,
  written: { limit?: number; steps?: object[] },
): object {
  return {
    ...written,
    ...(written.limit !== undefined && numbers === "strings" ? { limit: String(written.limit) } : {}),
    ...(written.steps && listDefaults === "added"
      ? { steps: written.steps.map((step) => ({ enabled: true, ...step })) }
      : {}),
  };
}

function expectNoValueIn(on: Stage) {
  expect(JSON.stringify([on.notes, on.warnings])).not.toMatch(/padded|other-|step-(one|two)/);
}

test.concurrent("of a secret that the platform adds to a declared value, the state keeps only that it is there", async () => {
  await using on = await stageShowing((body) => body.replaceAll('"user":"ada"', '"user":"ada","pin":"9876"'));
  const inputs = { ...acme, configs: { region: "eu", login: { user: "ada" } } };
  const { id, state } = await on.operation().tenant.create(inputs);
  expect(state).toMatchObject({ configs: inputs.configs, shownAs: { "/configs/login/pin": "- *" } });
  expect(await on.operation().tenant.diff(id, state, inputs)).toEqual({ isChanged: false });
  expect((await on.operation().tenant.read(id, state))?.state).toEqual(state);
});

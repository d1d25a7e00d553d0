import fc from "fast-check";
import type { FaultSpec } from "../../src/emulator/index.ts";
import type { Place, Settings } from "./model.ts";

/** A change of the program. `pick` is an index modulo the number of candidates, so that a story can be shortened. */
export type Edit =
  | { readonly kind: "add"; readonly place: Place; readonly settings: Settings }
  | { readonly kind: "set"; readonly pick: number; readonly settings: Partial<Settings> }
  | { readonly kind: "unset"; readonly pick: number; readonly what: keyof Settings }
  | { readonly kind: "remove"; readonly pick: number }
  | {
      readonly kind: "move";
      readonly pick: number;
      readonly to: Place;
      readonly isAliased: boolean;
      readonly adopt: Settings["adopt"];
    }
  | { readonly kind: "swap names"; readonly pick: number; readonly other: number }
  | { readonly kind: "name of removed"; readonly pick: number; readonly other: number }
  | { readonly kind: "adopt id"; readonly pick: number; readonly of: number }
  | { readonly kind: "move metadata"; readonly pick: number; readonly to: "Tenant" | "TenantMetadata" }
  | { readonly kind: "metadata"; readonly of: number; readonly data: Record<string, unknown> | undefined }
  | { readonly kind: "build"; readonly pick: number; readonly tag: string };

/** An external change of one of the tenants that ever existed. */
export type Deed =
  | { readonly kind: "configs" | "metadata"; readonly of: number; readonly key: string; readonly json: string }
  | { readonly kind: "archive" | "pause" | "resume" | "connect" | "run"; readonly of: number }
  | { readonly kind: "schedule"; readonly of: number; readonly text: string | null }
  | { readonly kind: "install"; readonly name: string; readonly isLike: boolean };

/** One command of the user, the changes before it, and the changes during it. */
export interface Step {
  readonly edits: readonly Edit[];
  readonly before: readonly Deed[];
  /** The external changes during the command, at its first create or update. */
  readonly meanwhile: readonly Deed[];
  readonly fault: FaultSpec | undefined;
  readonly command: StoryCommand;
}

export interface StoryCommand {
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  readonly refresh: boolean;
  readonly preview: boolean;
  /** The index of the tenant resource to replace. Undefined: none. */
  readonly replace: number | undefined;
  readonly target: number | undefined;
}

export type Story = readonly Step[];

const pick = fc.nat({ max: 7 });
const names = ["acme", "bolt", "cedar"] as const;
const name = fc.constantFrom(...names);
const places = ["t1", "t2", "t3", "f1/k1", "f1/k2", "f1/acme", "f2/k1"] as const;
const place = fc.constantFrom(...places);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Strings that occur nowhere else, and that no message may contain. */
export const secrets = ["s3cret-of-one", 's3cret "of" two', "s3cret/of\\three"] as const;

const secret = fc.constantFrom(...secrets).map((text) => ({ $secret: text }));
const configs = fc.record(
  {
    region: fc.constantFrom("eu", "us"),
    limit: fc.constantFrom(1, 2, 0.5),
    token: secret,
    nested: fc.constantFrom({ a: 1 }, { a: 1, b: [1, 2] }, { b: null }, {}),
    list: fc.constantFrom([1], [{ a: 1 }, "x"]),
  },
  { requiredKeys: [] },
);
const metadata = fc.record(
  { plan: fc.constantFrom("gold", "silver"), seats: fc.constantFrom(1, 2), note: secret },
  { requiredKeys: [] },
);
const adopt = fc.constantFrom<Settings["adopt"]>(undefined, undefined, undefined, "safe", true, true, "never");
const shape = {
  configs: optional(configs),
  metadata: optional(metadata),
  paused: optional(fc.boolean()),
  schedule: optional(fc.constantFrom("none", "0 5 * * *", "0  6 * * *")),
  release: optional(
    fc.constantFrom({ id: 12 }, { tag: "v1" }, { tag: "v2" }, { channel: "Latest" }, { channel: "Default" }),
  ),
  adopt,
  forceArchive: optional(fc.boolean()),
  retainOnDelete: fc.constantFrom<Settings["retainOnDelete"]>(undefined, undefined, undefined, undefined, false, true),
  sync: optional(fc.nat({ max: 1 })),
};
const settings: fc.Arbitrary<Settings> = fc.record({
  name,
  integration: fc.constantFrom<Settings["integration"]>("crm", "crm", "crm", "shop"),
  ...shape,
});
const change = fc.record(
  { name, integration: settings.map(({ integration }) => integration), ...shape },
  { requiredKeys: [] },
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add" as const), place, settings }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("set" as const), pick, settings: change }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("unset" as const),
      pick,
      what: fc.constantFrom<keyof Settings>("configs", "metadata", "schedule", "release", "paused", "sync", "adopt"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("move" as const), pick, to: place, isAliased: fc.boolean(), adopt }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("swap names" as const), pick, other: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("name of removed" as const), pick, other: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("adopt id" as const), pick, of: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("move metadata" as const),
      pick,
      to: fc.constantFrom("Tenant" as const, "TenantMetadata" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("metadata" as const), of: pick, data: optional(metadata) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("build" as const), pick, tag: fc.constantFrom("v2", "v8", "v9") }),
  },
);

/** JSON texts that change when JavaScript parses and serialises them. */
const oddJson = fc.constantFrom(
  "9007199254740993",
  "1e400",
  "1.0",
  "0.10",
  '"text"',
  "null",
  '{"b":1,"a":[12345678901234567890]}',
  '"***"',
  '"honest *** text"',
);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("configs" as const, "metadata" as const),
      of: pick,
      key: fc.constantFrom("theirs", "theirs2", "region", "plan"),
      json: oddJson,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("archive" as const, "pause", "resume", "connect", "run"), of: pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("schedule" as const),
      of: pick,
      text: fc.constantFrom("", "0 9 * * *", null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("install" as const), name, isLike: fc.boolean() }) },
);

const fault: fc.Arbitrary<FaultSpec> = fc
  .record({
    kind: fc.constantFrom("cut-before", "cut-after", "status", "status applied"),
    method: fc.constantFrom("POST", "PATCH", "PATCH", "DELETE", "GET"),
    skip: fc.nat({ max: 2 }),
    status: fc.constantFrom(500, 503, 422),
  })
  .map(({ kind, method, skip, status }): FaultSpec => {
    const common = { match: { method }, skip, times: 1 };
    if (kind === "cut-before" || kind === "cut-after") return { ...common, kind };
    return {
      ...common,
      kind: "status",
      status,
      applied: kind === "status applied" && status !== 422,
      body: { detail: [] },
    };
  });

const command: fc.Arbitrary<StoryCommand> = fc.record({
  kind: fc.constantFrom<StoryCommand["kind"]>(
    "up",
    "up",
    "up",
    "up",
    "up",
    "up",
    "up",
    "preview",
    "refresh",
    "destroy",
  ),
  refresh: fc.boolean(),
  preview: fc.constantFrom(false, false, true),
  replace: fc.option(pick, { nil: undefined, freq: 6 }),
  target: fc.option(pick, { nil: undefined, freq: 10 }),
});

const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  before: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(deed, { maxLength: 2 }) },
  ),
  meanwhile: fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(deed, { maxLength: 1 }) },
  ),
  fault: fc.option(fault, { nil: undefined, freq: 5 }),
  command,
});

/** A story that begins with a few tenants and ends with an undisturbed `up` and `destroy`. */
export const story: fc.Arbitrary<Story> = fc
  .tuple(
    fc.array(fc.record({ kind: fc.constant("add" as const), place, settings }), { minLength: 1, maxLength: 4 }),
    fc.array(step, { minLength: 1, maxLength: 5 }),
  )
  .map(([first, steps]) => [{ ...plain("up"), edits: first }, ...steps, plain("up"), plain("destroy")]);

function plain(kind: "up" | "destroy"): Step {
  const options = { refresh: kind === "up", preview: false, replace: undefined, target: undefined };
  return { edits: [], before: [], meanwhile: [], fault: undefined, command: { kind, ...options } };
}

/**
 * The variants: the questions that the specification leaves open, each with the answers that a real platform may give.
 * Programs that use the API should work with every answer. The first value of each variant is the emulator's default.
 *
 * This table is the only place that lists variants: types, checks, `--help` and the tests that play every variant use it.
 */
const table = {
  configs: {
    topic: "changes",
    question: "How does PATCH of a tenant change `configs`?",
    values: [
      ["replace", "the new object replaces the old one"],
      ["merge", "its keys are merged, not recursively; null is a value"],
      ["merge-patch", "RFC 7396: objects are merged recursively; null removes a key"],
    ],
  },
  metadata: {
    topic: "changes",
    question: "How does PATCH of metadata change it?",
    values: [
      ["merge", "the keys are merged, not recursively; null is a value"],
      ["replace", "the new object replaces the old one"],
      ["merge-patch", "RFC 7396: objects are merged recursively; null removes a key"],
    ],
  },
  patchAnswer: {
    topic: "changes",
    question: "What do PATCH of a tenant, and disconnecting a connector, answer?",
    values: [
      ["object", "the tenant; the connector's status"],
      ["echoed", "the tenant, with the request's fields as they were sent; so does PATCH of metadata"],
      ["nothing", "{}"],
      ["empty", "a 200 without a body"],
    ],
  },
  pausedUnconnected: {
    topic: "changes",
    question: "What does PATCH do with `paused: false` before the tenant is connected?",
    values: [
      ["accepted", "it resumes the tenant"],
      ["refused", "422"],
      ["ignored", "nothing: the tenant stays paused"],
    ],
  },
  busy: {
    topic: "refusals",
    question: "What do PATCH and sync of a tenant answer while a run of it is in progress?",
    values: [
      ["no", "the same as otherwise"],
      ["409", "409"],
      ["423", "423"],
    ],
  },
  limitOver500: {
    topic: "lists",
    question: "What does `limit=501` do?",
    values: [
      ["refuse", "422"],
      ["clamp", "the same as `limit=500`"],
    ],
  },
  maskedConfigs: {
    topic: "fields",
    question: "How do responses show the `format: password` and `writeOnly` values of configs and metadata?",
    values: [
      ["no", "as they are"],
      ["yes", "as `***`"],
      ["left-out", "not at all"],
      ["null", "as null"],
      ["other", "as `value is set`"],
    ],
  },
  numbers: {
    topic: "fields",
    question: "How do responses show numbers in configs and metadata?",
    values: [
      ["kept", "as they were written"],
      ["rounded", "as double-precision numbers, as which they are stored"],
      ["strings", "as strings"],
    ],
  },
  textForm: {
    topic: "fields",
    question: "How do responses show strings in configs and metadata?",
    values: [
      ["kept", "as they were written"],
      ["trimmed", "without white space around them"],
    ],
  },
  listDefaults: {
    topic: "fields",
    question: "How do responses show objects in lists of configs and metadata?",
    values: [
      ["none", "as they were written"],
      ["added", "with the key `enabled`: true where they have none"],
    ],
  },
  emptyValues: {
    topic: "fields",
    question: 'Do responses have keys of configs and metadata whose value is null, "", [] or {}?',
    values: [
      ["kept", "yes"],
      ["dropped", "no"],
    ],
  },
  scheduleForm: {
    topic: "fields",
    question: "How do responses show a schedule?",
    values: [
      ["kept", "as it was written"],
      ["suffixed", "with ` UTC` at its end"],
      ["ranges", "with `0-23/6` for `*/6`"],
      ["shifted", "some minutes later, other ones after each PATCH of it; it is stored so"],
    ],
  },
  archivedList: {
    topic: "lists",
    question: "What does `archived=true` list?",
    values: [
      ["alone", "only archived records"],
      ["along", "archived and live records"],
    ],
  },
  sorting: {
    topic: "lists",
    question: "What does `sort_by` do?",
    values: [
      ["accept", "it sorts the list"],
      ["refuse", "422"],
      ["ignore", "nothing: the last modified record comes first"],
    ],
  },
  pageSize: {
    topic: "lists",
    question: "How many records does a page have?",
    values: [
      ["asked", "as many as `limit`"],
      ["capped", "37 at most, whatever `limit` is"],
    ],
  },
  releaseAndChannel: {
    topic: "changes",
    question: "May one PATCH have both `integration_release_id` and `integration_release_channel`, one of them null?",
    values: [
      ["accept", "yes"],
      ["refuse", "no: 422"],
    ],
  },
  metadataWhenNone: {
    topic: "fields",
    question: "What is the response if no metadata was ever written?",
    values: [
      ["empty", "metadata with the data {}"],
      ["missing", "404"],
    ],
  },
  visibility: {
    topic: "changes",
    question: "When do reads show a write?",
    values: [
      ["immediate", "at once"],
      ["delayed", "after 300 ms"],
      ["lagging", "after `lagSeconds`, 6 by default"],
    ],
  },
  names: {
    topic: "changes",
    question: "May two live tenants of an integration have the same name?",
    values: [
      ["free", "yes"],
      ["unique", "no: 422"],
    ],
  },
  schemaDefaults: {
    topic: "changes",
    question: "Does the platform add the defaults of a release's schemas to configs and metadata?",
    values: [
      ["fill", "yes"],
      ["leave", "no"],
    ],
  },
  placeholders: {
    topic: "changes",
    question: "Which values does the platform take for a dynamic choice, whose schema is a placeholder?",
    values: [
      ["accept", "every value, and none where the schema requires one"],
      ["refuse", "only the placeholder: 422"],
    ],
  },
  builds: {
    topic: "buildsAndRuns",
    question: "When does a build become a release?",
    values: [
      ["quick", "after 2 seconds"],
      ["slow", "after 60 seconds"],
      ["never", "never"],
      ["twice", "after 2 seconds, as two releases with one tag"],
    ],
  },
  buildAnswer: {
    topic: "buildsAndRuns",
    question: "What does a build request answer?",
    values: [
      ["object", "the build"],
      ["nothing", "{}"],
    ],
  },
  statusWords: {
    topic: "buildsAndRuns",
    question: "Which words are the status of a run?",
    values: [
      ["plain", "pending, running, succeeded, failed; in the record of a run `Failed (Refresh)` and the like"],
      ["capitalized", "Pending, Running, Succeeded, Failed"],
      ["queue", "queued, in_progress, success, failure"],
      ["mixed", "ACCEPTED, hydrating, Done, FAILED"],
      ["processed", "Waiting, Processing, Processed, Broken"],
    ],
  },
  runsList: {
    topic: "buildsAndRuns",
    question: "Does the platform list the runs of a tenant, which the specification does not have?",
    values: [
      ["listed", "yes; the `id` of a run's trigger is the `trigger_id` of the sync's answer, as a number"],
      ["other-ids", "yes; the ids of triggers are other ones"],
      ["missing", "no: 404"],
    ],
  },
  unconnectedSync: {
    topic: "buildsAndRuns",
    question: "What does a sync of an unconnected tenant answer?",
    values: [
      ["refuse", "422"],
      ["missing", "404"],
      ["fail-run", "202, and the run fails at once"],
      ["accept", "202, and the run starts"],
    ],
  },
  pausedSync: {
    topic: "buildsAndRuns",
    question: "What does a sync of a paused tenant answer?",
    values: [
      ["accept", "202"],
      ["refuse", "422"],
    ],
  },
  defaults: {
    topic: "fields",
    question: "Do responses have fields whose value is null or the specification's default?",
    values: [
      ["present", "yes"],
      ["absent", "no"],
    ],
  },
  absentField: {
    topic: "fields",
    question:
      "Which fields of tenants are in no response? The specification neither requires them nor gives them a default, or they are about the connection",
    values: [
      ["none", "none"],
      ["archived", "archived"],
      ["integration_id", "integration_id"],
      ["dates", "created_date and modified_date"],
      ["user_schedule", "user_schedule"],
      ["schedule", "schedule"],
      ["integration_release_id", "integration_release_id"],
      ["integration_release_channel", "integration_release_channel"],
      ["release", "integration_release_id and integration_release_channel"],
      ["status", "status"],
      ["auth", "status.auth"],
      ["connected", "status.auth.connected"],
      ["last_change", "last_change of each connector in status.auth.connectors"],
    ],
  },
  dateHeader: {
    topic: "fields",
    question: "Do responses have a `Date` header, with the time of the platform's clock?",
    values: [
      ["present", "yes"],
      ["absent", "no"],
    ],
  },
  connectionWords: {
    topic: "connections",
    question: "Which words are the status of a connector?",
    values: [
      ["plain", "connected, disconnected"],
      ["capitalized", "Connected, Not-Connected"],
      ["linked", "linked, unlinked"],
      ["terse", "OK, NONE"],
    ],
  },
  authConnectors: {
    topic: "connections",
    question: "What is in `status.auth.connectors`?",
    values: [
      ["listed", "the tenant's own connectors"],
      ["none", "nothing: it is []"],
    ],
  },
  archivedTenant: {
    topic: "refusals",
    question: "What do GET of the metadata and of the release of an archived tenant answer?",
    values: [
      ["missing", "404"],
      ["readable", "200, as for a live tenant"],
    ],
  },
  refusals: {
    topic: "refusals",
    question: "Does a 422 repeat the request's body?",
    values: [
      ["plain", "no"],
      ["repeat", "yes, each value as it is"],
      ["repeat-json", "yes, as JSON"],
      ["repeat-url", "yes, each value encoded for a URL"],
    ],
  },
} as const satisfies Readonly<Record<string, VariantDescription>>;

/** What a variant is about. The keys are in the order in which people read about them. */
export const variantTopics = {
  changes: "What a change does",
  lists: "Lists",
  fields: "Fields of responses",
  buildsAndRuns: "Builds and runs",
  connections: "Connections",
  refusals: "Refusals",
} as const;

/** A question that the specification leaves open, with the answers that the emulator can give. */
export interface VariantDescription {
  readonly topic: keyof typeof variantTopics;
  readonly question: string;
  /** Each value with its meaning, the default first. */
  readonly values: readonly (readonly [value: string, meaning: string])[];
}

/** One value of every variant. */
export type Variants = {
  readonly [Name in keyof typeof table]: (typeof table)[Name]["values"][number][0];
};

const descriptions = new Map<string, VariantDescription>(Object.entries(table));

/** The names of all variants with their descriptions. */
export const variantDescriptions: readonly (readonly [name: string, description: VariantDescription])[] = [
  ...descriptions,
];

/** The values of each variant, the default first. */
export const variantValues: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...descriptions].map(([name, { values }]) => [name, values.map(([value]) => value)]),
);

/** The first value of every variant. */
export const defaultVariants: Variants = requireVariants(
  Object.fromEntries(Object.entries(variantValues).map(([name, [value]]) => [name, value])),
);

/**
 * The variants after a change. Variants that the change does not have, or has as undefined, stay unchanged.
 *
 * @throws Error that lists the variants or values, for an unknown variant or value.
 */
export function changeVariants(current: Variants, change: unknown): Variants {
  if (typeof change !== "object" || change === null || Array.isArray(change)) {
    throw new Error("The variants must be an object with names and values");
  }
  const changed = Object.entries(change).filter(([, value]) => value !== undefined);
  return requireVariants({ ...current, ...Object.fromEntries(changed) });
}

/** All variants with their values, questions and meanings, for `--help`. */
export function listVariants(): string {
  const listed = [...descriptions].map(([name, { question, values }]) =>
    [
      valuesLine(name),
      `    ${question}`,
      ...values.filter(([value, meaning]) => value !== meaning).map(([value, meaning]) => `    - ${value}: ${meaning}`),
    ].join("\n"),
  );
  return listed.join("\n");
}

function requireVariants(values: Readonly<Record<string, unknown>>): Variants {
  for (const [name, value] of Object.entries(values)) requireValue(name, value);
  if (isComplete(values)) return values;
  throw new Error("A variant has no value");
}

/** Whether values that `requireValue` accepts are those of all variants. */
function isComplete(values: object): values is Variants {
  return Object.keys(variantValues).every((name) => Object.hasOwn(values, name));
}

function requireValue(name: string, value: unknown): void {
  const known = descriptions.get(name)?.values.map(([knownValue]) => knownValue);
  if (!known) {
    const lines = [...descriptions.keys()].map(valuesLine).join("\n");
    throw new Error(`There is no variant "${name}". The variants are:\n${lines}`);
  }
  if (typeof value === "string" && known.includes(value)) return;
  throw new Error(`The variant "${name}" cannot be ${JSON.stringify(value)}. It can be: ${known.join(", ")}`);
}

function valuesLine(name: string): string {
  return `  ${name}: ${(variantValues[name] ?? []).join(" | ")}`;
}

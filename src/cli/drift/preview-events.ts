import { z } from "zod";
import type { JsonObject } from "../../json/json-value.ts";
import { jsonObjectSchema } from "../../json/json-value-schema.ts";
import { type PropertyPath, parsePath } from "../property-path.ts";

/** A resource in a preview after a refresh. */
export interface PreviewedResource {
  type: string;
  name: string;
  /** What `pulumi up` would do with it: `same`, `update`, `replace`, `create`, `delete`. */
  operation: string;
  /** Its inputs in the state, as the last `up` or `refresh` left them; `undefined` if the state does not have it. */
  stored: JsonObject | undefined;
  /** Its inputs as the platform has them now; `undefined` if the platform does not have it. */
  actual: JsonObject | undefined;
  /** Its inputs in the program; `undefined` if the program no longer declares it. */
  declared: JsonObject | undefined;
  /** Its outputs as last observed. */
  outputs: JsonObject;
  /** Whether its deletion leaves it on the platform, by Pulumi's option `retainOnDelete`. */
  isRetained: boolean;
  /** The paths at which the engine found that `actual` differs from `stored`. */
  changedSince: PropertyPath[];
  /** The paths at which the engine found that `declared` differs from `actual`. */
  changes: PropertyPath[];
}

/** The events of a preview, put together. */
export interface PreviewEvents {
  stack: string | undefined;
  project: string | undefined;
  resources: PreviewedResource[];
  errors: string[];
  warnings: string[];
  /** Whether the preview came to its end. */
  isFinished: boolean;
}

/** Reads the output of `pulumi preview --refresh --json` with PULUMI_ENABLE_STREAMING_JSON_PREVIEW: one event in a line. */
export function readPreviewEvents(text: string): PreviewEvents {
  const events = text.split("\n").flatMap(parseEvent);
  const steps = events.flatMap(({ resOutputsEvent, resourcePreEvent }) => resourcePreEvent ?? resOutputsEvent ?? []);
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const [stack, project] = steps[0]?.metadata.urn.replace("urn:pulumi:", "").split("::") ?? [];
  return {
    stack,
    project,
    resources: plannedResources(events),
    // Messages of the severity `debug` must not be shown: the engine writes secrets into them in clear.
    errors: messagesOf(diagnostics, "error"),
    warnings: messagesOf(diagnostics, "warning", "info#err"), // "info#err" is what a process wrote to standard error
    isFinished: events.some(({ summaryEvent }) => summaryEvent !== undefined),
  };
}

const stateSchema = z
  .looseObject({
    inputs: jsonObjectSchema.nullish(),
    outputs: jsonObjectSchema.nullish(),
    retainOnDelete: z.boolean().nullish(),
  })
  .nullish();
const pathsSchema = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((diff) => Object.keys(diff ?? {}).map(parsePath));
const stepSchema = z.looseObject({
  metadata: z.looseObject({
    op: z.string(),
    urn: z.string(),
    type: z.string(),
    old: stateSchema,
    new: stateSchema,
    detailedDiff: pathsSchema,
  }),
});
const diagnosticSchema = z.looseObject({ severity: z.string(), message: z.string() });
const eventSchema = z.looseObject({
  resourcePreEvent: stepSchema.optional(),
  resOutputsEvent: stepSchema.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  summaryEvent: z.looseObject({}).optional(),
});

type Event = z.infer<typeof eventSchema>;
type Step = z.infer<typeof stepSchema>["metadata"];

function parseEvent(line: string): Event[] {
  if (!line.startsWith("{")) return [];
  try {
    return [eventSchema.parse(JSON.parse(line))];
  } catch {
    // A line that was cut off, or an event of an unknown shape. Without its last event the preview is not finished.
    return [];
  }
}

function plannedResources(events: readonly Event[]): PreviewedResource[] {
  const refreshes = refreshSteps(events);
  const steps = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  const planned = new Map(steps.filter(({ op }) => operations.has(op)).map((step) => [step.urn, step]));
  return [...planned.values()].map((step): PreviewedResource => {
    const refresh = refreshes.get(step.urn);
    const before = refresh === undefined ? step.old : refresh.new;
    return {
      type: step.type,
      name: step.urn.split("::").slice(3).join("::"),
      operation: step.op,
      stored: (refresh ?? step).old?.inputs ?? undefined,
      actual: before?.inputs ?? undefined,
      declared: step.op === "delete" ? undefined : (step.new?.inputs ?? undefined),
      outputs: before?.outputs ?? {},
      isRetained: step.old?.retainOnDelete === true,
      changedSince: refresh?.detailedDiff ?? [],
      changes: step.detailedDiff,
    };
  });
}

/** A replacement has more steps (`create-replacement` and others), which repeat what `replace` says. */
const operations = new Set(["same", "update", "replace", "create", "delete"]);

/** The result of each resource's refresh: its first output event after the event that announces the refresh. */
function refreshSteps(events: readonly Event[]): Map<string, Step> {
  const announced = new Set<string>();
  const results = new Map<string, Step>();
  for (const { resourcePreEvent, resOutputsEvent } of events) {
    if (resourcePreEvent?.metadata.op === "refresh") announced.add(resourcePreEvent.metadata.urn);
    const result = resOutputsEvent?.metadata;
    if (result !== undefined && announced.delete(result.urn)) results.set(result.urn, result);
  }
  return results;
}

function messagesOf(
  diagnostics: readonly z.infer<typeof diagnosticSchema>[],
  ...severities: readonly string[]
): string[] {
  const messages = diagnostics
    .filter(({ severity }) => severities.includes(severity))
    .map(({ message }) => message.trim());
  return [...new Set(messages)].filter((message) => message !== "");
}

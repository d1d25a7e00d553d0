import { z } from "zod";
import { type JsonObject, jsonObjectSchema } from "../../api/index.ts";

/** A resource in a preview that refreshed first. */
export interface PreviewedResource {
  type: string;
  name: string;
  /** What `up` would do with it: `same`, `update`, `replace`, `create`, `delete`. */
  operation: string;
  /** Its inputs as of the last `up` or `refresh`; `undefined` where it is not in the state. */
  stored: JsonObject | undefined;
  /** Its inputs as the platform has them now; `undefined` where it is not there. */
  actual: JsonObject | undefined;
  /** Its inputs as the program says; `undefined` where it no longer does. */
  declared: JsonObject | undefined;
  /** Its outputs as last observed. */
  outputs: JsonObject;
  /** Where `actual` differs from `stored`, as the engine writes paths: `configs["a.b"].c`. */
  changedSince: string[];
  /** Where `declared` differs from `actual`. */
  changes: string[];
}

/** What the events of a preview come to. */
export interface PreviewEvents {
  stack: string | undefined;
  resources: PreviewedResource[];
  errors: string[];
  warnings: string[];
  /** Whether the preview came to its end. */
  isFinished: boolean;
}

/** Reads what `pulumi preview --refresh --json` prints with PULUMI_ENABLE_STREAMING_JSON_PREVIEW: an event in each line. */
export function readPreviewEvents(text: string): PreviewEvents {
  const events = text.split("\n").flatMap(eventOf);
  const steps = events.flatMap(({ resOutputsEvent, resourcePreEvent }) => resourcePreEvent ?? resOutputsEvent ?? []);
  const refreshes = refreshesIn(events);
  const said = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  return {
    stack: steps[0]?.metadata.urn.split(":")[2],
    resources: resourcesIn(events, refreshes),
    errors: messagesOf(said, "error"),
    warnings: messagesOf(said, "warning", "info#err"),
    isFinished: events.some(({ summaryEvent }) => summaryEvent !== undefined),
  };
}

const stateSchema = z
  .looseObject({ inputs: jsonObjectSchema.nullish(), outputs: jsonObjectSchema.nullish() })
  .nullish();
const stepSchema = z.looseObject({
  metadata: z.looseObject({
    op: z.string(),
    urn: z.string(),
    type: z.string(),
    old: stateSchema,
    new: stateSchema,
    detailedDiff: z.record(z.string(), z.unknown()).nullish(),
  }),
});
const messageSchema = z.looseObject({ severity: z.string(), message: z.string() });
const eventSchema = z.looseObject({
  resourcePreEvent: stepSchema.optional(),
  resOutputsEvent: stepSchema.optional(),
  diagnosticEvent: messageSchema.optional(),
  summaryEvent: z.looseObject({}).optional(),
});

type Event = z.infer<typeof eventSchema>;
type Step = z.infer<typeof stepSchema>["metadata"];

function eventOf(line: string): Event[] {
  if (!line.startsWith("{")) return [];
  try {
    return [eventSchema.parse(JSON.parse(line))];
  } catch {
    // An event that was cut off, or of a shape that we do not know: without the last one the preview is not finished.
    return [];
  }
}

/** How each resource came out of the refresh: what follows the announcement of its refresh. */
function refreshesIn(events: readonly Event[]): Map<string, Step> {
  const announced = new Set<string>();
  const refreshes = new Map<string, Step>();
  for (const { resourcePreEvent, resOutputsEvent } of events) {
    if (resourcePreEvent?.metadata.op === "refresh") announced.add(resourcePreEvent.metadata.urn);
    const outcome = resOutputsEvent?.metadata;
    if (outcome !== undefined && announced.delete(outcome.urn)) refreshes.set(outcome.urn, outcome);
  }
  return refreshes;
}

function resourcesIn(events: readonly Event[], refreshes: ReadonlyMap<string, Step>): PreviewedResource[] {
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
      changedSince: Object.keys(refresh?.detailedDiff ?? {}),
      changes: Object.keys(step.detailedDiff ?? {}),
    };
  });
}

/** The steps of a replacement besides itself say nothing new. */
const operations = new Set(["same", "update", "replace", "create", "delete"]);

function messagesOf(said: readonly z.infer<typeof messageSchema>[], ...severities: readonly string[]): string[] {
  const texts = said.filter(({ severity }) => severities.includes(severity)).map(({ message }) => message.trim());
  return [...new Set(texts)].filter((text) => text !== "");
}

import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../json/json-value.ts";
import { jsonObjectSchema } from "../../json/json-value-schema.ts";
import { formatPath } from "../../json/key-path.ts";
import { jsonIn } from "../../json/parse-json.ts";
import { resourceTypeOf } from "../../resources/pulumi/type-token.ts";
import { type PropertyPath, parsePath } from "../property-path.ts";

/** A resource in a preview after a refresh. */
export interface PreviewedResource {
  type: string;
  name: string;
  /** What `pulumi up` would do with it: `same`, `update`, `replace`, `create`, `delete`. An import alone is a `create`. */
  operation: string;
  /** Whether `pulumi up` would first import it: an update may follow, and then `stored` is what the import would store. */
  isImported: boolean;
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
  /** What the events say about tenants and the other resources of this package, and this command cannot read. */
  notRead: string[];
  errors: string[];
  warnings: string[];
  /** Whether the preview came to its end. */
  isFinished: boolean;
}

/** Reads the output of `pulumi preview --refresh --json` with PULUMI_ENABLE_STREAMING_JSON_PREVIEW: one event in a line. */
export function readPreviewEvents(text: string): PreviewEvents {
  const parsed = text.split("\n").flatMap(parseLine);
  const events = parsed.flatMap(({ event }): Event[] => (event === undefined ? [] : [event]));
  const steps = events.flatMap(({ resOutputsEvent, resourcePreEvent }) => resourcePreEvent ?? resOutputsEvent ?? []);
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const [stack, project] = steps[0]?.metadata.urn.replace("urn:pulumi:", "").split("::") ?? [];
  return {
    stack,
    project,
    resources: plannedResources(events),
    notRead: [...parsed.flatMap(({ problem }) => problem ?? []), ...unknownOperations(events)],
    // Messages of the severity `debug` must not be shown: the engine writes secrets into them in clear.
    errors: messagesOf(diagnostics, "error"),
    warnings: messagesOf(diagnostics, "warning", "info#err"), // "info#err" is what a process wrote to standard error
    isFinished: events.some(({ summaryEvent }) => summaryEvent !== undefined),
  };
}

const stateSchema = z
  .looseObject({
    id: z.string().nullish(),
    delete: z.boolean().nullish(),
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

/** The event in a line, or what this command cannot read in it. */
interface ParsedLine {
  event?: Event | undefined;
  problem?: string | undefined;
}

/** Reads one line. Other lines than JSON are for people, or were cut off: without its last event the preview is not finished. */
function parseLine(line: string): ParsedLine[] {
  if (!line.startsWith("{")) return [];
  const value = jsonIn(line);
  if (!isJsonObject(value)) return [];
  const { data: event, error } = eventSchema.safeParse(value);
  if (error === undefined) return [{ event }];
  return [{ problem: unreadableStep(value, error) }];
}

/** What is unexpected about a step. Nothing is if it is the step of another package's resource. */
function unreadableStep({ resourcePreEvent, resOutputsEvent }: JsonObject, error: z.ZodError): string | undefined {
  const step = resourcePreEvent ?? resOutputsEvent;
  if (step === undefined) return undefined;
  const { type, urn } = isJsonObject(step) && isJsonObject(step.metadata) ? step.metadata : {};
  if (typeof type === "string" && resourceTypeOf(type) === undefined) return undefined;
  const places = error.issues.map(({ path, message }) => `${formatPath(path.map(String))}: ${message}`);
  return `${typeof urn === "string" ? urn : "a resource without a URN"}: ${places.join("; ")}`;
}

function unknownOperations(events: readonly Event[]): string[] {
  return events.flatMap(({ resourcePreEvent }) => {
    if (resourcePreEvent === undefined) return [];
    const { op, type, urn } = resourcePreEvent.metadata;
    const isKnown = operations.has(op) || otherOperations.has(op);
    return isKnown || resourceTypeOf(type) === undefined ? [] : [`${urn}: unknown operation "${op}"`];
  });
}

function plannedResources(events: readonly Event[]): PreviewedResource[] {
  const refreshes = refreshSteps(events);
  const steps = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  const imported = new Set(steps.filter(({ op }) => op === "import").map(({ urn }) => urn));
  const planned = new Map(steps.filter(({ op }) => operations.has(op)).map((step) => [step.urn, step]));
  return [...planned.values(), ...leftDeletions(steps)].map((step): PreviewedResource => {
    // a replacement that creates first has marked it by now, but not before its refresh
    const refresh = refreshes.get(step.op === "replace" ? step.urn : keyOf(step));
    const isImport = step.op === "import";
    const old = isImport ? undefined : step.old; // an import announces what the platform has; the stack has nothing yet
    const before = refresh === undefined ? old : refresh.new;
    return {
      type: step.type,
      name: step.urn.split("::").slice(3).join("::"),
      operation: isImport ? "create" : step.op,
      isImported: imported.has(step.urn),
      stored: (refresh?.old ?? old)?.inputs ?? undefined,
      actual: before?.inputs ?? undefined,
      declared: step.op === "delete" ? undefined : (step.new?.inputs ?? undefined),
      outputs: before?.outputs ?? {},
      isRetained: step.old?.retainOnDelete === true,
      changedSince: refresh?.detailedDiff ?? [],
      changes: step.detailedDiff,
    };
  });
}

/**
 * The deletions that an earlier `up` has left, after it had replaced the resource. One of a tenant that the resource has again
 * archives nothing.
 */
function leftDeletions(steps: readonly Step[]): Step[] {
  const others = new Set(steps.filter(({ op }) => operations.has(op)).map(({ urn, old }) => `${urn} ${old?.id}`));
  const isLeft = ({ op, urn, old }: Step) => op === "delete-replaced" && !others.has(`${urn} ${old?.id}`);
  return steps.filter((step) => isLeft(step) && isReplaced(step)).map((step) => ({ ...step, op: "delete" }));
}

function isReplaced({ old }: Step): boolean {
  return old?.delete === true;
}

/** Distinguishes a resource from those of the same URN that it has replaced and that are not deleted yet. */
function keyOf(step: Step): string {
  return isReplaced(step) ? `${step.urn} ${step.old?.id}` : step.urn;
}

const operations = new Set(["same", "update", "replace", "create", "import", "delete"]);

/** The engine's other operations: parts of a replacement, which repeat what `replace` says, and reads. */
const otherOperations = new Set([
  ...["create-replacement", "import-replacement", "read-replacement", "delete-replaced", "discard-replaced"],
  ...["read", "discard", "refresh", "remove-pending-replace"],
]);

/** The result of each resource's refresh: its first output event after the event that announces the refresh. */
function refreshSteps(events: readonly Event[]): Map<string, Step> {
  const announced = new Set<string>();
  const results = new Map<string, Step>();
  for (const { resourcePreEvent, resOutputsEvent } of events) {
    if (resourcePreEvent?.metadata.op === "refresh") announced.add(keyOf(resourcePreEvent.metadata));
    const result = resOutputsEvent?.metadata;
    if (result !== undefined && announced.delete(keyOf(result))) results.set(keyOf(result), result);
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

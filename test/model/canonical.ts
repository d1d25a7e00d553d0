import type { Call, ProcessTrace } from "./call.ts";

/** The parts of a process's calls that do not depend on the timing of parallel work. */
export interface Canonical {
  /** The reads and diffs before the program, by resource. */
  readonly refresh: Readonly<Record<string, readonly string[]>>;
  /** The other calls, in order, by subject: resources with the same subject depend on each other. */
  readonly program: Readonly<Record<string, readonly string[]>>;
  /** Whether each check or diff of the program begins after the previous one has ended. */
  readonly isCheckedOneByOne: boolean;
  /** Whether all other calls end before resources that are no longer declared are deleted. */
  readonly areRemovalsLast: boolean;
}

export function canonical({ succeeds, processes }: { succeeds: boolean; processes: readonly ProcessTrace[] }): object {
  return { succeeds, processes: processes.map(canonicalProcess) };
}

interface Span extends Call {
  readonly begin: number;
  readonly end: number;
}

function canonicalProcess(trace: ProcessTrace): Canonical {
  const spans = spansOf(trace);
  const firstCheck = spans.findIndex(({ method }) => method === "check" || method === "delete");
  const refreshCount = firstCheck < 0 ? spans.length : firstCheck;
  const program = spans.slice(refreshCount);
  const serial = program.filter(({ method }) => method === "check" || method === "diff");
  const removals = program.filter((span) => span.method === "delete" && !isReplacement(span, program));
  const others = program.filter((span) => span.method !== "delete");
  return {
    refresh: grouped(spans.slice(0, refreshCount), ({ type, of }) => `${type} ${of}`),
    program: grouped(program, ({ of }) => of),
    isCheckedOneByOne: serial.every((span, index) => (serial[index - 1]?.end ?? -1) < span.begin),
    areRemovalsLast: removals.every((removal) => others.every(({ end }) => end < removal.begin)),
  };
}

function spansOf(trace: ProcessTrace): Span[] {
  const ends = new Map(
    trace.flatMap((event, place) => ("end" in event ? [[event.end, { place, outcome: event.outcome }]] : [])),
  );
  return trace.flatMap((event, place) => {
    if (!("begin" in event)) return [];
    const { place: end = Number.POSITIVE_INFINITY, outcome = "error" } = ends.get(event.begin) ?? {};
    return [{ ...event, begin: place, end, outcome }];
  });
}

/** Whether a delete is part of a replacement: a create of the same subject follows. */
function isReplacement({ of, type, begin }: Span, program: readonly Span[]): boolean {
  return program.some((span) => span.method === "create" && span.of === of && span.type === type && span.begin > begin);
}

function grouped(spans: readonly Span[], groupOf: (span: Span) => string): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const span of spans) {
    const group = groups[groupOf(span)] ?? [];
    groups[groupOf(span)] = group;
    group.push(describe(span));
  }
  return groups;
}

/** Leaves out the keys of a state, because they are internal to the provider. */
function describe({ method, type, hasOlds, keys, outcome }: Span): string {
  const given = method === "read" || method === "delete" ? "" : `(${keys.join(", ")})`;
  return `${method} ${type}${given}${hasOlds ? " with olds" : ""}: ${outcome}`;
}

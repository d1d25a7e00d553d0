import type { Call, ProcessTrace } from "./call.ts";

/** What of a process's calls does not depend on which of two things that run beside each other is faster. */
export interface Canonical {
  /** The reads and diffs before the program, by resource. */
  readonly refresh: Readonly<Record<string, readonly string[]>>;
  /** The rest, in order, by what the calls are about: resources of one subject depend on each other. */
  readonly program: Readonly<Record<string, readonly string[]>>;
  /** Whether no check or diff of the program begins before the one before has ended. */
  readonly isCheckedOneByOne: boolean;
  /** Whether everything else has ended before what is no longer declared is deleted. */
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

/** Deleted to be made anew: a create of the same subject follows. */
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

/** The keys of a state are the provider's own affair. */
function describe({ method, type, hasOlds, keys, outcome }: Span): string {
  const given = method === "read" || method === "delete" ? "" : `(${keys.join(", ")})`;
  return `${method} ${type}${given}${hasOlds ? " with olds" : ""}: ${outcome}`;
}

import type { CourseResult, Measurement } from "./results.ts";
import { type StepName, stepNames } from "./steps.ts";

/** A number of a measurement. */
export type Value = (measurement: Measurement) => number;

export const wallSeconds: Value = (measurement) => measurement.wallSeconds;
/** 0 for runs that did not record it. */
export const providerCpuSeconds: Value = ({ cpuSecondsByRole }) => cpuSecondsByRole?.provider ?? 0;

/** The median; for an even number of values, the upper of the two middle ones. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A step's value in each round. */
export function valuesOf(course: CourseResult, step: StepName, value: Value): number[] {
  return course.rounds.flatMap((round) => round.filter((measurement) => measurement.step === step).map(value));
}

/** For each round in which both courses were measured, the ratio of a step's value to that of the other course. */
export function ratiosTo(
  base: CourseResult,
  course: CourseResult,
  step: StepName,
  value: Value = wallSeconds,
): number[] {
  const baseValues = valuesOf(base, step, value);
  return valuesOf(course, step, value)
    .slice(0, baseValues.length)
    .map((own, round) => own / (baseValues[round] ?? Number.NaN));
}

/** For each step, by how much the provider's CPU time (median of the rounds) is larger at another size. */
export function growthOfProvider(small: CourseResult, large: CourseResult): { step: StepName; times: number }[] {
  const cpu = (course: CourseResult, step: StepName) => median(valuesOf(course, step, providerCpuSeconds));
  return stepNames.map((step) => ({ step, times: cpu(large, step) / cpu(small, step) }));
}

/** Whether all its rounds recorded the CPU time of each kind of process. */
export function hasRoles({ rounds }: CourseResult): boolean {
  return rounds.flat().every(({ cpuSecondsByRole }) => cpuSecondsByRole !== undefined);
}

/** The median of the values, with the least and the most if they differ. */
export function withSpread(values: readonly number[], digits: number): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  return least === most ? `${middle}` : `${middle} (${least}-${most})`;
}

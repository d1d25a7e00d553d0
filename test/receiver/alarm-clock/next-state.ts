import type { AlarmState, DeclaredAlarm } from "./declared-alarm.ts";

/** A value of the watched metric in one period. `undefined` is a missing data point. */
export type DataPoint = number | undefined;

type Rule = Pick<DeclaredAlarm, "isBreaching" | "evaluationPeriods" | "datapointsToAlarm" | "treatMissingData">;

/**
 * How many periods CloudWatch looks at. It retrieves more than `evaluationPeriods`, and documents the number for one case
 * only: 5 instead of 3 (Amazon CloudWatch, "How alarm state is evaluated when data is missing").
 */
export function evaluationRange(evaluationPeriods: number): number {
  return evaluationPeriods + 2;
}

/**
 * The state of an alarm after an evaluation.
 *
 * @param range the data points of the evaluation range, the oldest first
 */
export function nextState(rule: Rule, range: readonly DataPoint[], current: AlarmState): AlarmState {
  const { evaluationPeriods, datapointsToAlarm, treatMissingData } = rule;
  const real = range.filter((point) => point !== undefined);
  const breaching = real.slice(-evaluationPeriods).filter(rule.isBreaching).length;
  const stateOf = (count: number) => (count >= datapointsToAlarm ? "ALARM" : "OK");

  // Enough real data points: how to treat missing ones does not matter.
  if (real.length >= evaluationPeriods) return stateOf(breaching);
  if (treatMissingData === "breaching") return stateOf(breaching + evaluationPeriods - real.length);
  if (treatMissingData === "notBreaching") return stateOf(breaching);
  if (real.length === 0) return treatMissingData === "ignore" ? current : "INSUFFICIENT_DATA";
  if (breaching < real.length) return stateOf(breaching);

  // All real data points are breaching. The oldest must be old enough ("Avoiding premature transitions to alarm state").
  const age = range.length - range.findIndex((point) => point !== undefined);
  return treatMissingData === "missing" && age >= datapointsToAlarm ? "ALARM" : current;
}

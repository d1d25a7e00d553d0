import type { Answers, Question } from "../platform-profile/questions.ts";

/** What a calibration has found out. */
export interface Findings {
  readonly answers: Answers;
  /** Why a question has no answer. */
  readonly unknown: Partial<Record<Question, string>>;
  /** What else was seen. It changes nothing that an operation does. */
  readonly observations: string[];
}

export function createFindings(): Findings {
  return { answers: {}, unknown: {}, observations: [] };
}

/** Records an answer. */
export function found<Name extends Question>(
  { answers, unknown }: Findings,
  question: Name,
  answer: NonNullable<Answers[Name]>["answer"],
  basis: "measured" | "observed",
  evidence: string,
): void {
  delete unknown[question];
  Object.assign(answers, { [question]: { answer, basis, evidence } });
}

/** Records why a question has no answer, unless it has one. */
export function notFound({ answers, unknown }: Findings, question: Question, reason: string): void {
  if (answers[question] === undefined) unknown[question] = reason;
}

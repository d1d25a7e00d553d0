import { type PlatformAnswers, settingsNotTaken } from "../platform-profile/questions.ts";

/** What the answers make impossible or slow, as sentences. */
export function consequencesOf(answers: PlatformAnswers): string[] {
  const is = <Name extends keyof PlatformAnswers>(name: Name, ...wanted: PlatformAnswers[Name][]) =>
    wanted.includes(answers[name]);
  const left = settingsNotTaken(answers);
  const lag = answers["reads.lagSeconds"] ?? 0;
  return [
    ...(left.length > 0 ? [`A change of ${left.join(", ")} is refused: PATCH of a tenant does not take it.`] : []),
    ...(is("paused.unconnected", "refused", "ignored")
      ? ["A new tenant stays paused until its customer has connected it; the next up after that resumes it."]
      : []),
    ...(is("metadata.patch", "replace")
      ? [
          "Metadata is written as a whole: an up waits for a run that is in progress. A run that begins and ends between the read " +
            "and the write may lose what it wrote, such as a cursor; a warning names it.",
        ]
      : []),
    ...(is("configs.patch", "replace")
      ? ["Configs are written as a whole: what a customer changes in the same second may be lost."]
      : []),
    ...(is("configs.removal", "none")
      ? ["A key of configs cannot be removed; declare the value that it should have."]
      : []),
    ...(is("metadata.removal", "none")
      ? ["A key of metadata cannot be removed; declare the value that it should have."]
      : []),
    ...(is("secrets.display", "masked", "omitted", "null")
      ? ["Secrets in configs cannot be compared: a change of one outside of Pulumi is not seen."]
      : []),
    ...(is("schedule.form", "shifted") ? ["Schedules are not compared, as the platform shifts them."] : []),
    ...(is("schemas.enforced", "no")
      ? ["The platform accepts configs that violate their schema: up warns of them."]
      : []),
    ...(is("answers.show", "echoed", "nothing")
      ? ["Each write is followed by a list, which takes time with many tenants."]
      : []),
    ...(lag > 2 ? [`Lists lag by ${lag} s: an up waits for its writes.`] : []),
  ];
}

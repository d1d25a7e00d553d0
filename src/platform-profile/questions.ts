import { z } from "zod";
import { keyNouns } from "../inputs/describe-issues.ts";

/** A question about a platform that the specification leaves open, and what an operation makes of its answer. */
export interface QuestionDescription {
  readonly question: string;
  /** What each answer is good for. */
  readonly use: string;
  /** The one safe rule of a platform whose profile has no answer. */
  readonly otherwise: string;
}

const descriptions = z.registry<QuestionDescription>();

const basis = z.enum(["measured", "observed", "declared"], 'must be "measured", "observed" or "declared"');

/** The shape of a question's answer in a profile. */
function question<Answer extends z.ZodType>({ answer, ...description }: QuestionDescription & { answer: Answer }) {
  return z
    .strictObject({
      answer: answer.describe(`${description.use}. Without an answer: ${description.otherwise}`),
      basis: basis.describe(
        "measured: a request asked for it. observed: reads showed it. declared: somebody wrote it down, and calibrate leaves it so.",
      ),
      evidence: z
        .string()
        .optional()
        .describe("What shows the answer: the request and its status; never a value of a config or a key."),
    })
    .register(keyNouns, { noun: "a part of an answer" })
    .describe(description.question)
    .optional()
    .register(descriptions, description);
}

/** The settings of a tenant that PATCH may take. Metadata has a PATCH of its own. */
export const patchSettings = ["name", "schedule", "release", "paused", "configs"] as const;

/** The settings that PATCH of a tenant does not take; none if that is not known. */
export function settingsNotTaken({ "tenant.patch": taken }: PlatformAnswers): (typeof patchSettings)[number][] {
  return taken === undefined ? [] : patchSettings.filter((name) => !taken.includes(name));
}

/** What PATCH makes of the keys of a free-form object. */
const patchAnswer = z.enum(["merge", "merge-patch", "replace"], 'must be "merge", "merge-patch" or "replace"');
const patchUse =
  "merge, merge-patch: a PATCH has only the declared keys, so that it cannot destroy what is hidden or what others write";
const patchOtherwise = "the whole object after a fresh read; refused where that could destroy a hidden secret";

/** How a key of a free-form object is removed. */
const removalAnswer = z.enum(["omit", "null", "none"], 'must be "omit", "null" or "none"');
const removalUse = "the key is removed with one request; none: its removal is refused before anything is sent";
const removalOtherwise = "the key is left out; if it is still there, it is sent as null";

const words = z.array(z.string().min(1));

/**
 * The questions of a profile. This table is the only place that lists them: the profile's schema, `calibrate` and the reference use
 * it. Each answer changes what an operation does; a question that would change nothing is not asked.
 */
export const answersSchema = z
  .strictObject({
    "tenant.patch": question({
      question: "Which settings of a tenant does PATCH /v2/tenants/{tenant_id} change?",
      answer: z.array(z.enum(patchSettings, "must be name, schedule, release, paused or configs")),
      use: "a change of another setting is refused in the preview",
      otherwise: "all of them; the write fails if the platform does not show the change",
    }),
    "paused.unconnected": question({
      question: "What does PATCH do with `paused: false` before the tenant's customer has connected it?",
      answer: z.enum(["accepted", "refused", "ignored"], 'must be "accepted", "refused" or "ignored"'),
      use: "refused, ignored: the tenant waits for its customer, and nothing is sent until it is connected",
      otherwise: "it is sent once; if the platform refuses or ignores it, the tenant waits for its customer",
    }),
    "configs.patch": question({
      question: "What does PATCH of a tenant do with the keys of `configs` that it does not have?",
      answer: patchAnswer,
      use: patchUse,
      otherwise: patchOtherwise,
    }),
    "metadata.patch": question({
      question: "What does PATCH of a tenant's metadata do with the keys that it does not have?",
      answer: patchAnswer,
      use: patchUse,
      otherwise: `after a run in progress has ended, ${patchOtherwise}`,
    }),
    "configs.removal": question({
      question: "How is a key of `configs` removed?",
      answer: removalAnswer,
      use: removalUse,
      otherwise: removalOtherwise,
    }),
    "metadata.removal": question({
      question: "How is a key of metadata removed?",
      answer: removalAnswer,
      use: removalUse,
      otherwise: removalOtherwise,
    }),
    "secrets.display": question({
      question: "What do reads show in place of a secret in `configs` or metadata?",
      answer: z.enum(["shown", "masked", "omitted", "null"], 'must be "shown", "masked", "omitted" or "null"'),
      use:
        "shown: nothing is hidden, so nothing can be destroyed unseen. All others: a write of the whole object is refused if the " +
        "release's schema has a secret that nobody declares, and a declared secret is not waited for until reads show it",
      otherwise:
        "a secret is compared if a read shows it as it was written; until then the last written value is assumed",
    }),
    "values.form": question({
      question: "Do reads show values of `configs` and metadata in another form than they were written?",
      answer: z.enum(["kept", "own"], 'must be "kept" or "own"'),
      use: "own: a value that has all of what was written counts as written at once",
      otherwise: "it counts as written if the answer or a second write shows the same value",
    }),
    "schedule.form": question({
      question: "How do reads show a schedule?",
      answer: z.enum(["kept", "own", "shifted"], 'must be "kept", "own" or "shifted"'),
      use: "own: a schedule in another form counts as written at once. shifted: schedules are not compared",
      otherwise: "as for values; crons that fire at the same minutes are equal in any case",
    }),
    "answers.show": question({
      question: "What does the answer to a PATCH show?",
      answer: z.enum(["stored", "echoed", "nothing"], 'must be "stored", "echoed" or "nothing"'),
      use: "stored: the answer counts as a read, so no list follows the write",
      otherwise: "a list that begins after the answer has to show the write",
    }),
    "reads.lagSeconds": question({
      question: "After how many seconds did lists show a write at the latest?",
      answer: z.number("must be a number of seconds").min(0, "must not be negative").max(600, "must be 600 at most"),
      use: "writes are waited for at least as long; a shorter time changes nothing, as an idle platform is faster than a busy one",
      otherwise: "10 seconds",
    }),
    "schemas.enforced": question({
      question: "Does the platform refuse `configs` that violate the schema of their release?",
      answer: z.enum(["yes", "no"], 'must be "yes" or "no"'),
      use: "no: a violation is a warning, unless the stack says otherwise with schemaViolations",
      otherwise: "a violation is an error, at a dynamic choice a warning",
    }),
    "connectors.words": question({
      question: "Which words are the status of a connector, and what do they mean?",
      answer: z.strictObject({
        connected: words.optional().describe("The words of a connector that the customer has connected."),
        notConnected: words.optional().describe("The words of a connector that is not connected."),
      }),
      use: "whether a customer has connected a tenant; words in the stack's config win",
      otherwise: "the words that are common for it",
    }),
    "runs.words": question({
      question: "Which words are the status of a run that has ended, and what do they mean?",
      answer: z.strictObject({
        succeeded: words.optional().describe("The words of a run that has succeeded."),
        failed: words.optional().describe("The words of a run that has failed."),
      }),
      use: "the outcome of a sync; words in the stack's config win",
      otherwise: "the words that are common for it",
    }),
  })
  .register(keyNouns, { noun: "a question" });

/** The answers of a profile, each with how sure it is and what shows it. */
export type Answers = z.infer<typeof answersSchema>;

export type Question = keyof Answers;

/** The answers of a profile without their evidence. A question that it does not have keeps its safe rule. */
export type PlatformAnswers = { readonly [Name in Question]?: NonNullable<Answers[Name]>["answer"] | undefined };

/** Each question with its description. */
export const questions: readonly (readonly [name: string, description: QuestionDescription])[] = Object.entries(
  answersSchema.shape,
).flatMap(([name, schema]) => {
  const description = descriptions.get(schema);
  return description === undefined ? [] : [[name, description] as const];
});

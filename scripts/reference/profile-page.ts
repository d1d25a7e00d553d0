import { questions } from "../../src/platform-profile/questions.ts";
import { code, codeBlock, page, table } from "./markdown.ts";

const example = `{
  "version": 1,
  "baseUrl": "https://platform.example.com",
  "measuredAt": "2026-01-31T12:00:00.000Z",
  "measuredBy": "0.1.0",
  "answers": {
    "configs.patch": { "answer": "merge", "basis": "measured", "evidence": "a PATCH without a key leaves it" },
    "schedule.form": { "answer": "shifted", "basis": "declared" }
  }
}`;

/** The reference of a platform's profile, from the table of questions. */
export function profilePage(): string {
  const rows = questions.map(([name, { question, use, otherwise }]) => [code(name), question, use, otherwise]);
  return page(
    "Profile of a platform",
    "The specification leaves open how a platform behaves in some respects. `integration-platform calibrate` finds it out and writes\n" +
      "the answers to a JSON file. The key `integration-platform:platform` of a stack's config names this file, or the input `platform` of\n" +
      "a provider, or the option `--platform` of a command, or the variable `INTEGRATION_PLATFORM_PROFILE`. The variable wins.",
    codeBlock("json", example),
    "`basis` is `measured` (a request asked for it), `observed` (reads showed it) or `declared` (somebody wrote it down). `calibrate`\n" +
      "leaves a declared answer as it is. A profile with a mistake, or of another address, is an error in `validate`, in previews and in\n" +
      "`up`. `refresh` and `destroy` only warn of it, and use the rules of the last column.",
    table(["Question", "What is asked", "What the answer changes", "Without an answer"], rows),
  );
}

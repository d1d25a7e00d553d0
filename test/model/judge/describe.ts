import { readableText } from "../engine/state.ts";
import { secrets } from "../story.ts";
import type { Rule } from "./case.ts";

/** Secrets occur neither in messages nor in the parts of the state that are not marked as secret. */
export const tellsNoSecret: Rule = ({ outcome, warnings, stateAfter }) => {
  const texts = {
    "an error": outcome.errors.join("\n"),
    "a warning": warnings.join("\n"),
    "the state": readableText(stateAfter),
  };
  return Object.entries(texts).flatMap(([where, text]) =>
    secrets.flatMap((secret) => {
      const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
      const found = forms.find((form) => text.includes(form));
      return found === undefined
        ? []
        : [`a secret stands in ${where}: ${text.slice(Math.max(0, text.indexOf(found) - 80)).slice(0, 200)}`];
    }),
  );
};

/** An error message is readable for a person. */
export const failsInWords: Rule = ({ outcome }) =>
  outcome.errors
    .filter((error) => /: \[\s*\{|cannot read propert|is not a function|\[object|undefined|ZodError/i.test(error))
    .map((error) => `an unreadable error message: ${error}`);

/** A command without a reason to fail succeeds. */
export const succeedsWhereItCan: Rule = ({ mustSucceed, outcome }) =>
  mustSucceed ? outcome.errors.map((error) => `it failed without a reason: ${error}`) : [];

import { formatPath } from "../../json/key-path.ts";
import { withoutControlCharacters } from "../../json/one-line.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { LeftOut } from "../../settings/setting.ts";

const shownMaximum = 20;

/** A setting that an import does not manage. */
export interface NotImported extends LeftOut {
  /** The tenant in messages, if the resource has several. */
  tenant?: string;
}

/**
 * Warns about the settings that an import has left out of the inputs, in one message.
 *
 * @param resource the imported resource in messages, such as `fleet "billing"`.
 */
export function warnOfLeftOut(context: OperationContext, resource: string, leftOut: readonly NotImported[]): void {
  if (leftOut.length === 0) return;
  const lines = leftOut.slice(0, shownMaximum).map(({ tenant, path, reason }) => {
    const start = tenant === undefined ? "" : `${tenant}: `;
    return `\n  ${withoutControlCharacters(`${start}${formatPath(path)} ${reason}`)}`;
  });
  const more = leftOut.length > lines.length ? `\n  and ${leftOut.length - lines.length} more` : "";
  const hasSecrets = leftOut.some(({ reason }) => reason === "looks like a secret");
  const hint = hasSecrets
    ? ". To manage a secret of an imported resource, declare it in the program and read its value from the stack's config " +
      "(`pulumi config set --secret`)"
    : "";
  context.warn(
    `${withoutControlCharacters(resource)}: the settings below are left out, and up leaves them unchanged${hint}:` +
      `${lines.join("")}${more}`,
  );
}

import { oneLine } from "../../json/one-line.ts";
import { describeProblems, problemsTitle } from "../check/release-problems.ts";
import { indented, lineWidth, wrap } from "../fit.ts";
import { code } from "../markdown.ts";
import { toJson } from "../output.ts";
import { formatPath } from "../property-path.ts";
import type { Shell } from "../shell.ts";
import { utcMinute } from "../times.ts";
import type { Promotion } from "./promotion.ts";

/** The promotion for programs. */
export function renderJson({ problems, ...promotion }: Promotion): string {
  const {
    edit: { changed, left },
    ...rest
  } = promotion;
  return toJson({ ...rest, changed, left, problems: problems.map((one) => ({ ...one, path: formatPath(one.path) })) });
}

/** The promotion for a terminal of 80 columns. */
export function renderText({ styled }: Pick<Shell, "styled">, promotion: Promotion): string {
  const { problems, refusals, edit, file, tag } = promotion;
  const facts = factsOf(promotion, oneLine).flatMap((fact) => wrap(fact, lineWidth));
  const problemLines =
    problems.length === 0
      ? []
      : ["", problemsTitle, ...describeProblems(problems, (text) => text).map((text) => indented(text))];
  if (refusals.length > 0) {
    const reasons = refusals.map((reason) => indented(reason));
    return `${[...facts, ...problemLines, "", styled("red", `Refused, and ${file} is as it was:`), ...reasons].join("\n")}\n`;
  }
  const changes = edit.changed.map(({ path, declared }) =>
    indented(`${oneLine(path)}: ${oneLine(declared)} -> ${oneLine(tag)}`),
  );
  return `${[...facts, "", styled("bold", titleOfChanges(promotion)), ...changes, ...leftOf(promotion, oneLine).map((one) => indented(one))].join("\n")}\n`;
}

/** The text of a pull request. No value from the platform can act as Markdown or HTML, or mention a user. */
export function renderMarkdown(promotion: Promotion): string {
  const { integration, tag, from, to, problems, refusals, edit } = promotion;
  const list = (lines: readonly string[]) => lines.map((one) => `- ${one}\n`).join("");
  return [
    `### ${code(integration)} ${code(tag)}: ${code(from)} to ${code(to)}\n`,
    list(factsOf(promotion, code)),
    ...(refusals.length === 0 ? [] : ["**Refused**\n", list(refusals.map(code))]),
    ...(problems.length === 0 ? [] : [`**${problemsTitle}**\n`, list(describeProblems(problems, code))]),
    ...(refusals.length > 0 ? [] : [`**${titleOfChanges(promotion)}**\n`]),
    ...(refusals.length > 0
      ? []
      : [
          list([
            ...edit.changed.map(({ path, declared }) => `${code(path)}: ${code(declared)} → ${code(tag)}`),
            ...leftOf(promotion, code),
          ]),
        ]),
  ].join("\n");
}

function factsOf(
  { integration, tag, from, to, proof, releases, tenants, problems }: Promotion,
  quoted: (text: string) => string,
): string[] {
  const { since, syncs, failures } = proof;
  const when = since === null ? "" : ` since ${utcMinute(since)}`;
  return [
    `${quoted(from)}: ${count(proof.tenants, "tenant")} of ${quoted(integration)} run ${quoted(tag)} (release ${releases.from}); ` +
      `${count(syncs, "sync")} succeeded and ${failures} failed${when}`,
    `${quoted(to)}: release ${releases.to} has this tag. ${fitOf(tenants, problems.length === 0)}`,
  ];
}

function fitOf(tenants: number, isFitting: boolean): string {
  if (tenants === 0) return "It has no tenants yet";
  return `${isFitting ? "All" : "Not all of the"} ${count(tenants, "tenant")} fit its schemas`;
}

function titleOfChanges({ file, edit, isDryRun }: Promotion): string {
  if (edit.changed.length === 0) return `${file} declares it already`;
  return isDryRun ? `${file} would be changed:` : `${file} is changed:`;
}

function leftOf({ edit }: Promotion, quoted: (text: string) => string): string[] {
  const reasons = {
    pinned: "stays: a release of the tenant's own",
    channel: "stays: a channel follows the platform",
    "shared by integrations": "stays: tenants of other integrations have it too",
  };
  return edit.left.map(({ path, declared, why }) => `${quoted(path)} ${quoted(declared)} ${reasons[why]}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

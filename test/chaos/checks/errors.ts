import { stripVTControlCharacters } from "node:util";
import type { LoggedRequest } from "../platform-process.ts";

/** An error as the engine prints it, with the resource that it stands under. */
export interface PrintedError {
  readonly resource: string;
  text: string;
}

/** A request as the platform has logged it. */
export type SeenRequest = Pick<LoggedRequest, "method" | "path" | "status">;

/**
 * What is missing in a failed command's errors: each is to name the resource, what happened, and a next step. What happened
 * is known from the platform's log, and not from the words of the message.
 *
 * @param requests what the platform got during the command.
 * @param isAway whether the platform may have been out of reach then. A request that did not reach it is in no log.
 */
export function shortcomingsOf(printed: string, requests: readonly SeenRequest[], isAway = false): string[] {
  if (isLock.test(printed)) return [];
  const errors = errorsIn(printed).filter(({ text }) => !isSummary.test(text));
  if (errors.length === 0) return [`the command failed without an error that says why: ${printed.slice(-2500)}`];
  return errors
    .flatMap(unlisted)
    .flatMap(partsOf)
    .flatMap((error) => missingIn(error, requests, isAway));
}

/** The engine's own, of another command on the stack: it names the holder and the command that takes the lock away. */
const isLock = /the stack is currently locked by/;

/** The engine's own last word, which stands beside the errors. */
const isSummary = /^(update|destroy|refresh|preview|\w+) failed$|^resource registration failed|^one or more errors/;

/** The first line of another message. The lines of an error after its first are indented further. */
const isOther = /^ {4}(?!error: )\S/;

/** The errors under `Diagnostics:` in what a command printed. */
function errorsIn(printed: string): PrintedError[] {
  const errors: PrintedError[] = [];
  let resource = "";
  let open: PrintedError | undefined;
  let isInside = false;
  for (const line of stripVTControlCharacters(printed).split("\n")) {
    if (/^(Diagnostics|Outputs|Resources|Duration):/.test(line)) isInside = line.startsWith("Diagnostics");
    if (!isInside) continue;
    const [, header] = /^ {2}(\S.*):$/.exec(line) ?? [];
    const [, text] = /^ {4}error: +(.*)$/.exec(line) ?? [];
    if (header !== undefined) resource = header;
    if (header !== undefined || isOther.test(line)) open = undefined;
    else if (text !== undefined) {
      open = { resource, text };
      errors.push(open);
    } else if (open !== undefined && line.trim() !== "") open.text += `\n${line.trim()}`;
  }
  return errors;
}

/** Errors of what was half done stand in a list of the engine's. */
function unlisted({ resource, text }: PrintedError): PrintedError[] {
  const [, list] = /^\d+ errors? occurred:\n\* (.*)$/s.exec(text) ?? [];
  return (list ?? text).split("\n* ").map((part) => ({ resource, text: part }));
}

/** Where a resource holds many, each has a line of its own: `name: what happened`. What follows the last is about all. */
function partsOf({ resource, text }: PrintedError): PrintedError[] {
  const lines = text.split("\n").slice(1);
  const isOfOne = (line: string) => /^\S+(?: \(\d+\))?: /.test(line);
  const ofAll = lines.slice(lines.findLastIndex(isOfOne) + 1);
  const ofOne = lines.filter(isOfOne);
  if (ofOne.length === 0) return [{ resource, text }];
  return ofOne.map((line) => ({
    resource: `${resource} ${line.split(":")[0]}`,
    text: [line, ...ofAll].join("\n"),
  }));
}

function missingIn({ resource, text }: PrintedError, requests: readonly SeenRequest[], isAway: boolean): string[] {
  const missing = [
    ...(resource === "" ? ["the resource"] : []),
    ...whatHappened(text, requests, isAway),
    ...(nextStep.test(text) ? [] : ["a next step"]),
    ...(bare.test(text) ? ["words for people"] : []),
  ];
  return missing.length === 0 ? [] : [`an error lacks ${missing.join(", ")}: ${resource}: ${text}`];
}

/** A refused request is named with the status that it was answered with; what was found without one, with whom it is about. */
function whatHappened(text: string, requests: readonly SeenRequest[], isAway: boolean): string[] {
  const statuses = [...text.matchAll(/(?<![\w.-])[45]\d\d(?![\w-]|\.\d)/g)].map(([status]) => Number(status));
  const named = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s?),;:]+)/g)];
  if (named.length === 0) return statuses.length === 0 && /"[^"]+"|\d/.test(text) ? [] : ["METHOD and path"];
  if (isAway) return [];
  const refused = named.flatMap(([, method, path = ""]) => {
    const sent = requests.filter((seen) => seen.method === method && seen.path === path.replace(/\.+$/, ""));
    const isRefused = sent.length > 0 && sent.every(({ status }) => status !== null && status >= 400);
    return isRefused ? [sent.map(({ status }) => status)] : [];
  });
  const isTold = refused.every((answered) => statuses.some((status) => answered.includes(status)));
  return isTold ? [] : [`the status, which was ${[...new Set(refused.flat())].join(" or ")}`];
}

/** An imperative at the beginning of a clause, or what the next command does. */
const nextStep =
  /(^|[.;:,(?] |\b(?:then|and|or|once|to) )(try|run|check|correct|look|raise|ask|set|add|declare|compare|refresh|archive|remove|restart|wait|contact|see|is it)\b|\bnext (up|run|destroy|refresh)\b/im;

/** What stands in the message of a fault in a program. */
const bare = /\b(Zod|Type|Range|Reference|Syntax)Error\b|\[object |\bundefined\b|^ *at \S.*:\d+:\d+\)?$/m;

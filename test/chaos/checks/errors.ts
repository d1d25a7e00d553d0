import { stripVTControlCharacters } from "node:util";

/** An error as the engine prints it, with the resource that it stands under. */
export interface PrintedError {
  readonly resource: string;
  text: string;
}

/** What is missing in a failed command's errors: each is to name resource, request, status or cause, and a next step. */
export function shortcomingsOf(printed: string): string[] {
  if (isLock.test(printed)) return [];
  const errors = errorsIn(printed).filter(({ text }) => !isSummary.test(text));
  if (errors.length === 0) return [`the command failed without an error that says why: ${printed.slice(-2500)}`];
  return errors.flatMap(unlisted).flatMap(partsOf).flatMap(missingIn);
}

/** The engine's own, of another command on the stack: it names the holder and the command that takes the lock away. */
const isLock = /the stack is currently locked by/;

/** The engine's own last word, which stands beside the errors. */
const isSummary = /^(update|destroy|refresh|preview|\w+) failed$|^resource registration failed|^one or more errors/;

/** What no request has failed at, but what was found has: who, what, and what to do. */
const isFinding =
  /archived by someone else|someone else has archived|is already live in|live tenants of integration .* are named|is not connected|did not take|nothing can remove|has the tag "\S+" already|was made on another platform/;

const isWarning = /^ {4}(integration-platform: )?warning: /;

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
    if (header !== undefined || isWarning.test(line)) open = undefined;
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

/** A fleet tells of each of its tenants in a line of its own. */
function partsOf({ resource, text }: PrintedError): PrintedError[] {
  const [head = "", ...lines] = text.split("\n");
  if (!/not as declared; the rest is done/.test(head)) return [{ resource, text }];
  const tenants = lines.filter((line) => /^\S+: /.test(line) && !/^and \d+ more/.test(line));
  return tenants.map((line) => ({ resource: `${resource} ${line.split(":")[0]}`, text: line }));
}

function missingIn({ resource, text }: PrintedError): string[] {
  const request = isFinding.test(text) || /\b(GET|POST|PATCH|DELETE) \/\S+/.test(text);
  const cause = isFinding.test(text) || causes.test(text);
  const missing = [
    ...(resource === "" ? ["the resource"] : []),
    ...(request ? [] : ["METHOD and path"]),
    ...(cause ? [] : ["status or cause"]),
    ...(nextSteps.test(text) ? [] : ["a next step"]),
  ];
  return missing.length === 0 ? [] : [`an error lacks ${missing.join(", ")}: ${resource}: ${text}`];
}

const causes =
  /status (\d{3}|"\w+")|no connection|the connection broke|no whole answer|an answer |with success, but|does not show/;
const nextSteps =
  /try again|check |correct |run up|next up|up makes|look at|look before|raise |ask for less|set adopt|add it to|is it running|declare /i;

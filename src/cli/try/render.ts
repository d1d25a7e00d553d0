import { oneLine, withoutControlCharacters } from "../../json/one-line.ts";
import { hideCredentials } from "../../settings/hide-credentials.ts";
import { describeProblems, problemsTitle } from "../check/release-problems.ts";
import { clip, columnWidths, indented, lineWidth, pad, wrap } from "../fit.ts";
import { code } from "../markdown.ts";
import { toJson } from "../output.ts";
import { formatPath } from "../property-path.ts";
import type { Shell } from "../shell.ts";
import { syncMarkdown, syncRow } from "../sync/sync-table.ts";
import { describeTenant } from "../tenants/find-tenant.ts";
import type { Trial, TriedTenant } from "./trial.ts";

/** The result for programs. */
export function renderJson({ problems, ...trial }: Trial): string {
  return toJson({ ...trial, problems: problems.map((one) => ({ ...one, path: formatPath(one.path) })) });
}

/** The result for a terminal of 80 columns. */
export function renderText({ styled }: Pick<Shell, "styled">, trial: Trial): string {
  const style = trial.verdict === "passed" ? "green" : "red";
  const header = ["TENANT", "SYNC", "OUTCOME", "TOOK"];
  const rows = syncsOf(trial).map(syncRow);
  const widths = columnWidths([header, ...rows], [12, 6, 22, 4]);
  const lines = [header, ...rows].map((row, at) => {
    const text = row.map((cell, column) => pad(clip(cell, widths[column] ?? 0), widths[column] ?? 0)).join("  ");
    return at === 0 ? styled("bold", text.trimEnd()) : text.trimEnd();
  });
  const paragraphs = [
    ...wrap(titleOf(trial), lineWidth - trial.verdict.length - 2).map((text, at, all) =>
      at === all.length - 1 ? `${text}: ${styled(style, trial.verdict)}` : text,
    ),
    ...(rows.length === 0 ? [] : ["", ...lines]),
    ...notesOf(trial).map((note) => `\n${wrap(note, lineWidth).join("\n")}`),
    ...logsOf(trial).map(({ title, log }) => `\n${wrap(title, lineWidth).join("\n")}\n${log.replaceAll(/^/gm, "  ")}`),
    ...(trial.problems.length === 0 ? [] : [`\n${problemsTitle}`]),
    ...describeProblems(trial.problems, (text) => text).map((text) => indented(text)),
  ];
  return `${paragraphs.join("\n")}\n`;
}

/** The result as Markdown, for a comment. No value from the platform can act as Markdown or HTML, or mention a user. */
export function renderMarkdown(trial: Trial): string {
  const table = syncMarkdown(syncsOf(trial));
  const reason = trial.reason === undefined ? [] : [`${code(trial.reason)}\n`];
  return [
    `### ${code(titleOf(trial))}: ${trial.verdict}\n`,
    ...reason,
    ...(table === "" ? [] : [table]),
    ...notesOf(trial).map((note) => `- ${code(note)}\n`),
    ...logsOf(trial).map(
      ({ title, log }) =>
        `<details><summary>${code(title)}</summary><pre>${code(log.slice(-10_000))}</pre></details>\n`,
    ),
    ...(trial.problems.length === 0 ? [] : [`**${problemsTitle}**\n`]),
    describeProblems(trial.problems, code)
      .map((text) => `- ${text}\n`)
      .join(""),
  ].join("\n");
}

/** The result as JUnit XML: a test case for each sync, and one for the check of all tenants. */
export function renderJunit(trial: Trial): string {
  const syncs = trial.tenants.flatMap(({ name, syncs: all }) =>
    all.map(({ mode, outcome, status = outcome, reason = "", secondsWaited = 0, log = "" }) => {
      const message = attribute([status, reason].filter(Boolean).join(": "));
      const kind = outcome === "failed" ? "failure" : "error";
      const problem = outcome === "succeeded" ? "" : `<${kind} message="${message}">${escaped(log)}</${kind}>`;
      return `    <testcase classname="${attribute(name)}" name="${mode} sync" time="${secondsWaited}">${problem}</testcase>`;
    }),
  );
  const isFailed = trial.problems.length > 0 && trial.doProblemsFail;
  const problems = escaped(describeProblems(trial.problems, (text) => text).join("\n"));
  const check = `<failure message="${problemsTitle}">${problems}</failure>`;
  const all = [
    `    <testcase classname="all tenants" name="check of the schemas">${isFailed ? check : ""}</testcase>`,
    ...syncs,
    ...(trial.verdict === "not tried"
      ? [
          `    <testcase classname="try" name="could be tried"><error message="${attribute([trial.reason, ...notesOf(trial)].filter(Boolean).join("; "))}"/></testcase>`,
        ]
      : []),
  ];
  const count = (tag: string) => all.filter((text) => text.includes(`<${tag} `)).length;
  const counts = `tests="${all.length}" failures="${count("failure")}" errors="${count("error")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${attribute(titleOf(trial))}" ${counts}>`,
    ...all,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function titleOf({ integration, release }: Trial): string {
  const what = release === undefined ? "A release" : `Release ${release.tag || release.name} (${release.id})`;
  return oneLine(`${what} of integration ${integration}`);
}

function syncsOf({ tenants }: Trial): TriedTenant["syncs"] {
  return tenants.flatMap(({ syncs }) => syncs);
}

/** What is to be known about single tenants, as sentences. */
function notesOf({ tenants }: Trial): string[] {
  return tenants.flatMap((tenant) => {
    const { reason, isBack, note } = tenant;
    const [run] = tenant.syncs.flatMap((sync) => (sync.outcome === "failed" ? (sync.reason ?? []) : []));
    const back = isBack === false ? `it was not put back (${formerOf(tenant)}): try --restore does so: ${note}` : note;
    return [reason, run, back].flatMap((clause) =>
      clause === undefined ? [] : [oneLine(hideCredentials(`${describeTenant(tenant)}: ${clause}`))],
    );
  });
}

function formerOf({ before }: TriedTenant): string {
  return before.integration_release_channel ?? `release ${before.integration_release_id}`;
}

function logsOf({ tenants }: Trial): { title: string; log: string }[] {
  return tenants.flatMap((tenant) =>
    tenant.syncs.flatMap(({ mode, run, log }) => {
      if (log === undefined) return [];
      const ofRun = run === undefined ? "" : ` (run ${run})`;
      const lines = log.split("\n").map(withoutControlCharacters);
      return [
        {
          title: `The end of the log of the ${mode} sync of ${describeTenant(tenant)}${ofRun}:`,
          log: lines.join("\n"),
        },
      ];
    }),
  );
}

function escaped(text: string): string {
  // XML 1.0 cannot hold control characters, not even as references
  const allowed = text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}");
  return allowed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function attribute(text: string): string {
  return escaped(oneLine(hideCredentials(text)));
}

import { rootExitCodes } from "./commands-page.ts";
import { type Declaration, readDeclarations } from "./docstrings.ts";
import { anchor, code, codeBlock, joined, page, prose, section, table } from "./markdown.ts";

const errors = readDeclarations("src/api/errors.ts");

/** The constants of `src/cli/subcommand.ts` that hold the exit codes of single commands. */
const exitCodesOfCommands = ["rolloutExitCodes", "syncExitCodes"] as const;

/** The reference of the API client's error classes and of the command's exit codes, from their docstrings. */
export function errorsPage(): string {
  const classes = [...errors].filter(([, { base }]) => base !== undefined);
  const overview = classes.map(([name, { base = "", description }]) => [link(name), link(base), prose(description)]);
  const commands = readDeclarations("src/cli/subcommand.ts");
  return page(
    "Errors and exit codes",
    section(
      2,
      "Errors of the API client",
      "`createClient` and the client that it makes throw these classes.",
      codeBlock("ts", 'import { ApiError, NotFoundError } from "pulumi-integration-platform/api";'),
      table(["Class", "Extends", "Meaning"], overview),
      ...withFields(classes).map(([name, declaration]) => fieldSection(name, declaration)),
    ),
    section(
      2,
      "Exit codes of the command",
      prose(commands.get("exitCodes")?.description ?? ""),
      rootExitCodes(),
      ...exitCodesOfCommands.map((name) => exitCodeTable(commands.get(name))),
      "[Commands](commands.md) has the exit codes of each command.",
    ),
  );
}

/** The classes that add fields, and the types of the module that these fields have. */
function withFields(classes: readonly [string, Declaration][]): [string, Declaration][] {
  const own = classes.filter(([, { members }]) => members.length > 0);
  const types = own.flatMap(([, { members }]) => members.map(({ type }) => type)).join(" ");
  const used = [...errors].filter(([name, { base }]) => base === undefined && new RegExp(`\\b${name}\\b`).test(types));
  return [...own, ...used];
}

function fieldSection(name: string, { base, description, members }: Declaration): string {
  const rows = members.map((member) => [code(member.name), code(member.type), prose(member.description)]);
  const own = base === undefined || base === "Error" ? "" : `It also has the fields of ${link(base)}.`;
  return section(3, name, prose(description), table(["Field", "Type", "Meaning"], rows), own);
}

function exitCodeTable(constant: Declaration | undefined): string {
  if (constant === undefined) return "";
  const rows = constant.members.map(({ name, type }) => [code(name), code(type)]);
  return joined(prose(constant.description), table(["Outcome", "Code"], rows));
}

/** The name of a class, with a link to its fields if it has any. */
function link(name: string): string {
  const hasFields = (errors.get(name)?.members.length ?? 0) > 0;
  return hasFields ? `[${code(name)}](${anchor(name)})` : code(name);
}

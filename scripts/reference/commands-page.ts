import type { Argument, CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { processShell } from "../../src/cli/process-shell.ts";
import { rootCommand } from "../../src/cli/root-command.ts";
import { presetOf } from "./descriptions.ts";
import { alternatives, anchor, code, codeBlock, joined, page, prose, section, table } from "./markdown.ts";

/** A part of a help text: a title, and its lines. */
interface HelpPart {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The reference of the command `integration-platform` and its subcommands, from what `--help` shows. */
export function commandsPage(): string {
  const [root, ...commands] = withSubcommands(rootCommand(processShell()));
  const overview = commands.map((command) => {
    const title = titleOf(command);
    return [`[${code(title)}](${anchor(title)})`, prose(command.description())];
  });
  return page(
    "Commands",
    root === undefined ? "" : commandBlocks(root),
    "Every command has the option `-h, --help`.",
    table(["Command", "Meaning"], overview),
    ...commands.map((command) => section(2, titleOf(command), commandBlocks(command))),
  );
}

/** The exit codes of the whole command, as a table. */
export function rootExitCodes(): string {
  return joined(
    ...helpParts(rootCommand(processShell()))
      .filter(isOfExitCodes)
      .map(({ lines }) => exitCodeTable(lines)),
  );
}

function withSubcommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** The name of a subcommand after that of the root: `events list`. */
function titleOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${titleOf(parent)} ${command.name()}`;
}

function commandBlocks(command: CommandUnknownOpts): string {
  const args = command.registeredArguments.map(argumentRow);
  const options = command.options.filter(({ hidden }) => !hidden).map(optionRow);
  return joined(
    prose(command.description()),
    codeBlock("text", command.createHelp().commandUsage(command)),
    table(["Argument", "Default", "Meaning"], args),
    table(["Option", "Default", "Meaning"], options),
    ...helpParts(command).map(helpBlock),
  );
}

function argumentRow(argument: Argument): string[] {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  const { preset, meaning } = columnsOf(argument.description);
  return [code(argument.required ? `<${name}>` : `[${name}]`), argument.required ? "required" : preset, meaning];
}

function optionRow(option: Option): string[] {
  const { flags, description, mandatory, argChoices } = option;
  const { preset, meaning } = columnsOf(description);
  const choices = argChoices === undefined ? "" : `; one of ${alternatives(argChoices.map(code))}`;
  return [code(flags), mandatory ? "required" : (declaredDefault(option) ?? preset), `${meaning}${choices}`];
}

/** Separates the default, which a description has at its end in parentheses. */
function columnsOf(description: string): { preset: string; meaning: string } {
  const [note = "", preset = ""] = / \(default: ([^)]*)\)/.exec(description) ?? [];
  return { preset: presetOf(preset), meaning: prose(description.replace(note, "")) };
}

/** The default that Commander shows: that of an option with a value. */
function declaredDefault({ required, optional, defaultValue, defaultValueDescription }: Option): string | undefined {
  if (defaultValue === undefined || (!required && !optional)) return undefined;
  return defaultValueDescription === undefined ? code(String(defaultValue)) : prose(defaultValueDescription);
}

/** What a command adds to the help that Commander makes. */
function helpParts(command: CommandUnknownOpts): HelpPart[] {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => 200,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  const added = help.slice(command.helpInformation().length);
  return [...added.matchAll(/^(\S[^\n]*):\n((?: {2}[^\n]*(?:\n|$))+)/gm)].map(([, title = "", lines = ""]) => ({
    title,
    lines: lines
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(2)),
  }));
}

function isOfExitCodes({ title }: HelpPart): boolean {
  return title === "Exit codes";
}

function helpBlock(part: HelpPart): string {
  const title = `**${prose(part.title)}:**`;
  if (isOfExitCodes(part)) return joined(title, exitCodeTable(part.lines));
  const text = part.lines.join("\n");
  if (/^Examples?\b/.test(part.title)) return joined(title, codeBlock("sh", text));
  if (/^ |\S {2,}\S/m.test(text)) return joined(title, codeBlock("text", text));
  return `${title} ${prose(part.lines.join(" "))}`;
}

/** A table of the lines that begin with a code. Other lines say how codes are chosen. */
function exitCodeTable(lines: readonly string[]): string {
  const rows = lines.flatMap((line) => {
    const [, exitCode, meaning = ""] = /^(\d+) {2,}(.*)$/.exec(line) ?? [];
    return exitCode === undefined ? [] : [[code(exitCode), prose(meaning)]];
  });
  const others = lines.filter((line) => !/^\d+ {2,}/.test(line));
  return joined(table(["Code", "Meaning"], rows), prose(others.join(" ")));
}

import type { Argument, CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { processShell } from "../../src/cli/process-shell.ts";
import { rootCommand } from "../../src/cli/root-command.ts";
import { exitCodes } from "../../src/cli/subcommand.ts";
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
  const links = commands.map((command) => `[${code(titleOf(command))}](${anchor(titleOf(command))})`);
  const common = commonOptions(commands);
  return page(
    "Commands",
    root === undefined ? "" : commandBlocks(root, []),
    "Every command has the option `-h, --help`, and exits with `64` if the command line is wrong.",
    links.join(" · "),
    section(2, titleOfCommon, "The commands that have these options name them.", table(optionHeader, common)),
    ...commands.map((command) => section(2, titleOf(command), commandBlocks(command, common))),
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

const titleOfCommon = "Common options";
const optionHeader = ["Option", "Default", "Meaning"];

/** How many commands must have an option, with the same default and meaning, so that it is described once for all of them. */
const commandsOfCommonOption = 3;

/** The rows of the options that several commands have: of an option, the row that most of them have. */
function commonOptions(commands: readonly CommandUnknownOpts[]): string[][] {
  const rows = commands.flatMap((command) => shownOptions(command).map(optionRow));
  return [...Map.groupBy(rows, ([flags]) => flags).values()].flatMap((ofOption) => {
    const same = [...Map.groupBy(ofOption, (row) => JSON.stringify(row)).values()];
    const [most = []] = same.toSorted((left, right) => right.length - left.length);
    return most.length < commandsOfCommonOption ? [] : most.slice(0, 1);
  });
}

function shownOptions(command: CommandUnknownOpts): Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

function commandBlocks(command: CommandUnknownOpts, common: readonly (readonly string[])[]): string {
  const args = command.registeredArguments.map(argumentRow);
  const options = shownOptions(command).map(optionRow);
  const isCommon = (row: readonly string[]) => common.some((one) => JSON.stringify(one) === JSON.stringify(row));
  const also = options.filter(isCommon).map(([flags = ""]) => flags);
  const usage = `${prose(command.description())} Usage: ${code(command.createHelp().commandUsage(command))}`;
  return joined(
    also.length === 0 ? usage : `${usage}\\\n[${titleOfCommon}](${anchor(titleOfCommon)}): ${also.join(", ")}`,
    table(args.length === 0 ? optionHeader : ["Argument or option", "Default", "Meaning"], [
      ...args,
      ...options.filter((row) => !isCommon(row)),
    ]),
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
  if (isOfExitCodes(part)) return `${title} ${exitCodeSentences(part.lines)}`;
  const text = part.lines.join("\n");
  if (/^Examples?$/.test(part.title)) return codeBlock("sh", text);
  if (/^Examples?\b/.test(part.title)) return joined(title, codeBlock("sh", text));
  if (part.title === "Variants") return joined(title, variantTable(part.lines));
  if (/^ |\S {2,}\S/m.test(text)) return joined(title, codeBlock("text", text));
  return `${title} ${prose(part.lines.join(" "))}`;
}

/** A row for each variant: a line with its name and values, its question, and lines that explain values. */
function variantTable(lines: readonly string[]): string {
  const variants = lines.join("\n").split(/\n(?=\S)/);
  const rows = variants.map((variant) => {
    const [head = "", question = "", ...explained] = variant.split("\n").map((line) => line.trim());
    const [name = "", values = ""] = head.split(": ");
    const meanings = new Map(
      explained.map((line) => /^- (\S+): (.*)$/.exec(line) ?? []).map(([, value, text]) => [value, text]),
    );
    const shown = values.split(" | ").map((value) => {
      const meaning = meanings.get(value);
      return meaning === undefined ? code(value) : `${code(value)}: ${prose(meaning)}`;
    });
    return [code(name), prose(question), shown.join("<br>")];
  });
  return table(["Variant", "Question", "Values, the default first"], rows);
}

/** The lines that begin with a code, each as a sentence, without the code of a wrong command line, which is the same everywhere. */
function exitCodeSentences(lines: readonly string[]): string {
  const sentences = lines.flatMap((line) => {
    const [, exitCode, meaning = ""] = /^(\d+) {2,}(.*)$/.exec(line) ?? [];
    if (exitCode === wrongCommandLine) return [];
    return [exitCode === undefined ? prose(line) : `${code(exitCode)}: ${prose(meaning)}`];
  });
  return sentences.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}

const wrongCommandLine = String(exitCodes.usageError);

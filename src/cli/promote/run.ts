import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Release } from "../../api/index.ts";
import { oneLine } from "../../json/one-line.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { nameInProject } from "../../stack/yaml/project.ts";
import { findRelease } from "../check/find-violations.ts";
import { releaseProblems } from "../check/release-problems.ts";
import { writeOutput } from "../output.ts";
import { replaceFile } from "../replace-file.ts";
import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { projectOfChoice, stackFile } from "../stack-file.ts";
import { UneditableError } from "../stack-overrides/override-yaml.ts";
import { stackSetting } from "../stack-setting.ts";
import { CommandError, type ExitCode, exitCodes, syncExitCodes } from "../subcommand.ts";
import { findIntegration } from "../tenants/find-integration.ts";
import { releaseOfBuild } from "../try/build.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { type EditedRelease, editRelease, setConfigKey } from "./edit-release.ts";
import { type Promotion, requiredDefault } from "./promotion.ts";
import { isEnough, type Proof, provenRelease } from "./proof.ts";
import { renderJson, renderMarkdown, renderText } from "./render.ts";

export interface PromoteOptions extends Pick<StackChoice, "cwd"> {
  from: string;
  to: string;
  /** Name or id. */
  integration: string;
  tag?: string | undefined;
  build?: true | undefined;
  branch?: string | undefined;
  moveLatest?: true | undefined;
  require?: string | undefined;
  configKey?: string | undefined;
  dryRun?: true | undefined;
  /** A file. */
  writeSummary?: string | undefined;
  json?: true | undefined;
}

/** Changes the stack's file, unless something speaks against the release, and prints what was found. */
export async function runPromote(shell: Shell, options: PromoteOptions): Promise<ExitCode> {
  const { from, to, integration, cwd } = options;
  const project = projectOfChoice(shell, { cwd });
  const path = stackFile(project, to);
  const text = readFileSync(path, "utf8");
  const required = await requirementOf(shell, options);
  const source = await withPlatform(
    { ...shell, env: sourceEnvironment(shell.env) },
    async (context) => {
      const scope = await findIntegration(context, integration);
      return { name: scope.record.name, ...(await provenRelease(context, scope, options)) };
    },
    { stack: from, cwd },
  );
  const { tag } = source.release;
  if (!tag) {
    throw new CommandError(
      `release ${source.release.id} of ${oneLine(from)} has no tag, by which the same release is found in ${oneLine(to)}`,
    );
  }
  const target = await withPlatform(
    shell,
    async (context) => {
      const scope = await findIntegration(context, integration);
      const release = await releaseIn(context, scope, { tag, options });
      const problems = await releaseProblems(context, integration, release);
      const tenants = (await scope.tenants.all()).size;
      return { scope, release, problems, tenants, doProblemsFail: context.schemaViolations === "error" };
    },
    { stack: to, cwd },
  );
  const { record } = target.scope;
  const file = nameInProject(project, path);
  const edit = edited(file, text, options, {
    isIntegration: (declared) => [record.name, record.id, String(record.id)].some((one) => one === declared),
    tag,
    id: target.release.id,
  });
  const promotion: Promotion = {
    ...{ from, to, integration: source.name, tag, proof: source.proof, tenants: target.tenants, file, edit },
    releases: { from: source.release.id, to: target.release.id },
    problems: target.problems,
    refusals: refusalsOf(source, target, { required, to, from }),
    isDryRun: options.dryRun === true,
  };
  const isRefused = promotion.refusals.length > 0;
  if (!isRefused && !promotion.isDryRun && edit.text !== text) await replaceFile(path, edit.text);
  if (options.writeSummary !== undefined) {
    await writeOutput(shell, options.writeSummary, { what: "the summary", content: renderMarkdown(promotion) });
  }
  if (options.writeSummary !== "-") {
    shell.stdout.write(options.json ? renderJson(promotion) : renderText(shell, promotion));
  }
  return isRefused ? syncExitCodes.failed : exitCodes.success;
}

/** The environment of the stack that has tried the release: its variables have names of their own, as those of the other have theirs. */
function sourceEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    INTEGRATION_PLATFORM_API_KEY: env.INTEGRATION_PLATFORM_FROM_API_KEY,
    INTEGRATION_PLATFORM_BASE_URL: env.INTEGRATION_PLATFORM_FROM_BASE_URL,
    INTEGRATION_PLATFORM_PROFILE: undefined,
  };
}

async function requirementOf(shell: Shell, { require, to, cwd }: PromoteOptions): Promise<string> {
  const required =
    require ?? (await stackSetting(shell, { stack: to, cwd }, false))("promoteRequires") ?? requiredDefault;
  isEnough({ tenants: 0, syncs: 0, failures: 0, since: null }, required); // a mistake in it shows before anything is read
  return required;
}

async function releaseIn(
  context: CommandContext,
  scope: IntegrationScope,
  { tag, options: { to, build, branch, moveLatest } }: { tag: string; options: PromoteOptions },
): Promise<Release> {
  const isThere = (await scope.releases.all()).some((release) => release.tag === tag);
  if (isThere) return findRelease(scope, tag);
  if (!build) {
    throw new CommandError(
      `the platform of ${oneLine(to)} has no release with the tag "${oneLine(tag)}": build it there, or add --build`,
    );
  }
  return releaseOfBuild(context, scope, { tag, branch, isRepeated: false, mayMove: () => moveLatest === true });
}

function edited(
  file: string,
  text: string,
  { configKey, integration }: PromoteOptions,
  wanted: Parameters<typeof editRelease>[1],
): EditedRelease {
  try {
    const edit = configKey === undefined ? editRelease(text, wanted) : setConfigKey(text, configKey, wanted.tag);
    const why = whyUnchanged(edit);
    if (why === undefined) return edit;
    throw new UneditableError(why);
  } catch (error) {
    if (!(error instanceof UneditableError)) throw error;
    throw new CommandError(
      `${file} cannot be changed for integration "${oneLine(integration)}": ${error.message}. ` +
        `Declare the tag ${oneLine(wanted.tag)} by hand`,
    );
  }
}

/** Why a file does not declare the release although nothing in it was to be changed; `undefined` if it does. */
function whyUnchanged({ changed, left, isDeclaredHere }: EditedRelease): string | undefined {
  const ofProgram = "If a program declares the tenants, name the key of the config that it reads with --config-key";
  if (!isDeclaredHere) return `it declares no tenants of it. ${ofProgram}`;
  if (changed.length > 0) return undefined;
  const shared = left.find(({ why }) => why === "shared by integrations");
  if (shared !== undefined) {
    return `${shared.path} is the release of other integrations' tenants too: declare theirs at them or in a group`;
  }
  const isChannel = left.some(({ why }) => why === "channel");
  return isChannel ? "its tenants follow a channel of the platform, and no tag or id" : undefined;
}

function refusalsOf(
  { proof, release }: { proof: Proof; release: Release },
  target: { release: Release; problems: Promotion["problems"]; doProblemsFail: boolean },
  { required, from, to }: { required: string; from: string; to: string },
): string[] {
  const differing = (["config_schema", "metadata_schema"] as const).filter(
    (name) => !isDeepStrictEqual(release[name] ?? {}, target.release[name] ?? {}),
  );
  return [
    ...(isEnough(proof, required) ? [] : [`it is not proven enough: ${required}`]),
    ...(differing.length === 0
      ? []
      : [`the ${differing.join(" and the ")} of ${to} differs from that of ${from}: it is not what was tried`]),
    ...(target.problems.length === 0 || !target.doProblemsFail
      ? []
      : [`it does not fit ${new Set(target.problems.map(({ tenantId }) => tenantId)).size} tenants of ${to}`]),
  ];
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createFindings, type Findings } from "../../calibration/findings.ts";
import { measurePlatform } from "../../calibration/measure-platform.ts";
import { observePlatform } from "../../calibration/observe-platform.ts";
import { leftBehind, ScratchTenantError } from "../../calibration/scratch-tenant.ts";
import { isJsonObject, type JsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { packageVersion } from "../../package-version.ts";
import { type Profile, ProfileError, parseProfile, requireAddress } from "../../platform-profile/profile.ts";
import { type Answers, type Question, questions } from "../../platform-profile/questions.ts";
import { projectFolder } from "../../secrets/open-resolvers.ts";
import { confirm } from "../confirm.ts";
import { toJson } from "../output.ts";
import { replaceFile } from "../replace-file.ts";
import { pathIn, type Shell, shownPath } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { findIntegration } from "../tenants/find-integration.ts";
import { withProgress } from "../terminal.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { type Calibration, renderJson, renderText } from "./render.ts";

export interface CalibrateOptions extends StackChoice {
  write?: true | undefined;
  /** Name or id of the integration that gets the scratch tenant. */
  integration?: string | undefined;
  /** A file with the configs of the scratch tenant. */
  configs?: string | undefined;
  /** The file of the profile. */
  out?: string | undefined;
  wrongKey: boolean;
  yes?: true | undefined;
  json?: true | undefined;
}

/** Finds out how the platform behaves, prints it, and writes the profile. */
export async function runCalibrate(shell: Shell, options: CalibrateOptions): Promise<ExitCode> {
  const { out, stack, cwd = "" } = options;
  const name = stack === undefined ? "platform.json" : `platform.${stack.split("/").at(-1)}.json`;
  const path = out === undefined ? join(projectFolder(pathIn(shell, cwd)), name) : pathIn(shell, out);
  const shown = shownPath(shell, path);
  const before = existsSync(path) ? readProfile(path, shown) : undefined;
  const configs = options.configs === undefined ? undefined : readConfigs(shell, options.configs);
  return withPlatform(
    shell,
    async (context, another) => {
      const { baseUrl } = context.client;
      if (before !== undefined) asCommandError(() => requireAddress(before, baseUrl, shown));
      const findings = createFindings();
      await withProgress(shell, "reading what the platform shows", () => observePlatform(context, findings, options));
      if (options.integration !== undefined) {
        const integration = await findIntegration(context, options.integration);
        if (options.write) await measure(shell, another(), integration, findings, { ...options, configs });
        else await tellLeftBehind(integration, findings);
      }
      const answers = withKept(before?.answers, findings.answers);
      const profile: Profile = {
        ...(before?.$schema !== undefined && { $schema: before.$schema }),
        version: 1,
        baseUrl,
        measuredAt: new Date().toISOString(),
        measuredBy: packageVersion(),
        answers,
      };
      await replaceFile(path, toJson(profile));
      const calibration = calibrationOf(profile, findings, before?.answers, options.write === true);
      shell.stdout.write(options.json ? renderJson(calibration) : renderText(shell, calibration, shown));
      return calibration.changes.length > 0 ? exitCodes.drift : exitCodes.success;
    },
    { ...options, isProfileIgnored: true },
  );
}

async function measure(
  shell: Shell,
  context: CommandContext,
  integration: IntegrationScope,
  findings: Findings,
  { yes, json, configs }: Pick<CalibrateOptions, "yes" | "json"> & { configs: JsonObject | undefined },
): Promise<void> {
  const { name } = integration.record;
  const plan =
    `calibrate creates one scratch tenant of integration "${name}", paused and unconnected, changes it about twenty times, and ` +
    "archives it. It changes no other tenant.";
  if (!json) shell.stdout.write(`${plan}\n`);
  if (!(await confirm(shell, "Go on?", { yes }))) throw new CommandError("nothing was written to the platform");
  const interrupted = shell.interruption();
  for (const tenant of await leftBehind(integration)) {
    await context.client.tenants.archive(tenant.id);
    findings.observations.push(`archived ${tenant.name} (id ${tenant.id}), which an earlier calibrate has left`);
  }
  try {
    await withProgress(shell, "measuring with a scratch tenant", () =>
      measurePlatform({ ...context, signal: interrupted }, integration, findings, configs),
    );
  } catch (error) {
    if (error instanceof ScratchTenantError) throw new CommandError(error.message, { cause: error });
    if (interrupted.aborted) throw new CommandError("interrupted; the scratch tenant is archived", { cause: error });
    throw error;
  }
}

async function tellLeftBehind(integration: IntegrationScope, { observations }: Findings): Promise<void> {
  for (const { name, id } of await leftBehind(integration)) {
    observations.push(`${name} (id ${id}) is left from an earlier calibrate: the next calibrate --write archives it`);
  }
}

/**
 * The new answers, and the old ones that were not asked again. What somebody declared by hand stays, and so do words: that no
 * tenant shows a word today does not make it another one.
 */
function withKept(before: Answers = {}, now: Answers): Answers {
  const declared = Object.entries(before).filter(([, one]) => one?.basis === "declared");
  const words = (["connectors.words", "runs.words"] as const).flatMap((question) => {
    const [old, seen] = [before[question], now[question]];
    return old === undefined || seen === undefined
      ? []
      : [[question, { ...seen, answer: union(old.answer, seen.answer) }]];
  });
  return { ...before, ...now, ...Object.fromEntries(words), ...Object.fromEntries(declared) };
}

function union(old: object, now: object): object {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const wordsOf = (one: object, key: string): string[] => Object(one)[key] ?? [];
  return Object.fromEntries(
    keys.map((key) => [key, [...new Set([...wordsOf(old, key), ...wordsOf(now, key)])].sort()]),
  );
}

function calibrationOf(profile: Profile, findings: Findings, before: Answers = {}, isMeasured: boolean): Calibration {
  const changes = questions.flatMap(([name]): Calibration["changes"] => {
    const [old, now] = [before, profile.answers].map((all) => Object(all)[name]?.answer);
    return old === undefined || now === undefined || isDeepStrictEqual(old, now) ? [] : [{ question: name, old, now }];
  });
  const isOpen = (name: string) => Object(profile.answers)[name] === undefined;
  const unknown = questions.flatMap(([name, { otherwise }]) => {
    if (!isOpen(name)) return [];
    const why = findings.unknown[name as Question] ?? (isMeasured ? "it was not asked" : "only --write can tell");
    return [{ question: name, why, otherwise }];
  });
  return { profile, changes, unknown, observations: findings.observations };
}

function readProfile(path: string, shown: string): Profile {
  return asCommandError(() => parseProfile(readFileSync(path, "utf8"), shown));
}

function readConfigs(shell: Shell, file: string): JsonObject {
  const parsed = parseJson(readFileSync(pathIn(shell, file), "utf8"));
  if (parsed.isJson && isJsonObject(parsed.value)) return parsed.value;
  throw new CommandError(`${file} must be a JSON object: the configs of the scratch tenant`);
}

function asCommandError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProfileError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

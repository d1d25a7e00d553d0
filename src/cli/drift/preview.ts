import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlatformTime } from "../../operation/platform-time.ts";
import {
  countNotCompared,
  notComparedFileKey,
  readRefusals,
  readTime,
  refusalsFileKey,
  timeFileKey,
} from "../../provider/recorded.ts";
import { reasonLines, runPulumi } from "../run-pulumi.ts";
import type { Place } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError } from "../subcommand.ts";
import { type PreviewEvents, type PreviewedResource, readPreviewEvents } from "./preview-events.ts";

export interface PreviewedStack {
  stack: string;
  project: string | undefined;
  resources: PreviewedResource[];
  /** The warnings of the engine and of the providers. */
  warnings: string[];
  /** Why `up` would refuse to archive a tenant, by the tenant's id, whether `up` would archive it or not. */
  refusals: ReadonlyMap<number, string>;
  /** How many declared values were not compared, because their references to secrets could not be resolved. */
  valuesNotResolved: number;
  /** The time by which overrides end. */
  time: PlatformTime;
}

/**
 * Previews a stack after a refresh. Neither the state nor the platform changes.
 *
 * @throws CommandError if the preview fails or ends early, or reports what this command cannot read.
 */
export async function previewStack(place: Place, choice: StackChoice): Promise<PreviewedStack> {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-drift-"));
  try {
    const refusalsFile = join(folder, "refusals");
    const notComparedFile = join(folder, "not-compared");
    const timeFile = join(folder, "time");
    const files = { [refusalsFileKey]: refusalsFile, [notComparedFileKey]: notComparedFile, [timeFileKey]: timeFile };
    const preview = await previewWith(place, files, choice);
    const [refusals, time] = [await readRefusals(refusalsFile), await readTime(timeFile)];
    return { ...preview, refusals, valuesNotResolved: await countNotCompared(notComparedFile), time };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function previewWith(
  place: Place,
  environment: NodeJS.ProcessEnv,
  { stack, cwd }: StackChoice,
): Promise<Omit<PreviewedStack, "refusals" | "valuesNotResolved" | "time">> {
  const stackArgs = stack === undefined ? [] : ["--stack", stack];
  const settings = {
    // `--json` prints the engine's events, one in a line, and marks each secret. Without this, it prints a digest in which
    // a secret looks like any other string.
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    // The refresh says what differs. Without this, a secret that was changed on the platform looks like a change of the
    // program to users who have set it to "true" to save time.
    PULUMI_ENABLE_LEGACY_REFRESH_DIFF: "false",
  };
  const env = { ...environment, ...settings };
  const args = ["preview", "--refresh", "--json", "--non-interactive", ...stackArgs];
  const { code, stdout, stderr } = await runPulumi(place, args, { cwd, env });
  const events = readPreviewEvents(stdout);
  if (code !== 0 || !events.isFinished) throw new CommandError(failureMessage(code, events, stderr));
  if (events.notRead.length > 0) throw new CommandError(notReadMessage(events));
  const name = events.stack ?? stack;
  if (name === undefined) throw new CommandError("`pulumi preview` did not name its stack; name it with --stack");
  return { stack: name, project: events.project, resources: events.resources, warnings: events.warnings };
}

function failureMessage(code: number | null, { errors }: PreviewEvents, stderr: string): string {
  const ending = code === 0 ? "ended early" : `failed with exit code ${code}`;
  const reasons = reasonLines(errors.length > 0 ? errors : [stderr]);
  return `\`pulumi preview --refresh\` ${ending}, so it is not known whether there is drift:${reasons}`;
}

function notReadMessage({ notRead }: PreviewEvents): string {
  return (
    "`pulumi preview --refresh` reports what this command cannot read, so it is not known whether there is drift. Update " +
    `pulumi-integration-platform, or use an older Pulumi CLI:${reasonLines(notRead)}`
  );
}

import { normalizeBaseUrl } from "../../api/base-url.ts";
import { oneLine } from "../../json/one-line.ts";
import type { Place } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { stackSetting } from "../stack-setting.ts";
import { CommandError } from "../subcommand.ts";

/** What a report says of itself besides its stack. */
export interface ReportHead {
  /** Name of the Pulumi project. */
  project?: string;
  /** Address of the platform; absent if it cannot be known. */
  platform?: string;
  /** Date and time in UTC: `2026-11-22T05:17:00Z`. */
  createdAt: string;
}

/** The head of a report that is made now. */
export function reportHead(known: {
  project: string | undefined;
  platform: string | undefined;
  createdAt: Date;
}): ReportHead {
  const { project, platform, createdAt } = known;
  return {
    ...(project === undefined ? {} : { project }),
    ...(platform === undefined ? {} : { platform }),
    createdAt: createdAt.toISOString().replace(/\.\d+Z$/, "Z"),
  };
}

/** The head for people: a label and a text in one line for each part that is known. */
export function headEntries({ project, platform, createdAt }: ReportHead): [label: string, text: string][] {
  const entries: [string, string | undefined][] = [
    ["Project", project],
    ["Platform", platform],
    ["Date", createdAt],
  ];
  return entries.flatMap(([label, text]) => (text === undefined ? [] : [[label, oneLine(text)]]));
}

/** The address that the stack's resources use, without anything secret; `undefined` if the config cannot be read. */
export async function platformAddress(place: Place, choice: StackChoice): Promise<string | undefined> {
  const address = place.env.INTEGRATION_PLATFORM_BASE_URL || (await configuredAddress(place, choice));
  return address === undefined || !URL.canParse(address) ? undefined : normalizeBaseUrl(address);
}

async function configuredAddress(place: Place, choice: StackChoice): Promise<string | undefined> {
  try {
    return (await stackSetting(place, choice, false))("baseUrl");
  } catch (error) {
    if (error instanceof CommandError) return undefined; // the report is complete without it
    throw error;
  }
}

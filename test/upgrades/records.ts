import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { platformAddress } from "../../src/provider/platform-address.ts";
import { type ProviderName, providerNames } from "../engine/harness/provider-under-test.ts";

/** The folder with a folder for each recorded version. */
export const recordsFolder = join(import.meta.dirname, "records");

/** The names of a record's files. The program is the same for both providers, so it is one folder up. */
export const recordFiles = {
  program: "../program.js",
  stackFile: "Pulumi.test.yaml",
  state: "state.json",
  /** The data of the emulator. */
  platform: "emulator.sqlite",
} as const;

/** What a version has left behind: a stack with every resource on one of the providers, and the platform's data. */
export interface UpgradeRecord {
  readonly version: string;
  readonly provider: ProviderName;
  readonly folder: string;
}

/** The records of all versions. */
export async function listRecords(): Promise<UpgradeRecord[]> {
  const versions = (await readdir(recordsFolder)).sort();
  return versions.flatMap((version) =>
    providerNames.map((provider) => ({ version, provider, folder: join(recordsFolder, version, provider) })),
  );
}

export interface RecordedStack {
  readonly program: string;
  /** The stack's file, with the config and its encrypted secrets. */
  readonly stackYaml: string;
  /** What `pulumi stack export` printed. */
  readonly state: string;
}

/**
 * Reads a recorded stack as if its platform had this address. The emulator has another port in each run, and a stack of
 * another platform's address would be refused.
 */
export async function readRecord({ folder }: UpgradeRecord, url: string): Promise<RecordedStack> {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const stackYaml = await read(recordFiles.stackFile);
  const recorded = stackSchema.parse(parse(stackYaml)).config["integration-platform:baseUrl"];
  const moved = (text: string) => text.replaceAll(recorded, url).replaceAll(digestOf(recorded), digestOf(url));
  return {
    program: await read(recordFiles.program),
    stackYaml: moved(stackYaml),
    state: moved(await read(recordFiles.state)),
  };
}

const stackSchema = z.object({ config: z.looseObject({ "integration-platform:baseUrl": z.string() }) });

/** What the dynamic provider stores of an address. */
function digestOf(baseUrl: string): string {
  return platformAddress({ baseUrl, source: "" }, {}).digest;
}
